import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtins } from "../../pipeline/builtins.js";
import { inFolder } from "./helpers.js";

const BIN = resolve("pipeline/bin.js");
const BROKEN = resolve("test/pipeline/broken-configs");
const GOOD = join(BROKEN, "good.yaml");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Options {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the real binary in a process of its own, with no terminal. */
function pipeline(words: readonly string[], { cwd, env, onStart }: Options = {}): Promise<Ended> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [BIN, ...words], { cwd, env: { PATH: process.env.PATH, ...env } });
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (d) => {
      text.out += d;
    });
    child.stderr.setEncoding("utf8").on("data", (d) => {
      text.err += d;
    });
    child.on("error", failed).on("close", (code) => done({ code, ...text }));
    onStart?.(child);
  });
}

beforeAll(() => {
  if (!existsSync("dist/pipeline/cli.js")) throw new Error("build first: npm run build");
});

describe.concurrent("the command line", () => {
  it.each(["--constructor", "--toString=1", "--__proto__", "--no-constructor"])(
    "has no option that every object has: %s",
    async (option) => {
      const ended = await pipeline(["run", GOOD, option, "x"]);
      expect(ended).toMatchObject({ code: 2, out: "" });
      expect(ended.err).toContain("unknown option");
    },
  );

  it("shows escape sequences in a card instead of sending them to the terminal", () =>
    inFolder(async (dir) => {
      const good = readFileSync(join(BROKEN, "cards/bodies.yaml"), "utf8");
      const card = join(dir, "card.yaml");
      writeFileSync(card, good.replace(/^title: .*$/m, 'title: "\\e[31mred\\a\\x9b0m"'));
      const [page, json] = await Promise.all([
        pipeline(["sources", "show", card]),
        pipeline(["sources", "show", card, "--json"]),
      ]);
      expect(page).toMatchObject({ code: 0 });
      expect(page.out).toContain("\\u001b[31mred\\u0007\\u009b0m");
      for (const { out } of [page, json]) expect(out).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(JSON.parse(json.out)).toMatchObject({ title: "\u001b[31mred\u0007\u009b0m" });
    }));

  it("helps, and says what it can do", async () => {
    const [all, run, none] = await Promise.all([
      pipeline(["--help"]),
      pipeline(["run", "--help"]),
      pipeline([]),
    ]);
    expect(all).toMatchObject({ code: 0, err: "" });
    await expect(all.out).toMatchFileSnapshot("golden/help.txt");
    expect(run).toMatchObject({ code: 0, err: "" });
    await expect(run.out).toMatchFileSnapshot("golden/help-run.txt");
    expect(none).toEqual({ code: 2, out: "", err: all.out });
  });

  it("has an example and exit codes in the help of every verb", async () => {
    const verbs = ["run", "plan", "verify", "explain", "sources", "stages", "schema", "doctor"];
    const helps = await Promise.all(verbs.map((verb) => pipeline([verb, "--help"])));
    for (const [i, { code, out }] of helps.entries()) {
      expect(code).toBe(0);
      expect(out).toContain(`Examples:\n  pipeline ${verbs[i]}`);
      expect(out).toContain("Exit codes:\n    0  done");
      expect(out).toContain("--json");
    }
  });

  it.each([
    [["rn", "x.yaml"], "there is no verb `rn`\n  = did you mean `run`?\n"],
    [["--vesion"], "unknown option `--vesion`\n  = pipeline --help\n"],
    [["run"], "`pipeline run` needs <config>\n  = pipeline run <config>; see pipeline run --help\n"],
    [["run", "x.yaml", "--out"], "--out needs a value\n  = pipeline run <config>; see pipeline run --help\n"],
    [["run", "x.yaml", "--lmit", "5"], "unknown option --lmit\n  = did you mean --limit?\n"],
    [
      ["run", "x.yaml", "--limit", "1", "--limit", "2"],
      "--limit is given more than once\n  = give it once\n",
    ],
    [["run", "x.yaml", "--quiet", "--quiet"], "--quiet is given more than once\n  = give it once\n"],
    [
      ["run", "x.yaml", "--limit", "1e3"],
      '--limit cannot be the text "1e3"\n  = it takes a whole number from 1 up\n',
    ],
    [
      ["run", "x.yaml", "--threads", "0"],
      '--threads cannot be the text "0"\n  = it takes a whole number from 1 up\n',
    ],
    [
      ["run", "x.yaml", "y.yaml"],
      "unexpected argument `y.yaml`\n  = pipeline run <config>; see pipeline run --help\n",
    ],
    [["run", "nowhere.yaml"], "nowhere.yaml: there is no such file\n"],
    [["stages", "shwo"], '<action> must be list or show, found the text "shwo"\n  = did you mean show?\n'],
    [["stages", "show", "selct"], "there is no stage kind `selct`\n  = did you mean `select`?\n"],
    [["stages", "show"], "`stages show` needs a kind\n  = pipeline stages show <kind>\n"],
    [
      ["verify", "nowhere"],
      "nowhere is not a directory\n  = give a directory that `pipeline run` has written\n",
    ],
  ])("refuses %j", async (words, err) => {
    expect(await pipeline(words)).toEqual({ code: 2, out: "", err });
  });

  it("shows a broken config with its place, and the same for programs", async () => {
    const words = ["run", "test/pipeline/broken-configs/several-at-once.yaml"];
    const [plain, json] = await Promise.all([pipeline(words), pipeline([...words, "--json"])]);
    const golden = readFileSync(join(BROKEN, "several-at-once.txt"), "utf8");
    expect(plain).toEqual({ code: 2, out: "", err: golden });
    expect(json).toMatchObject({ code: 2, err: golden });
    const { error } = JSON.parse(json.out);
    expect(error.kind).toBe("config");
    expect(error.problems.map((p: { code: string }) => p.code)).toEqual([
      "wrong_form",
      "unknown_key",
      "wrong_value",
      "out_of_range",
    ]);
    expect(error.problems[1].location).toMatchObject({ line: 2, column: 1, excerpt: "sed: 7" });
  });

  it("runs, verifies, explains; a name that looks like a number stays a name", () =>
    inFolder(async (cwd) => {
      const first = await pipeline(["run", GOOD, "--out", "12e4", "--threads", "1"], { cwd });
      expect(first.code).toBe(0);
      expect(first.err).not.toContain("\u001b");
      expect(first.err).toMatch(/^good: ingest → .* → emit\ningest bodies: 10 rows\nblock 0: 1 candidate/);
      expect(first.out).toContain("1 in, 1 out");
      expect(existsSync(join(cwd, "12e4", "manifest.json"))).toBe(true);

      const [quiet, verified] = [
        await pipeline(["run", GOOD, "--out", "12e4", "--quiet"], { cwd }),
        await pipeline(["verify", "12e4", "--json"], { cwd }),
      ];
      expect(quiet).toEqual({ code: 0, out: "", err: "" });
      expect(verified.code).toBe(0);
      expect(JSON.parse(verified.out)).toMatchObject({ ok: true, findings: [], rederived: 1 });

      const again = await pipeline(["run", GOOD, "--out", "12e4", "--json"], { cwd });
      const result = JSON.parse(again.out);
      expect(result).toMatchObject({ worked: 0, unchanged: true, manifest: { name: "good", accepted: 1 } });

      const unknown = await pipeline(["explain", "12e4", "zzz"], { cwd });
      expect(unknown).toMatchObject({ code: 2, out: "" });
      expect(unknown.err).toContain("no task zzz is in 12e4");

      const card = join(cwd, "12e4", "sources", "bodies", "bodies.csv");
      writeFileSync(card, readFileSync(card, "utf8").replace("8.7000e+25", "8.8000e+25"));
      const tampered = await pipeline(["verify", "12e4"], { cwd });
      expect(tampered.code).toBe(1);
      expect(tampered.out).toContain("bodies.csv");
    }));

  it("ends with 3 when the target is not reached, the dataset being complete", () =>
    inFolder(async (cwd) => {
      const config = readFileSync(GOOD, "utf8")
        .replace("./cards", join(BROKEN, "cards"))
        .replace("seed: 7", "seed: 7\ntarget: { accepted: 2 }");
      writeFileSync(join(cwd, "two.yaml"), config);
      const { code, err, out } = await pipeline(["run", "two.yaml"], { cwd });
      expect(code).toBe(3);
      expect(err).toContain("the run accepted 1 of the 2 rows");
      expect(out).toContain("1 tasks in");
      expect(existsSync(join(cwd, "runs", "good", "manifest.json"))).toBe(true);
    }));

  it("stops on the first signal and prints the very command that goes on", () =>
    inFolder(async (cwd) => {
      const graph = readFileSync(join(BROKEN, "good-graph.yaml"), "utf8")
        .replace("./cards", join(BROKEN, "cards"))
        .replace("from: [words]", "from: [slow]")
        .concat("  - { id: slow, stage: slow, from: [words], params: { ms: 60000 } }\n");
      writeFileSync(join(cwd, "it's slow.yaml"), graph);
      const plugin = resolve("test/pipeline/cli-project/slow.mjs");
      const words = ["run", "it's slow.yaml", "--out", "out", "--plugin", plugin];
      const onStart = (child: ChildProcess) =>
        child.stderr!.on("data", (d) => String(d).includes("ingest bodies") && child.kill("SIGINT"));
      const { code, err } = await pipeline(words, { cwd, onStart });
      expect(code).toBe(130);
      expect(err).toContain("stopping after the rows at work; once more stops at once\n");
      expect(err).toContain(
        `  = to go on: npx pipeline run 'it'\\''s slow.yaml' --out out --plugin ${plugin}\n`,
      );
      expect(existsSync(join(cwd, "out", "manifest.json"))).toBe(false);
    }));

  it("brings code in by --plugin only: a config alone cannot", () =>
    inFolder(async (cwd) => {
      const graph = readFileSync(join(BROKEN, "good-graph.yaml"), "utf8").replace(
        "stage: verbalize",
        "stage: slow",
      );
      writeFileSync(join(cwd, "c.yaml"), graph);
      const { code, err } = await pipeline(["plan", "c.yaml"], { cwd });
      expect(code).toBe(2);
      expect(err).toContain("unknown stage kind `slow`");
      const absent = await pipeline(["plan", "c.yaml", "--plugin", "absent.mjs"], { cwd });
      expect(absent.code).toBe(2);
      expect(absent.err).toContain("the plugin absent.mjs cannot be imported");
    }));

  it("describes stages and sources, and prints the schemas that are committed", async () => {
    const [list, show, sources, source, schema, card] = await Promise.all([
      pipeline(["stages", "list"]),
      pipeline(["stages", "show", "split"]),
      pipeline(["sources", "list", "--json"]),
      pipeline(["sources", "show", "test/pipeline/broken-configs/cards/bodies.yaml"]),
      pipeline(["schema"]),
      pipeline(["schema", "--card"]),
    ]);
    expect(
      list.out
        .trim()
        .split("\n")
        .map((l) => l.split(" ")[0]),
    ).toEqual(builtins().kinds());
    expect(show.out).toContain("takes:  question rows\ngives:  split rows\n");
    expect(JSON.parse(sources.out).map((s: { id: string }) => s.id)).toContain("planets");
    expect(source.out).toContain("  mass: number in kg, ratio; may filter, select, compute\n");
    expect(schema.out).toBe(readFileSync("schemas/config.schema.json", "utf8"));
    expect(card.out).toBe(readFileSync("schemas/card.schema.json", "utf8"));
  });

  it("checks a card, and the hash of its snapshot", () =>
    inFolder(async (cwd) => {
      for (const file of ["bodies.yaml", "bodies.csv"])
        writeFileSync(join(cwd, file), readFileSync(join(BROKEN, "cards", file)));
      const sound = await pipeline(["sources", "check", "bodies.yaml"], { cwd });
      expect(sound.err).toBe("");
      expect(sound.out).toMatch(/^bodies: card and snapshot are sound; \d+ rows of \d+ records\n/);
      writeFileSync(join(cwd, "bodies.csv"), "id,name\n");
      const { code, err } = await pipeline(["sources", "check", "./bodies.yaml"], { cwd });
      expect(code).toBe(1);
      expect(err).toMatch(
        /^bodies\.yaml: the snapshot bodies\.csv has the SHA-256 [0-9a-f]{64}, its card says [0-9a-f]{64}\n {2}= /,
      );
    }));

  it("examines the machine, and leaves nothing behind", () =>
    inFolder(async (cwd) => {
      const { code, out, err } = await pipeline(["doctor", "--json"], { cwd });
      const { ok, checks } = JSON.parse(out);
      expect(checks.map((c: { name: string; status: string }) => `${c.name} ${c.status}`)).toEqual([
        "taskmill note",
        "node passed",
        "duckdb passed",
        "sources passed",
        "writing passed",
        // A note where bubblewrap is missing: only agents with Python need it.
        expect.stringMatching(/^python (?:passed|note)$/),
        "memory passed",
        "cores note",
        "terminal note",
      ]);
      expect({ ok, code, err }).toEqual({ ok: true, code: 0, err: "" });
    }));

  it("does not mind a reader that leaves early, and shows no stack trace unless asked", async () => {
    const early = await pipeline(["schema"], { onStart: (child) => child.stdout!.destroy() });
    expect(early).toMatchObject({ code: 0, err: "" });
    const debug = await pipeline(["run", "nowhere.yaml"], { env: { TASKMILL_DEBUG: "1" } });
    expect(debug.err).toContain("    at ");
  });
});
