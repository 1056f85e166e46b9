import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { GATES } from "../../datasets/admission.js";
import { type HubCardInput, hubCard } from "../../datasets/hub-card.js";
import { hubFeatures } from "../../datasets/hub-features.js";
import {
  bool,
  definePool,
  float64,
  list,
  nullable,
  open,
  POOLS,
  problemsPool,
  struct,
  text,
  trajectoriesPool,
} from "../../datasets/schema/index.js";

const source = {
  source: "planets",
  title: "Planets",
  domain: "astronomy",
  id: "CC-BY-4.0",
  share_alike: false,
  attribution: "by the makers",
  citation: "A. Maker, 2024",
  publisher: "Makers",
  as_of: "2024",
  provenance: "by hand",
  rows: 9,
};

function input(rl: number, change: Partial<HubCardInput> = {}): HubCardInput {
  const gates = Object.fromEntries(
    GATES.map((g, i) => [
      g,
      i < 2 ? { passed: 8, failed: 0, not_run: 0 } : { passed: 0, failed: 0, not_run: 8 },
    ]),
  );
  const rows: Record<string, number> = { tasks: 8, rl, sft: 0 };
  const files = POOLS.flatMap((pool) => [
    { file: `pools/${pool.name}.parquet`, rows: rows[pool.name]! },
    { file: `pools/${pool.name}/train-00000-of-00001.parquet`, rows: rows[pool.name]! },
  ]);
  const stages = [{ id: "select", in: 20, created: 0, out: 8, rejected: { margin: 12, none: 0 } }];
  return {
    name: "demo",
    seed: "1",
    accepted: 8,
    gates,
    admit_unscreened: [],
    kept_out: rl === 0 ? { "solve:not_run": 8 } : {},
    files,
    stages,
    sources: [source],
    ...change,
  };
}

interface FrontMatter {
  license: unknown;
  configs: { config_name: string; default?: boolean; data_files: { split: string; path: string }[] }[];
  dataset_info: { config_name: string; features: { name: string }[] }[];
  size_categories: string[];
}
const frontMatter = (card: string) => parse(card.split("---\n")[1]!) as FrontMatter;

describe("dataset card", () => {
  it("tells the Hub where each split of each pool lies, and the features of each column", () => {
    const front = frontMatter(hubCard(input(8)));
    expect(front.license).toBe("cc-by-4.0");
    expect(front.size_categories).toEqual(["n<1K"]);
    expect(front.configs.map((c) => [c.config_name, c.default])).toEqual([
      ["tasks", undefined],
      ["rl", true],
    ]);
    expect(front.configs[1]!.data_files).toEqual([
      { split: "train", path: "pools/rl/train-00000-of-00001.parquet" },
    ]);
    for (const { config_name, features } of front.dataset_info) {
      const pool = POOLS.find((p) => p.name === config_name)!;
      expect(features.map((f) => f.name)).toEqual(Object.keys(pool.columns));
    }
    expect(frontMatter(hubCard(input(0))).configs.map((c) => [c.config_name, c.default])).toEqual([
      ["tasks", true],
    ]);
  });

  it("counts the rows for which a gate did not run, where it ran for others", () => {
    const gates = Object.fromEntries(
      GATES.map((gate) => [
        gate,
        { passed: gate === "solve" ? 6 : 8, failed: 0, not_run: gate === "solve" ? 2 : 0 },
      ]),
    );
    const card = hubCard({ ...input(8), gates });
    expect(card).toMatch(/> Unscreened rows: solve \([^)]*\) did not run for 2 of 8 rows\./);
  });

  it("opens with what was not checked", () => {
    const admitted = hubCard(input(8, { admit_unscreened: ["solve", "admission"] })).split("---\n")[2]!;
    expect(admitted.trim()).toMatch(/^> Unscreened rows: contamination .*closed_book .*did not run/);
    expect(admitted).toMatch(
      /admits unscreened rows into the RL pool by name \(solve, admission\): it holds 8 rows/,
    );
    expect(admitted).toMatch(/The SFT pool is empty: no rollouts have been made/);
    const kept = hubCard(input(0));
    expect(kept).toMatch(/The RL pool is empty/);
    expect(kept).toMatch(/8 rows are kept out of the RL pool by solve, not run/);
    const all = Object.fromEntries(GATES.map((g) => [g, { passed: 8, failed: 0, not_run: 0 }]));
    expect(hubCard(input(8, { gates: all }))).toMatch(/> Screened: every gate ran on every row/);
  });

  it("says how rollouts were made, and why none was selected", () => {
    const agent = {
      by: "rollout",
      role: "policy",
      model: "a|b`c",
      drawn: 32,
      valid: 31,
      right: 4,
      selected: 0,
    };
    const rollouts = {
      agents: [agent],
      tools: ["search", "python"],
      corpora: ["solar-system", "<b>.jsonl"],
      search: "brave",
      web: false,
    };
    const card = hubCard(input(8, { rollouts }));
    expect(card).toContain("> The SFT pool is empty: none of 32 rollouts was selected for it.");
    expect(card).not.toContain("no rollouts have been made");
    expect(card).toContain("| `rollout` | `policy` | `a b c` | 32 | 31 | 4 | 0 |");
    expect(card).toContain(
      "Their documents were **solar-system**, **&lt;b>.jsonl**. They searched by brave.",
    );
    expect(card).toContain("| `trajectories` |");
    expect(hubCard(input(8))).not.toMatch(/## Rollouts|trajectories/);
  });

  it("credits the sources and adds up", () => {
    const card = hubCard(input(8));
    expect(card).toContain("- Planets: by the makers");
    expect(card).toContain(
      "| `planets` | Planets | 9 | 2024 | CC-BY-4.0 | Makers | A. Maker, 2024 | by hand |",
    );
    expect(card).toContain("| `select` | 20 | 0 | 8 | margin 12 |");
  });

  it("refuses sources whose licences cannot be combined", () => {
    const other = { ...source, source: "b", id: "ODbL-1.0" };
    const mine = { ...source, id: "CC-BY-SA-4.0" };
    expect(() => hubCard(input(8, { sources: [mine, other] }))).toThrow(/cannot be in one dataset/);
  });

  it("takes nothing in a source's text as markup", () => {
    const hostile = {
      ...source,
      title: "a | b\n# <script>alert(1)</script> [x](y) `c`",
      citation: "--- *x* _y_ ![i](http://e)",
    };
    const card = hubCard(input(8, { sources: [hostile] }));
    expect(card).not.toContain("<script>");
    const row = card.split("\n").find((line) => line.startsWith("| `planets`"))!;
    expect(row.split(/(?<!\\)\|/)).toHaveLength(10);
    expect(card).not.toContain("![i]");
    expect(frontMatter(card).license).toBe("cc-by-4.0");
  });

  it("is the same each time and holds no path", () => {
    expect(hubCard(input(8))).toBe(hubCard(input(8)));
    expect(hubCard(input(8))).not.toMatch(/\/(home|work|tmp|root)\//);
  });
});

describe("Hub features", () => {
  it("write lists and structs as the Hub does", () => {
    const pool = definePool("p", "", {
      a: open(list(text), ""),
      b: open(list(struct({ role: text, n: float64 })), ""),
      c: open(struct({ yes: bool, deep: list(list(text)) }), ""),
    });
    expect(hubFeatures(pool)).toEqual([
      { name: "a", list: "string" },
      {
        name: "b",
        list: [
          { name: "role", dtype: "string" },
          { name: "n", dtype: "float64" },
        ],
      },
      {
        name: "c",
        struct: [
          { name: "yes", dtype: "bool" },
          { name: "deep", list: { list: "string" } },
        ],
      },
    ]);
  });
});

describe("features of what may be null", () => {
  it("are those of what is there", () => {
    const pool = definePool("p", "p", {
      maybe: open(nullable(struct({ ids: list(nullable(float64)), why: nullable(text) })), ""),
      many: open(nullable(list(nullable(text))), ""),
    });
    expect(hubFeatures(pool)).toEqual([
      {
        name: "maybe",
        struct: [
          { name: "ids", list: "float64" },
          { name: "why", dtype: "string" },
        ],
      },
      { name: "many", list: "string" },
    ]);
  });
});

describe("docs/datasets.md", () => {
  it("describes every column as the schema does", () => {
    const docs = readFileSync(new URL("../../docs/datasets.md", import.meta.url), "utf8");
    for (const pool of [...POOLS, trajectoriesPool, problemsPool]) {
      for (const [name, { about, hidden }] of Object.entries(pool.columns)) {
        expect(docs).toMatch(
          new RegExp(`\\| \`${name}\`${hidden ? " \\*hidden\\*" : ""} \\| \`[^|]+\` \\| `),
        );
        expect(docs).toContain(`| ${about} |`);
      }
    }
  });
});
