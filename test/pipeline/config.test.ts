// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a document writes them
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderProblems } from "../../pipeline/base/document.js";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { builtins } from "../../pipeline/builtins.js";
import { loadConfig } from "../../pipeline/config.js";
import { inFolder } from "./helpers.js";

const FOLDER = "test/pipeline/broken-configs";
const env = {
  TASKMILL_TEST_WORD: "many",
  TASKMILL_TEST_STRUCTURE: "good\nseed: 8\nextra: [1]",
  TASKMILL_TEST_SEED_SET: "11",
};
const load = (file: string | object) => loadConfig(file, { registry: builtins(), env });

async function problemsOf(source: string | object): Promise<string> {
  try {
    await load(source);
    return "no problem\n";
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    expect(error.kind).toBe("config");
    return renderProblems(error.problems);
  }
}

describe("a broken config", () => {
  const broken = readdirSync(FOLDER).filter((f) => f.endsWith(".yaml") && !f.startsWith("good"));

  it("comes in more than 30 kinds", () => expect(broken.length).toBeGreaterThan(30));

  it.each(broken)("%s is explained in full", async (file) => {
    const text = await problemsOf(join(FOLDER, file));
    expect(text).not.toBe("no problem\n");
    await expect(text).toMatchFileSnapshot(`broken-configs/${file.replace(/yaml$/, "txt")}`);
  });

  it("is refused whatever is wrong with the file itself", () =>
    inFolder(async (dir) => {
      const cases: Record<string, [Uint8Array | string, string]> = {
        "utf16.yaml": [Buffer.from("\ufeffname: x", "utf16le"), "the file is UTF-16"],
        "latin1.yaml": [Buffer.from("name: x\ntitle: caf\xe9", "latin1"), "the file is not UTF-8 (line 2)"],
        "binary.yaml": [new Uint8Array([0x50, 0x4b, 0, 0, 1]), "the file is not a text (it holds NUL bytes)"],
        "large.yaml": ["#".repeat(9_000_000), "the file has 9 MB"],
        "escape.yaml": ["name: \u001b[31mred", "the control character U+001B stands in the text"],
      };
      for (const [name, [bytes, message]] of Object.entries(cases)) {
        await writeFile(join(dir, name), bytes);
        const text = await problemsOf(join(dir, name));
        expect(text).toContain(message);
        expect(text).not.toContain("\u001b");
      }
      expect(await problemsOf(dir)).toContain("this is a folder, not a file");
      expect(await problemsOf(join(dir, "utf61.yaml"))).toContain("did you mean utf16.yaml?");
      expect(await problemsOf("/dev/zero")).toContain("this is not a regular file");
      expect(await problemsOf(join(dir, "utf16.yaml", "x"))).toContain("there is no such file");
    }));
});

describe("a config", () => {
  it("in its short form becomes the default graph, with all defaults filled in and no path of the machine", async () => {
    const { config, instances, sources, sha256 } = await load(join(FOLDER, "good.yaml"));
    expect(instances.map((i) => `${i.id} < ${i.from.join(" ")}`)).toEqual([
      "ingest < ",
      "recipes < ingest",
      "filter < recipes",
      "select < filter",
      "compute < select",
      "verbalize < compute",
      "lint < verbalize",
      "dedup < lint",
      "balance < dedup",
      "split < balance",
      "emit < split",
    ]);
    expect(config).toMatchObject({ name: "good", seed: "7", sources: ["bodies"], target: null });
    expect(config.graph.find((i) => i.id === "balance")!.params).toMatchObject({
      formula: 0.2,
      entity: 0.02,
    });
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    expect(JSON.stringify(config)).not.toContain(process.cwd());
    expect(sources[0]!.snapshot).toBe(join(process.cwd(), FOLDER, "cards/bodies.csv"));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("in its full form is put into topological order", async () => {
    const { instances } = await load(join(FOLDER, "good-graph.yaml"));
    expect(instances.map((i) => i.id)).toEqual([
      "tables",
      "hand",
      "filter",
      "select",
      "compute",
      "words",
      "split",
      "out",
    ]);
  });

  it("may be a value, in which ${ means nothing", async () => {
    const source = {
      name: "value",
      seed: "${HOME}",
      sources: [`./${FOLDER}/cards/bodies.yaml`],
      stages: {
        recipes: {
          recipes: [
            {
              id: "one",
              table: "bodies",
              select: { column: "mass", order: "max" },
              compute: { formula: "bulk_density", inputs: { mass: "mass", radius: "mean_radius" } },
            },
          ],
        },
      },
    };
    const { config } = await load(source);
    expect(config.seed).toBe("${HOME}");
    expect(await problemsOf({ ...source, seed: null, sede: 1 })).toContain("unknown key `sede`");
  });

  it("takes numbers from variables where numbers are meant, and texts where texts are", () =>
    inFolder(async (dir) => {
      const card = JSON.stringify(join(process.cwd(), FOLDER, "cards/bodies.yaml"));
      const stages =
        "stages: { recipes: { recipes: [{ id: one, table: bodies, select: { column: mass, order: max }, compute: { formula: bulk_density, inputs: { mass: mass, radius: mean_radius } } }] } }";
      const text = `name: "\${NONE:-a}b"\nseed: \${TASKMILL_TEST_SEED_SET}\nsources: [${card}]\ntarget: { accepted: "\${NONE:-1200}" }\n${stages}\n`;
      await writeFile(join(dir, "c.yaml"), text);
      const { config } = await load(join(dir, "c.yaml"));
      expect(config).toMatchObject({ name: "ab", seed: "11", target: { accepted: 1200 } });
    }));
});
