import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/base/canonical.js";
import { defineSource, explain, type RawBatch, run, verify } from "../../pipeline/index.js";
import { tasksOf } from "../../pipeline/tasks.js";

const dir = mkdtempSync(join(tmpdir(), "taskmill-plugin-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Blocks of `name = value` lines, apart by blank lines: a format that no built-in adapter reads. */
const blocks = defineSource({
  name: "blocks",
  async *read({ snapshot, options, wanted }): AsyncGenerator<RawBatch> {
    const parts: Uint8Array[] = [];
    for await (const chunk of snapshot.bytes()) parts.push(chunk);
    const separator = String(options.options.separator ?? "=");
    const records = Buffer.concat(parts)
      .toString("utf8")
      .trim()
      .split(/\n\n+/)
      .map((block, i) => {
        const fields = new Map(
          block.split("\n").map((line) => line.split(separator).map((s) => s.trim()) as [string, string]),
        );
        return { record: i + 1, fields: wanted.map((name) => fields.get(name) ?? null) };
      });
    yield { records, turnedAway: [] };
  },
});

const text = ["Ada,12.5,3.1", "Bob,40.25,2.2", "Cyd,7.75,5.9", "Dot,99.5,4.4"]
  .map((row) => row.split(",") as [string, string, string])
  .map(([name, mass, radius]) => `name: ${name}\nmass: ${mass}\nradius: ${radius}`)
  .join("\n\n");
writeFileSync(join(dir, "bodies.txt"), text);
writeFileSync(
  join(dir, "card.yaml"),
  `card: 1
id: bodies
title: Bodies
domain: test
entity: { singular: body, plural: bodies, public: true }
key: name
name: name
licence: { id: CC0-1.0 }
citation: made for a test
publisher: { name: Nobody, hosts: [example.org] }
provenance: made for a test
as_of: "2026"
snapshot:
  file: bodies.txt
  sha256: ${sha256(text)}
  read: { format: plugin, adapter: blocks, options: { separator: ":" } }
complete: [{ total: 4, source: by construction }]
columns:
  name: { from: name, type: text, scale: nominal }
  mass: { from: mass, type: number, scale: ratio, unit: 10^20 kg, quantity: mass, uncertainty: { rounding: true }, may: [filter, select, compute], phrase: { noun: mass, article: a } }
  radius: { from: radius, type: number, scale: ratio, unit: 10^3 km, quantity: mean_radius, uncertainty: { relative: 0.001 }, may: [filter, select, compute], phrase: { noun: mean radius, article: a } }
`,
);
const config = {
  name: "own",
  seed: 1,
  sources: [join(dir, "card.yaml")],
  stages: {
    recipes: {
      recipes: [
        {
          id: "heaviest",
          table: "bodies",
          select: { column: "mass", order: "max" },
          compute: { formula: "surface_area", inputs: { radius: "radius" } },
        },
      ],
    },
  },
};

describe("a source adapter of the user's own", () => {
  it("feeds a run, verify and explain", async () => {
    const out = join(dir, "out");
    await run(config, { outDir: out, adapters: [blocks] });
    const rows = [];
    for await (const row of tasksOf(out)) rows.push(row);
    expect(rows.map((r) => (r.selection as { entity: { name: string } }).entity.name)).toEqual(["Dot"]);
    expect((await verify(out, { adapters: [blocks] })).findings).toEqual([]);
    const explained = await explain(out, rows[0]!.id, { adapters: [blocks] });
    expect(explained).toMatchObject({
      kind: "accepted",
      sources: [{ key: "Dot", record: 4, cells: { mass: ["99.5"], radius: ["4.4"] } }],
    });
  });

  it("is missed by name when it is not given", async () => {
    await expect(run(config, { outDir: join(dir, "none") })).rejects.toMatchObject({
      problems: [{ code: "unknown_adapter" }],
    });
  });
});
