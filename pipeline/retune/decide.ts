import { dropRule, rightsNeeded } from "../../verifiers/drop-rule.js";
import type { JudgedEntries } from "../audit/calls.js";
import type { Dataset, Entry } from "../audit/dataset.js";
import type { TableTask } from "../audit/rows.js";
import { marginOf } from "../audit/selection.js";
import { fail } from "../base/errors.js";
import { type Changes, type Fate, IN, open, out } from "./changes.js";
import { gradesOf, isGraded, withTolerance } from "./grades.js";
import { decideProbe, type ProbeRule } from "./probe.js";
import type { GatedRow } from "./rows.js";

/** `compute` refuses a task when a wrong answer comes this close, in tolerances. */
const WRONG_WITHIN = 3;

/** What becomes of rows under changed thresholds, by kept evidence alone. */
export class Decider {
  constructor(
    private readonly dataset: Dataset,
    private readonly judged: JudgedEntries,
    private readonly changes: Changes,
  ) {}

  fateOf(row: GatedRow): Fate {
    const { task } = row.question;
    const before = task === undefined ? IN : this.ofTask(task);
    if (before.fate !== "in") return before;
    let doubt: Fate | undefined;
    for (const [i, entry] of row.entries.entries()) {
      const fate = this.atGate(entry, row);
      if (fate.fate === "out") return fate;
      if (fate.fate === "open") doubt ??= fate;
      else if (entry.status === "rejected") {
        const unseen = this.behind(entry, row.entries.slice(i + 1));
        if (unseen !== undefined) doubt ??= open(`it was never at ${unseen}`);
      }
    }
    return doubt ?? IN;
  }

  /** Margin and tolerance, as `select` and `compute` judge by them. */
  private ofTask(task: TableTask): Fate {
    const { margin, tolerance } = this.changes;
    if (margin !== undefined && marginOf(task, this.dataset) < margin)
      return out("closer to its rival than the margin");
    const { value, tolerance: own } = task.answer;
    if (tolerance === undefined || own === 0) return IN;
    const close = task.wrong_answers.some(
      (w) => Math.abs(w.value - value) <= WRONG_WITHIN * tolerance * Math.abs(value),
    );
    return close ? out("a wrong answer lies within three tolerances") : IN;
  }

  private atGate(entry: Entry, row: GatedRow): Fate {
    if (entry.gate === "closed_book") return this.atProbe(entry, row);
    if (entry.gate === "solve") return this.atSolve(entry, row);
    return entry.status === "rejected" ? out(entry.reason.replaceAll("_", " ")) : IN;
  }

  private atProbe(entry: Entry, { question }: GatedRow): Fate {
    const judged = this.judged.get(entry);
    if (judged === undefined || judged.length === 0) return IN;
    const { tolerance } = this.changes;
    const samples = gradesOf(judged, withTolerance(question, tolerance), tolerance !== undefined);
    return decideProbe(samples, this.ruleOf(entry));
  }

  /** @throws TaskmillError (usage) for a rule that no row could meet */
  private ruleOf({ instance, evidence }: Entry): ProbeRule {
    const stage = this.dataset.manifest.stages.find(({ id }) => id === instance);
    const params = (stage?.params ?? {}) as {
      readonly k?: unknown;
      readonly drop?: unknown;
      readonly roles?: unknown;
    };
    const own = dropRule.safeParse(params.drop);
    const k = this.changes.k ?? (typeof params.k === "number" ? params.k : (evidence.probe?.k ?? 1));
    const drop = this.changes.drop ?? (own.success ? own.data : "any");
    const need = rightsNeeded(drop, k);
    if (need > k)
      fail(
        "usage",
        "impossible_drop",
        `no row has ${need} right samples of ${k}`,
        "raise --k or lower --drop",
      );
    const roles = Array.isArray(params.roles) ? params.roles.map(String) : [];
    return { k, drop, roles };
  }

  private atSolve(entry: Entry, { question }: GatedRow): Fate {
    const { tolerance } = this.changes;
    const { solve } = entry.evidence;
    const judged = this.judged.get(entry);
    const as = entry.status === "rejected" ? out(entry.reason.replaceAll("_", " ")) : IN;
    // Without another tolerance the same replies are graded the same.
    if (solve === undefined || judged === undefined || tolerance === undefined) return as;
    if (entry.reason === "derivation_unsound") return as;
    const graded = gradesOf(judged, withTolerance(question, tolerance), true).filter(isGraded);
    if (graded.some(({ outcome }) => outcome === "wrong")) return out("a solve differs from the reference");
    return graded.length < solve.n && entry.status === "rejected"
      ? open(`${graded.length} of ${solve.n} solves are graded`)
      : IN;
  }

  /** The first gate behind the one that turned a row away, if it did not see the row. */
  private behind({ instance }: Entry, seen: readonly Entry[]): string | undefined {
    const { stages } = this.dataset.manifest;
    const gates = new Set(this.dataset.entries.map((e) => e.instance));
    const reached = new Set([instance]);
    for (const { id, from } of stages) {
      if (!from.some((f) => reached.has(f))) continue;
      reached.add(id);
      if (gates.has(id) && !seen.some((e) => e.instance === id)) return id;
    }
    return undefined;
  }
}
