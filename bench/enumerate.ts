/**
 * How many distinct programs a second enumeration draws and judges on one core, over a generated table of 12 number and 4 text columns
 * under conjunctions that leave from 10 rows to half of them; what the checks on survivors cost beside it; whether 2,000 kept
 * programs agree with DuckDB and as many refused ones with the slow reading; and what one DuckDB query a program costs in the same
 * run. docs/speed.md says what is counted. Usage: `npm run bench -- [rows] [seconds]`
 */

import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { stream } from "../pipeline/base/random.js";
import { type Card, cardSchema } from "../sources/card.js";
import { loadCatalog } from "../sources/catalog.js";
import { type Database, openDatabase } from "../sources/duckdb.js";
import { loadSource } from "../sources/load.js";
import { fileSha256 } from "../sources/snapshot.js";
import type { Catalog } from "../sources/table.js";
import { Judge, type Limits } from "../stages/enumerate/judge.js";
import { filterLimits } from "../stages/filter.js";
import { type Formula, formulaSchema } from "../stages/formulas/formula.js";
import { evaluate } from "../stages/formulas/typescript.js";
import { computeLimits } from "../stages/program/assess.js";
import { chooseLimits } from "../stages/program/choose.js";
import { type DrawnScene, drawMember, drawScene, type Member } from "../stages/program/draw.js";
import { programOf } from "../stages/program/drawn-program.js";
import { answerByDuckDB } from "../stages/program/duckdb.js";
import type { Program } from "../stages/program/program.js";
import { select } from "../stages/program/selection.js";
import { type OpenSpace, openSpace, spaceSchema } from "../stages/program/space.js";
import { indexOf } from "../stages/program/table-index.js";
import { LEAST_CARD } from "../test/fixtures/least-card.js";

const ROWS = Number(process.argv[2] ?? 100_000);
const SECONDS = Number(process.argv[3] ?? 5);
const NUMBERS = 12;
/** Number of values of each text column. */
const TEXTS = [3, 12, 60, 400];
const AGREEING = 2_000;
const QUERIES = 200;

/** Independent columns of several shapes; every fourth follows the one before it, as columns of real tables do. */
function* lines(): Generator<string> {
  const random = stream("bench", "table");
  yield `id,${Array.from({ length: NUMBERS }, (_, c) => `n${c}`)},${TEXTS.map((_, c) => `t${c}`)}\n`;
  for (let row = 0; row < ROWS; row++) {
    const numbers: number[] = [];
    for (let c = 0; c < NUMBERS; c++) {
      const fine = random.next() + random.next() / 4294967296;
      const before = numbers[c - 1] ?? 1;
      if (c % 4 === 0) numbers.push(1 + fine * 999);
      else if (c % 4 === 1) numbers.push(Math.exp(12 * fine - 6));
      else if (c % 4 === 2) numbers.push(1e6 / (1 + 1000 * fine));
      else numbers.push(before ** 1.5 * (0.5 + fine));
    }
    const texts = TEXTS.map((size) => `v${random.int(size)}`);
    yield `k${String(row).padStart(8, "0")},${numbers.map((n) => n.toPrecision(12))},${texts}\n`;
  }
}

function cardFor(sha256: string): Card {
  const number = (id: string) => ({
    from: id,
    type: "number" as const,
    scale: "ratio" as const,
    unit: "kg",
    uncertainty: { rounding: true as const },
    quantity: id,
    may: ["filter" as const, "select" as const, "compute" as const],
  });
  const text = (id: string) => ({
    from: id,
    type: "text" as const,
    scale: "nominal" as const,
    may: ["filter" as const],
  });
  return cardSchema.parse({
    ...LEAST_CARD,
    id: "bench",
    snapshot: { file: "table.csv", sha256, read: { format: "csv" } },
    complete: [{ total: ROWS, source: "by construction" }],
    columns: {
      id: { from: "id", type: "text", scale: "nominal" },
      ...Object.fromEntries(Array.from({ length: NUMBERS }, (_, c) => [`n${c}`, number(`n${c}`)])),
      ...Object.fromEntries(TEXTS.map((_, c) => [`t${c}`, text(`t${c}`)])),
    },
  });
}

/** Ratios and products of neighbouring columns. */
const formulas: ReadonlyMap<string, Formula> = new Map(
  Array.from({ length: NUMBERS }, (_, c) => {
    const input = (q: number) => ({ unit: "kg", quantity: [`n${q % NUMBERS}`], noun: `n${q % NUMBERS}` });
    const formula = formulaSchema.parse({
      id: `f${c}`,
      noun: `figure ${c}`,
      inputs: { a: input(c), b: input(c + 5) },
      expression: c % 2 === 0 ? "a / b" : "sqrt(a * b)",
      output: { unit: c % 2 === 0 ? "1" : "kg", quantity: `figure${c}` },
      source: "made for the benchmark",
    });
    return [formula.id, formula] as const;
  }),
);

const limits: Limits = {
  filter: filterLimits.parse({ min_candidates: 10 }),
  select: chooseLimits.parse({}),
  compute: computeLimits.parse({}),
};

/** A kept or refused program, for comparing. */
interface Judged {
  readonly program: Program;
  readonly row: number;
  readonly reason: string | undefined;
}

interface Figures {
  programs: number;
  distinct: number;
  /** Passed conditions, completeness and selection. */
  survivors: number;
  kept: number;
  scenes: number;
  readonly candidates: number[];
  readonly reasons: Map<string, number>;
}

interface Wanted {
  readonly open: OpenSpace;
  readonly members: number;
  readonly thorough: boolean;
  readonly seed: string;
}

/** Processor time of this process, its collector's threads included: what else runs on the machine does not count. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Draws and judges scene after scene until the time is up. */
function drawFor(
  seconds: number,
  { open, members, thorough, seed }: Wanted,
  see?: See,
): Figures & { seconds: number } {
  const judge = new Judge(open, limits);
  const figures: Figures = {
    programs: 0,
    distinct: 0,
    survivors: 0,
    kept: 0,
    scenes: 0,
    candidates: [],
    reasons: new Map(),
  };
  const names: number[] = [];
  let seen = new Set<number>();
  let answers = new Set<number>();
  const start = cpuSeconds();
  while (cpuSeconds() - start < seconds) {
    const random = stream(seed, figures.scenes++);
    const drawn = drawScene(open, random)!;
    // As in a block of the stage.
    if (figures.scenes % 1_000 === 0) {
      seen = new Set();
      answers = new Set();
    }
    if (figures.scenes % 16 === 0) figures.candidates.push(open.scene.count());
    for (let m = 0; m < members; m++) {
      const member = drawMember(open, drawn, m, random);
      if (member === undefined) continue;
      figures.programs++;
      if (seen.has(member.name)) continue;
      seen.add(member.name);
      names.push(member.name);
      let reason = judge.quick(drawn, member);
      if (reason === undefined) {
        figures.survivors++;
        if (thorough) {
          const judged = judge.thorough(drawn, member, answers);
          if ("reason" in judged) reason = judged.reason;
          else figures.kept++;
        }
      }
      if (reason !== undefined) figures.reasons.set(reason, (figures.reasons.get(reason) ?? 0) + 1);
      see?.(drawn, member, reason);
    }
  }
  const spent = cpuSeconds() - start;
  // Those drawn in several blocks count once; counting them is no part of the stage, and no part of the time.
  return { ...figures, distinct: new Set(names).size, seconds: spent };
}

type See = (drawn: DrawnScene, member: Member, reason: string | undefined) => void;

/** Random kept and random refused programs of the forms that the hot loop decides. */
function sampled(open: OpenSpace): { kept: Judged[]; refused: Judged[] } {
  const random = stream("bench", "sample");
  const kept: Judged[] = [];
  const refused: Judged[] = [];
  for (let round = 0; Math.min(kept.length, refused.length) < AGREEING && round < 100; round++) {
    drawFor(0.2, { open, members: 8, thorough: true, seed: `agree ${round}` }, (drawn, member, reason) => {
      if (member.select === undefined || random.int(16) !== 0) return;
      const { at, order, rank } = member.select;
      const list = reason === undefined ? kept : refused;
      if (list.length < AGREEING)
        list.push({ program: programOf(open, drawn, member), row: open.choice.row(at, order, rank), reason });
    });
  }
  return { kept, refused };
}

/** Kept programs of which DuckDB gives another count, entity or value. */
async function disagreements(kept: readonly Judged[], catalog: Catalog, database: Database): Promise<number> {
  const table = catalog.tables.get("bench")!;
  const index = indexOf(table);
  let wrong = 0;
  for (const { program, row } of kept) {
    const formula = formulas.get(program.compute.formula)!;
    const answer = await answerByDuckDB(database, catalog, { program, formula });
    const inputs = Object.entries(program.compute.inputs).map(([name, { column }]) => {
      const from = table.columns.get(column)!;
      return [name, { value: (from.values as Float64Array)[row]!, unit: from.card.unit! }];
    });
    const value = evaluate(formula, Object.fromEntries(inputs), program.compute.unit);
    const agrees =
      answer.choices.selected === table.keys[row] &&
      answer.choices.candidates === index.holding(program.where).count() &&
      Math.abs(answer.value - value) <= 1e-11 * Math.abs(value);
    if (!agrees) wrong++;
  }
  return wrong;
}

/** Reasons that a selection gives. */
const SELECTING = new Set(["near_threshold", "tie", "margin", "decorative_condition", "uncertain_member"]);

/** Refused programs that the slow reading refuses for another reason, or not. */
function misjudged(refused: readonly Judged[], catalog: Catalog): number {
  const index = indexOf(catalog.tables.get("bench")!);
  return refused.filter(({ program, reason }) => {
    if (reason === "too_few_candidates")
      return index.holding(program.where).count() >= limits.filter.min_candidates;
    const slow = select(index, program.where, program.select!, limits.select);
    const selecting = "reason" in slow ? slow.reason : undefined;
    return SELECTING.has(reason!) ? selecting !== reason : selecting !== undefined;
  }).length;
}

function report(
  what: string,
  { programs, distinct, survivors, kept, scenes, seconds }: ReturnType<typeof drawFor>,
): number {
  const rate = distinct / seconds;
  const repeated = programs - distinct;
  console.log(
    `${what.padEnd(44)} ${Math.round(rate).toLocaleString("en")} distinct programs a second of one core ` +
      `(${distinct.toLocaleString("en")} in ${seconds.toFixed(1)} s, ${scenes.toLocaleString("en")} scenes, ` +
      `${repeated} repeated, ${survivors.toLocaleString("en")} survive${kept > 0 ? `, ${kept.toLocaleString("en")} kept` : ""})`,
  );
  return rate;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

const folder = await mkdtemp(join(tmpdir(), "taskmill-bench-"));
const database = await openDatabase(":memory:", { folders: [folder] });
try {
  const path = join(folder, "table.csv");
  await pipeline(lines, createWriteStream(path));
  await loadSource(cardFor(await fileSha256(path)), path, database);
  const catalog = await loadCatalog(database);
  console.log(
    `table: ${ROWS.toLocaleString("en")} rows, ${NUMBERS} number and ${TEXTS.length} text columns; ${megabytes(process.memoryUsage().rss)} with DuckDB's copy`,
  );
  const at = performance.now();
  const spaceOf = (extra: object): OpenSpace =>
    openSpace(
      spaceSchema.parse({ id: "bench", table: "bench", formulas: [...formulas.keys()], ...extra }),
      catalog,
      formulas,
      limits.select,
    );
  const plain = spaceOf({ hops: 0, compare: 0, aggregates: 0, conditions: [1, 2, 2, 3] });
  console.log(`indexes: ${((performance.now() - at) / 1000).toFixed(1)} s, once a table`);
  const run = (members: number, thorough: boolean) =>
    drawFor(SECONDS, { open: plain, members, thorough, seed: `${members} ${thorough}` });
  // Compiles the loop; not counted.
  drawFor(2, { open: plain, members: 8, thorough: true, seed: "warm" });
  const hot = run(64, false);
  const rate = report("64 programs a scene, checks of the hot loop", hot);
  report("64 programs a scene, compute's checks too", run(64, true));
  report("4 (the default), checks of the hot loop", run(4, false));
  report("4 (the default), compute's checks too", run(4, true));
  const sizes = hot.candidates.sort((a, b) => a - b);
  const quantile = (q: number) => sizes[Math.min(sizes.length - 1, Math.floor(q * sizes.length))]!;
  console.log(
    `candidates left: ${[0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((q) => quantile(q)).join(", ")} (least, tenth, quarter, half, ... most)`,
  );
  console.log(
    `refused for: ${[...hot.reasons]
      .sort(([, a], [, b]) => b - a)
      .map(([r, n]) => `${r} ${n}`)
      .join(", ")}`,
  );
  const { kept, refused } = sampled(plain);
  console.log(
    `${kept.length} kept programs: ${await disagreements(kept, catalog, database)} disagree with DuckDB in candidates, entity or value`,
  );
  console.log(
    `${refused.length} refused programs: ${misjudged(refused, catalog)} are judged otherwise by the slow reading`,
  );
  const queries = kept.slice(0, QUERIES);
  const start = performance.now();
  const before = cpuSeconds();
  for (const { program } of queries)
    await answerByDuckDB(database, catalog, { program, formula: formulas.get(program.compute.formula)! });
  const perQuery = (performance.now() - start) / queries.length;
  const cpuPerQuery = (1000 * (cpuSeconds() - before)) / queries.length;
  console.log(
    `one DuckDB query a program: ${perQuery.toFixed(1)} ms, of all cores ${cpuPerQuery.toFixed(1)} ms; the hot loop takes ` +
      `${((1000 * 1000) / rate).toFixed(1)} µs of one and is ${Math.round((rate * cpuPerQuery) / 1000).toLocaleString("en")} times as fast`,
  );
  console.log(
    `memory: ${megabytes(process.resourceUsage().maxRSS * 1024)} at most, with DuckDB and the names of all programs drawn`,
  );
  const others = (await readdir(fileURLToPath(new URL(".", import.meta.url))))
    .filter((name) => /\.[jt]s$/.test(name) && !name.startsWith("enumerate."))
    .sort();
  console.log(`other benches, each with its usage in its head: ${others.join(", ")}`);
} finally {
  database.close();
  await rm(folder, { recursive: true });
}
