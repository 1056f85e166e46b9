import type { z } from "zod";
import type {
  Batch,
  Outcome,
  RejectedItem,
  Row,
  RowStage,
  SetStage,
  SourceStage,
  Stage,
} from "../stages/stage.js";
import { canonicalJson } from "./base/canonical.js";
import { TaskmillError } from "./base/errors.js";
import type { Counts } from "./events.js";
import { RowError } from "./executor.js";
import { diskProblem } from "./fs.js";
import { type Written, write } from "./written.js";

/** A stage instance by its two names. */
export interface Named {
  readonly id: string;
  readonly stage: Stage;
}

function broken(node: Named, code: string, message: string, cause?: unknown): never {
  const name = node.id === node.stage.kind ? `stage ${node.id}` : `stage ${node.id} (${node.stage.kind})`;
  throw new TaskmillError(
    "internal",
    [
      {
        code,
        message: `${name} ${message}`,
        hint: "this is a fault of the stage, not of the config; nothing of this call was kept",
      },
    ],
    { cause },
  );
}

/** Turns what a stage threw into an error that names stage and row; a stage's own {@link TaskmillError}s keep their kind. */
export function stageFailure(node: Named, error: unknown): never {
  const cause = error instanceof RowError ? error.cause : error;
  const where = error instanceof RowError ? ` on row ${error.row.id}` : "";
  const known = diskProblem(cause, "the run directory");
  if (known !== undefined) throw known;
  broken(
    node,
    "stage_failed",
    `failed${where}: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  );
}

/** The schema that a row last passed: the same one need not look at it again. */
const passed = new WeakMap<Row, z.ZodType>();

function matches(row: Row, schema: z.ZodType): string | undefined {
  if (passed.get(row) === schema) return undefined;
  const result = schema.safeParse(row);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    return `${issue.path.join(".") || "row"}: ${issue.message}`;
  }
  passed.set(row, schema);
  return undefined;
}

/** Checks that rows are what the stage takes. */
export function checkInput(node: Named & { stage: RowStage | SetStage }, rows: readonly Row[]): void {
  for (const row of rows) {
    const wrong = matches(row, node.stage.input);
    if (wrong !== undefined)
      broken(node, "wrong_input", `was given row ${row.id} that it does not take: ${wrong}`);
  }
}

/**
 * Checks a row that came out and writes it down. What goes on is the row read back from its text, so that a resumed run
 * sees the same values (no `undefined`, no -0) as one that never stopped.
 */
export function checkOutput(node: Named & { stage: RowStage | SetStage | SourceStage }, row: Row): Written {
  if (typeof row !== "object" || row === null || typeof row.id !== "string" || row.id === "") {
    broken(node, "row_without_id", "gave a row without an id");
  }
  let written: Written;
  try {
    written = write(row);
  } catch (cause) {
    broken(node, "not_json", `gave row ${row.id} with a value that JSON cannot hold`, cause);
  }
  const wrong = matches(written.row, node.stage.output);
  if (wrong !== undefined)
    broken(node, "wrong_output", `gave row ${row.id} that does not fit its output: ${wrong}`);
  return written;
}

/** Checks the reason and writes the rejection down. */
export function checkRejection(node: Named, item: RejectedItem): string {
  if (!Object.hasOwn(node.stage.reasons, item.reason)) {
    broken(
      node,
      "undeclared_reason",
      `rejected ${item.ref} for the undeclared reason ${JSON.stringify(item.reason)}`,
    );
  }
  try {
    return canonicalJson({ ref: item.ref, reason: item.reason, evidence: item.evidence });
  } catch (cause) {
    broken(node, "not_json", `rejected ${item.ref} with evidence that JSON cannot hold`, cause);
  }
}

/** Checks that a row stage's answer is an outcome at all (plug-ins may be plain JavaScript). */
export function checkOutcome(node: Named, row: Row, outcome: Outcome<Row>): void {
  const has = (key: string) => typeof outcome === "object" && outcome !== null && key in outcome;
  if (has("out") !== has("reject")) return;
  broken(node, "no_outcome", `neither accepted nor rejected row ${row.id}`);
}

/** Conservation: in + created = out + Σ rejected, for the call of a source or set stage. */
export function countsOf(node: Named, inputs: readonly Row[], batch: Batch<Row>): Counts {
  const rejected = rejectedCounts(node, batch);
  const gone = total(rejected);
  if (node.stage.gives === "pools") return countsOfPools(node, inputs, rejected, gone);
  const out = batch.out.length;
  const created = batch.created ?? (node.stage.mode === "source" ? out + gone : 0);
  if (!Number.isInteger(created) || created < 0 || inputs.length + created !== out + gone) {
    broken(
      node,
      "not_conserved",
      `does not add up: ${inputs.length} in + ${created} created, but ${out} out + ${gone} rejected`,
    );
  }
  checkIds(node, inputs, batch, created);
  return { in: inputs.length, created, out, rejected };
}

/** Files come out of `emit`, not rows: what it did not reject it has written. */
function countsOfPools(
  node: Named,
  inputs: readonly Row[],
  rejected: Record<string, number>,
  gone: number,
): Counts {
  const out = inputs.length - gone;
  if (out < 0) broken(node, "not_conserved", `rejected ${gone} of ${inputs.length} rows`);
  return { in: inputs.length, created: 0, out, rejected };
}

function rejectedCounts(
  node: Named,
  { rejected, rejectedCounts: declared }: Batch<Row>,
): Record<string, number> {
  const listed = tally(rejected.map((item) => item.reason));
  if (declared === undefined) return listed;
  for (const [reason, count] of Object.entries(declared)) {
    if (!Object.hasOwn(node.stage.reasons, reason)) {
      broken(node, "undeclared_reason", `counts the undeclared reason ${JSON.stringify(reason)}`);
    }
    if (!Number.isInteger(count) || count < (listed[reason] ?? 0)) {
      broken(node, "not_conserved", `counts ${count} as ${reason} but lists ${listed[reason] ?? 0}`);
    }
  }
  const missing = Object.keys(listed).find((reason) => !Object.hasOwn(declared, reason));
  if (missing !== undefined)
    broken(node, "not_conserved", `lists rejections as ${missing} but does not count them`);
  return sorted(declared);
}

/** Numbers that add up may still hide a row lost and another one doubled. The same task may well come in twice, though. */
function checkIds(node: Named, inputs: readonly Row[], batch: Batch<Row>, created: number): void {
  if (node.stage.mode !== "set" || created > 0) return;
  const open = new Map<string, number>();
  for (const { id } of inputs) open.set(id, (open.get(id) ?? 0) + 1);
  for (const id of [...batch.out.map((row) => row.id), ...batch.rejected.map((item) => String(item.ref))]) {
    const left = (open.get(id) ?? 0) - 1;
    if (left < 0) broken(node, "not_conserved", `ended row ${id} more often than it came in`);
    open.set(id, left);
  }
}

/** Counts of texts, keys in code-unit order. */
export function tally(items: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Sum of counts. */
export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

/** Adds up the counts of several calls. */
export function addCounts(all: readonly Counts[]): Counts {
  const rejected: Record<string, number> = {};
  const sum = { in: 0, created: 0, out: 0 };
  for (const counts of all) {
    sum.in += counts.in;
    sum.created += counts.created;
    sum.out += counts.out;
    for (const [reason, n] of Object.entries(counts.rejected)) rejected[reason] = (rejected[reason] ?? 0) + n;
  }
  return { ...sum, rejected: sorted(rejected) };
}
