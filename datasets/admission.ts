/** Which rows may enter the RL pool, and why the others may not. */

export interface Gate {
  readonly gate: string;
  readonly status: "passed" | "failed" | "not_run";
  readonly why: string;
}

/** The gates on the way to the RL pool, in order. */
export const GATES = [
  "twice_computed",
  "lint",
  "contamination",
  "round_trip",
  "closed_book",
  "solve",
  "admission",
] as const;
export type GateName = (typeof GATES)[number];

/** What each gate asks, for people. */
export const GATE_MEANINGS: Readonly<Record<GateName, string>> = {
  twice_computed: "two evaluators agree on the answer",
  lint: "the question states every condition and leaks nothing",
  contamination: "no text of the benchmarks that the config names is in it",
  closed_book: "a model without tools does not know the answer",
  round_trip: "a second model reads the question back into the same program",
  solve: "a model given the candidate rows finds the answer",
  admission: "attempts by a model succeed sometimes, but not always",
};

/** Said of a gate that nobody met; a stage that met one and could not run it gives a reason of its own. */
const NO_STAGE = "no stage of this run decides it";

/** Gates about programs, which a user's own problems have not got: nothing computed their answers, no program worded them. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(["twice_computed", "lint", "round_trip"]);

/** Whether a gate is about programs, and so never about a user's own problem. */
export function isOfPrograms(gate: string): boolean {
  return OF_PROGRAMS.has(gate);
}

/** What a row is: a task made from a table, or a user's own problem. */
export type RowKind = "table" | "problem";

/** The kind of a row by its fields. */
export function kindOf(row: object): RowKind {
  return "problem" in row ? "problem" : "table";
}

/** Adds the gates that a row of this kind has not met, as `not_run`, behind those that it has. */
export function completeGates(gates: readonly Gate[], kind: RowKind = "table"): Gate[] {
  const asked = kind === "table" ? GATES : GATES.filter((name) => !isOfPrograms(name));
  const missing = asked.filter((name) => !gates.some(({ gate }) => gate === name));
  return [...gates, ...missing.map(notRun)];
}

/** The inverse of {@link completeGates}. */
export function metGates(gates: readonly Gate[]): Gate[] {
  return gates.filter(({ status, why }) => status !== "not_run" || why !== NO_STAGE);
}

function notRun(gate: GateName): Gate {
  return { gate, status: "not_run", why: NO_STAGE };
}

/**
 * Whether a row with these gates (complete) may enter: every gate passed, or did not run and is named in `unscreened`.
 * @returns undefined if so; else the first gate in the way, as `<gate>:<status>`.
 */
export function barrier(gates: readonly Gate[], unscreened: readonly string[]): string | undefined {
  const stop = gates.find(
    ({ gate, status }) => status === "failed" || (status === "not_run" && !unscreened.includes(gate)),
  );
  return stop === undefined ? undefined : `${stop.gate}:${stop.status}`;
}
