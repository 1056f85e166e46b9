/**
 * What a report costs at 100,000 tasks: the rows of a finished dataset again and again, each under an id and an entity name of its
 * own, with as many rejections. Leakage, which the audit measures, is left out. Figures are CPU time. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/report.js [dataset] [tasks]`
 */

import { builtins } from "../pipeline/builtins.js";
import type { Facts } from "../pipeline/facts.js";
import { readManifest } from "../pipeline/manifest-file.js";
import { gather } from "../pipeline/report/gather.js";
import { page } from "../pipeline/report/page.js";
import { tasksOf } from "../pipeline/tasks.js";
import { reloadSources } from "../pipeline/verify/sources.js";
import type { RejectedItem, Row } from "../stages/stage.js";

const DATASET = process.argv[2] ?? "runs/astro";
const MOST = Number(process.argv[3] ?? 100_000);

interface Selected extends Row {
  readonly selection?: { readonly entity: { readonly name: string; readonly key: string } };
}

const manifest = await readManifest(DATASET);
const { reloaded } = await reloadSources(DATASET, manifest, builtins().adapters);
const cards = new Map([...reloaded!.catalog.tables.values()].map(({ id, card }) => [id, card]));
const base: Selected[] = [];
for await (const row of tasksOf(DATASET)) base.push(row);

function repeated(tasks: number): Row[] {
  return Array.from({ length: tasks }, (_, i): Row => {
    const row = base[i % base.length]!;
    const id = i.toString(16).padStart(16, "0");
    if (row.selection === undefined) return { ...row, id };
    const { entity } = row.selection;
    const name = `${entity.name} ${i % 30_000}`;
    return { ...row, id, selection: { ...row.selection, entity: { ...entity, name } } };
  });
}

const REASONS = ["margin", "tie", "over_share"];

function factsOf(rows: readonly Row[]): Facts {
  const rejected = Object.fromEntries(REASONS.map((reason) => [reason, rows.length / REASONS.length]));
  const balance = { ...manifest.stages.find(({ stage }) => stage === "balance")!, rejected };
  return {
    manifest: { ...manifest, stages: [balance], accepted: rows.length },
    cards,
    ingest: [],
    reasons: new Map(),
    async *rejections(): AsyncIterable<RejectedItem> {
      for (let i = 0; i < rows.length; i++) {
        const evidence = {
          property: "entity",
          value: `e${i % 5000}`,
          share: 0.01,
          admitted: 3,
          gap: i,
          required: 1e6,
        };
        yield { ref: `r${i}`, reason: REASONS[i % REASONS.length]!, evidence };
      }
    },
    rows: async () => rows,
    gates: [],
    passed: async () => [],
  };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

for (const tasks of [MOST / 10, MOST]) {
  const rows = repeated(tasks);
  const facts = factsOf(rows);
  const heap = process.memoryUsage().heapUsed;
  const start = cpu();
  const report = await gather(facts);
  const gathered = cpu();
  const grown = process.memoryUsage().heapUsed - heap;
  const html = await page(report);
  const drawn = cpu();
  const seconds = (micros: number): string => (micros / 1e6).toFixed(2);
  console.log(
    `${tasks} tasks: gathered in ${seconds(gathered - start)} s (heap grew by ${Math.round(grown / 1e6)} MB), drawn in ${seconds(drawn - gathered)} s; report.json ${JSON.stringify(report).length} bytes, report.html ${html.length} characters`,
  );
}
reloaded!.database.close();
