import { z } from "zod";
import { blindGuess } from "../../verifiers/chance.js";
import { clusteredWilson } from "../../verifiers/clusters.js";
import { compareText } from "../base/canonical.js";
import { rowStage, type Stages } from "./bench.js";
import type { Dataset } from "./dataset.js";
import { isAnswer, type Question } from "./rows.js";
import { percent, type Shortcut, tested } from "./shortcut.js";

/** What answers without knowledge of the entity get right. */
export interface Priors {
  readonly guesses: readonly { readonly how: string; readonly tasks: number; readonly right: number }[];
}

const TEST = "each answer compared with what a solver would say who knows the tables only roughly";
const MODAL = "the formula's most frequent answer among the other tasks";
const BLIND = "one blind guess among the choices (expected number right)";

const guessed = z.object({
  probe: z.object({ guesses: z.array(z.object({ how: z.string(), value: z.number() })).optional() }),
});

/** The stage `probe` works out naive guesses beside its samples; with no model at hand it does nothing else. */
const ASKING_NOBODY = { roles: ["nobody"], k: 1, plant: false };

export async function priorsOf(
  dataset: Dataset,
  stages: Stages,
): Promise<{ shortcut: Shortcut; priors: Priors | null }> {
  const probe = rowStage("probe", ASKING_NOBODY, dataset, stages);
  const tasks = probe === undefined ? [] : dataset.tasks.filter(({ task }) => task !== undefined);
  const choices = dataset.tasks.filter(({ expected }) => blindGuess(expected) > 0);
  const tally = new Tally();
  for (const { id, row, task } of tasks) {
    const outcome = await probe!(row);
    const parsed = "out" in outcome ? guessed.safeParse(outcome.out) : undefined;
    for (const { how, value } of parsed?.data?.probe.guesses ?? [])
      tally.note(how, id, isAnswer(value, task!));
  }
  for (const [id, right] of modalGuesses(tasks)) tally.note(MODAL, id, right);
  const lucky = tally.lucky.size;
  const blind = choices.reduce((sum, { expected }) => sum + blindGuess(expected), 0);
  const trials = tasks.map(({ id, entity }) => ({ cluster: entity, success: tally.lucky.has(id) }));
  const said = [
    tasks.length === 0
      ? []
      : [`some guess is right for ${percent(lucky / tasks.length)} (${lucky} of ${tasks.length})`],
    choices.length === 0 ? [] : [`blind choice for ${percent(blind / choices.length)} of ${choices.length}`],
  ].flat();
  const shortcut = tested("priors", dataset.tasks.length, {
    test: TEST,
    tested: tasks.length + choices.length,
    untested:
      probe === undefined
        ? "no stage `probe` is at hand to work out guesses"
        : "problems without choices have nothing to guess from",
    open: lucky,
    result: said.join("; "),
    rate: tasks.length === 0 ? null : clusteredWilson(trials),
    removed: null,
    reach:
      "A solver has one guess, so what it gains is the largest single share below, not their sum. Guesses that need knowledge of one's own are recall.",
  });
  if (shortcut.status === "not_run") return { shortcut, priors: null };
  if (choices.length > 0) tally.counts.set(BLIND, { tasks: choices.length, right: Math.round(blind) });
  const guesses = [...tally.counts]
    .sort(([a], [b]) => compareText(a, b))
    .map(([how, count]) => ({ how, ...count }));
  return { shortcut, priors: { guesses } };
}

class Tally {
  readonly counts = new Map<string, { tasks: number; right: number }>();
  /** Tasks that some guess gets right. */
  readonly lucky = new Set<string>();

  note(how: string, id: string, right: boolean): void {
    const { tasks, right: before } = this.counts.get(how) ?? { tasks: 0, right: 0 };
    this.counts.set(how, { tasks: tasks + 1, right: before + (right ? 1 : 0) });
    if (right) this.lucky.add(id);
  }
}

/** For each task that shares its table and formula with others: whether their most frequent answer would be right for it. */
function modalGuesses(tasks: readonly Question[]): [id: string, right: boolean][] {
  const groups = new Map<string, Question[]>();
  for (const task of tasks) {
    const group = `${task.table}/${task.formula}`;
    const of = groups.get(group);
    if (of === undefined) groups.set(group, [task]);
    else of.push(task);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < 2 ? [] : group.map((q): [string, boolean] => [q.id, isAnswer(modal(group, q), q.task!)]),
  );
}

/** The most frequent answer of the others; of several the smallest. */
function modal(group: readonly Question[], but: Question): number {
  const counts = new Map<number, number>();
  for (const q of group)
    if (q !== but) counts.set(q.task!.answer.value, (counts.get(q.task!.answer.value) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || a - b)[0]![0];
}
