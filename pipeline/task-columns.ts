import { z } from "zod";
import { kindOf } from "../datasets/admission.js";
import type { Card } from "../sources/card.js";
import type { Row } from "../stages/stage.js";

/* Where a task and the cards of its dataset meet: both come out of files, and one may have been changed. */

const entity = z.object({ table: z.string(), key: z.string(), record: z.number() });
const named = z.object({ column: z.string() });

/** As much of a table task as says which cells it rests on. */
const reading = z.object({
  program: z.object({
    table: z.string(),
    derive: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.string()) })).optional(),
    where: z.array(named),
    select: named.optional(),
    follow: z.array(z.union([z.string(), z.object({ peers: z.string(), select: named })])).optional(),
    other: z.object({ where: z.array(named), select: named }).optional(),
  }),
  selection: z
    .object({
      entity,
      via: z.array(entity).optional(),
      followed: entity.optional(),
      other: z.object({ entity }).optional(),
    })
    .optional(),
  aggregate: z.object({ members: z.array(z.object({ key: z.string(), record: z.number() })) }).optional(),
  inputs: z.record(z.string(), z.object({ entity: entity.optional(), column: z.string() })),
});
export type TaskReading = z.infer<typeof reading>;

/** @returns undefined for a row that is no table task */
export function readingOf(row: Row): TaskReading | undefined {
  return kindOf(row) === "table" ? reading.safeParse(row).data : undefined;
}

/** What a column of a program's own table is read from: itself, or what it is derived from. */
export function sourceColumns(
  { derive = {} }: Pick<TaskReading["program"], "derive">,
  column: string,
): readonly string[] {
  return Object.hasOwn(derive, column) ? Object.values(derive[column]!.inputs) : [column];
}

/** What a task reads and its cards have not got, in a sentence; undefined where nothing is missing, or nothing can be told. */
export function missingColumn(row: Row, cards: ReadonlyMap<string, Card>): string | undefined {
  const task = readingOf(row);
  if (task === undefined) return undefined;
  for (const { table, part, name } of readBy(task)) {
    const card = cards.get(table);
    if (card === undefined) return `the dataset has no table ${table}, which task ${row.id} reads`;
    if (!Object.hasOwn(part === "link" ? card.links : card.columns, name))
      return `card ${table} has no ${part} ${name}, which task ${row.id} reads`;
  }
  return undefined;
}

interface Read {
  readonly table: string;
  readonly part: "column" | "link";
  readonly name: string;
}

function readBy({ program, selection, inputs }: TaskReading): Read[] {
  const of = (table: string, columns: readonly string[]): Read[] =>
    columns
      .flatMap((column) => (table === program.table ? sourceColumns(program, column) : [column]))
      .map((name) => ({ table, part: "column", name }));
  const { table, where, select, other, follow = [] } = program;
  const own = [...where, ...(other?.where ?? []), ...[select, other?.select].flatMap((s) => s ?? [])];
  const way = [...(selection?.via ?? []), ...(selection?.followed === undefined ? [] : [selection.followed])];
  const steps = follow.flatMap((step, i): Read[] => {
    const from = i === 0 ? table : way[i - 1]?.table;
    if (from === undefined) return [];
    if (typeof step === "string") return [{ table: from, part: "link", name: step }];
    return of(from, [step.peers, step.select.column]);
  });
  const read = Object.values(inputs).flatMap(({ entity: at, column }) => of(at?.table ?? table, [column]));
  return [
    ...of(
      table,
      own.map(({ column }) => column),
    ),
    ...steps,
    ...read,
  ];
}
