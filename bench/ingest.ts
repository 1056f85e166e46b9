/**
 * How long a well-formed CSV file of 1,000,000 rows and 9 columns takes through a source card, against DuckDB's bare
 * `read_csv` into a table: same process, same kind of database file, several times. Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/ingest.js [rows]`
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sfc32 } from "../pipeline/base/random.js";
import { type Card, cardSchema } from "../sources/card.js";
import { loadCatalog } from "../sources/catalog.js";
import { openDatabase } from "../sources/duckdb.js";
import { loadSource } from "../sources/load.js";
import { fileSha256 } from "../sources/snapshot.js";
import { LEAST_CARD } from "../test/fixtures/least-card.js";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;

async function writeTable(path: string): Promise<void> {
  const random = sfc32(1, 2, 3, 4);
  const file = createWriteStream(path);
  let text = "id,name,mass,radius,period,temperature,count,class,note\n";
  for (let i = 0; i < ROWS; i++) {
    const cells = [
      `K${i}`,
      `Object number ${i}`,
      (random.next() * 1000).toFixed(3),
      (random.next() * 10).toFixed(2),
      (random.next() * 1e5).toExponential(4),
      String(random.int(4000) - 200),
      String(random.int(100)),
      random.pick(["A", "B", "C", "D"]),
      `"free, text ${random.int(97)}"`,
    ];
    text += `${cells.join(",")}\n`;
    if (text.length < 1 << 20) continue;
    if (!file.write(text)) await once(file, "drain");
    text = "";
  }
  file.end(text);
  await once(file, "finish");
}

function cardFor(sha256: string): Card {
  const number = (from: string, unit: string) => ({
    from,
    type: "number" as const,
    scale: "ratio" as const,
    unit,
    uncertainty: { rounding: true as const },
  });
  const text = (from: string) => ({ from, type: "text" as const, scale: "nominal" as const });
  return cardSchema.parse({
    ...LEAST_CARD,
    name: "name",
    snapshot: { file: "table.csv", sha256, read: { format: "csv" } },
    columns: {
      id: text("id"),
      name: text("name"),
      mass: number("mass", "kg"),
      radius: { ...number("radius", "km"), range: [0, 100] },
      period: number("period", "d"),
      temperature: number("temperature", "K"),
      count: { from: "count", type: "integer", scale: "exact", unit: "1" },
      class: text("class"),
      note: text("note"),
    },
  });
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const folder = await mkdtemp(join(tmpdir(), "taskmill-bench-"));
try {
  const path = join(folder, "table.csv");
  await writeTable(path);
  const card = cardFor(await fileSha256(path));
  const times = { bare: [] as number[], card: [] as number[], catalog: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await openDatabase(join(folder, `bare-${round}.duckdb`), { folders: [folder] });
    times.bare.push(await timed(() => bare.run("CREATE TABLE bare AS SELECT * FROM read_csv($1)", [path])));
    bare.close();
    const store = await openDatabase(join(folder, `card-${round}.duckdb`), { folders: [folder] });
    times.card.push(await timed(async () => void (await loadSource(card, path, store))));
    times.catalog.push(await timed(async () => void (await loadCatalog(store))));
    store.close();
  }
  const median = (list: readonly number[]): number =>
    [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
  for (const [what, list] of Object.entries(times)) {
    console.log(
      `${what.padEnd(8)} ${list.map((t) => t.toFixed(0)).join(" ")} ms, median ${median(list).toFixed(0)} ms`,
    );
  }
  console.log(`ratio card / bare: ${(median(times.card) / median(times.bare)).toFixed(2)} (at most 4)`);
} finally {
  await rm(folder, { recursive: true });
}
