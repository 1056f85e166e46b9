import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { builtins } from "../../pipeline/builtins.js";
import { loadConfig } from "../../pipeline/config.js";

const SECRET = "Hunter2-Hunter2-Hunter2";
const recipe = {
  id: "one",
  table: "planets",
  select: { column: "mass", order: "max" },
  compute: { formula: "bulk_density", inputs: { mass: "mass", radius: "mean_radius" } },
};

async function problemsOf(role: object, url?: string): Promise<TaskmillError["problems"]> {
  const config = {
    name: "secret",
    seed: 1,
    sources: ["planets"],
    models: { a: role, b: { base_url: "", model: "m" } },
    stages: { recipes: { recipes: [recipe] }, probe: { roles: ["a"] } },
  };
  try {
    await loadConfig(config, { registry: builtins(), env: {}, models: { url } });
  } catch (error) {
    if (error instanceof TaskmillError) return error.problems;
    throw error;
  }
  return [];
}

describe("a secret in a config", () => {
  it.each([
    ["secret_in_config", { base_url: `https://user:${SECRET}@example.org/v1`, model: "m" }],
    ["unknown_key", { base_url: "http://localhost/v1", model: "m", api_key: SECRET }],
    [undefined, { base_url: "http://localhost/v1", model: "m", key_variable: SECRET }],
  ])("is refused and not shown (%s)", async (code, role) => {
    const problems = await problemsOf(role);
    expect(problems).toHaveLength(1);
    if (code !== undefined) expect(problems[0]!.code).toBe(code);
    expect(JSON.stringify(problems)).not.toContain("Hunter2");
    expect(problems[0]!.location?.excerpt).toBeDefined();
  });
});

describe("an address that is none", () => {
  it("is refused beside a name for the endpoint too", async () => {
    for (const base_url of ["file:///etc/passwd", "nonsense", `http://u:${SECRET}@h/v1`]) {
      const problems = await problemsOf({ base_url, model: "m", endpoint: "named", key_variable: "NO_KEY" });
      expect(problems.map((p) => p.path)).toEqual([["models", "a", "base_url"]]);
    }
  });

  it("on the command line is told once, and no line of the config is blamed", async () => {
    const [problem, ...more] = await problemsOf({ base_url: "", model: "m" }, "file:///etc/passwd");
    expect(more).toEqual([]);
    expect(problem!.message).toBe("--model-url: this is no address of an endpoint");
    expect(problem!.location).toBeUndefined();
  });
});
