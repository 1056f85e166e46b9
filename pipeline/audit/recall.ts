import { type ClusteredRate, clusteredWilson } from "../../verifiers/clusters.js";
import { dropRule, knownBy, rightsNeeded } from "../../verifiers/drop-rule.js";
import { wilson } from "../../verifiers/intervals.js";
import { type Draws, hitRate, missProbability } from "../../verifiers/recall.js";
import type { Judged, JudgedEntries } from "./calls.js";
import { type Dataset, type Entry, entriesOf } from "./dataset.js";
import type { ProbeRecord } from "./evidence.js";
import { fameIn } from "./fame.js";
import type { AuditFinding } from "./finding.js";
import { type GroupRate, ratesBy } from "./groups.js";
import { notRun, percent, rateText, rows, type Shortcut, tested } from "./shortcut.js";

/** What models answered from memory. */
export interface Recall {
  readonly k: number;
  readonly drop: string;
  readonly roles: readonly RoleRecall[];
  /** Rows that any role knew, by group, of the rows that were probed. */
  readonly domains: readonly GroupRate[];
  readonly formulas: readonly GroupRate[];
  readonly fame: readonly GroupRate[];
  readonly funnel: {
    readonly probed: number;
    readonly known: number;
    readonly passed: number;
    readonly undecided: number;
  };
}

export interface RoleRecall {
  readonly role: string;
  readonly model: string;
  /** Rows with a right answer, of those with a graded one. */
  readonly known: ClusteredRate;
  /** Of the known ones, those whose every right answer is that of a naive guess. */
  readonly by_chance: number;
  /** How often the last draw was right where none before it was: what one draw more finds in rows that passed. */
  readonly next: ClusteredRate;
  readonly power: { readonly right: number; readonly asked: number } | null;
}

const TEST = "closed-book samples of each model, graded again from the recorded replies";

export interface RecallResult {
  readonly shortcut: Shortcut;
  readonly recall: Recall | null;
  readonly findings: readonly AuditFinding[];
}

/** One row that was probed. */
interface Probed {
  readonly entry: Entry;
  readonly probe: ProbeRecord;
  readonly judged: readonly Judged[];
}

/** Takes the probe's decisions again from the recorded replies, and says what they allow of the rows that passed. */
export function recallOf(dataset: Dataset, judgedEntries: JudgedEntries): RecallResult {
  const entries = entriesOf(dataset, "closed_book");
  const probed = entries.flatMap((entry): Probed[] => {
    const { probe } = entry.evidence;
    const judged = judgedEntries.get(entry);
    return probe === undefined || judged === undefined || judged.length === 0
      ? []
      : [{ entry, probe, judged }];
  });
  if (probed.length === 0) {
    const why = entries.length === 0 ? "no stage of the graph probes" : whyNot(dataset);
    return { shortcut: notRun("recall", TEST, why), recall: null, findings: [] };
  }
  const findings: AuditFinding[] = [];
  const open = new Set<string>();
  const complete = new Set<string>();
  for (const one of probed) {
    const verdict = decide(one, dataset);
    if (one.entry.accepted && verdict === "known") open.add(one.entry.id);
    if (one.entry.accepted && verdict === "passed") complete.add(one.entry.id);
    const said = decisionFinding(one, verdict);
    if (said !== undefined) findings.push(said);
  }
  const recall = summary(probed, dataset);
  return { shortcut: shortcutOf(recall, open, complete, dataset), recall, findings };
}

function whyNot({ tasks }: Dataset): string {
  const whys = tasks.flatMap(({ gates }) => gates.filter((g) => g.gate === "closed_book").map((g) => g.why));
  return [...new Set(whys)].slice(0, 2).join("; ") || "no row was probed";
}

const outcomes = (judged: readonly Judged[]) =>
  judged.map(({ sample, grade }) => ({ role: sample.role, outcome: grade?.outcome ?? "no_reply" }) as const);

type Decision = "known" | "passed" | "undecided";

/** The decision that the recorded replies give, by the params of the stage and not by what the evidence says they were. */
function decide({ entry, probe, judged }: Probed, dataset: Dataset): Decision {
  const { k, drop, roles } = paramsOf(entry, probe, dataset);
  const samples = outcomes(judged);
  if (knownBy(samples, drop, k) !== undefined) return "known";
  const asked = roles ?? [...new Set(samples.map(({ role }) => role))];
  const graded = (role: string) =>
    samples.filter((s) => s.role === role && (s.outcome === "right" || s.outcome === "wrong")).length;
  return asked.every((role) => graded(role) >= k) ? "passed" : "undecided";
}

function paramsOf({ instance }: Entry, probe: ProbeRecord, { manifest }: Dataset) {
  const params = (manifest.stages.find((s) => s.id === instance)?.params ?? {}) as {
    readonly k?: unknown;
    readonly drop?: unknown;
    readonly roles?: unknown;
  };
  const drop = dropRule.safeParse(params.drop);
  return {
    k: typeof params.k === "number" ? params.k : probe.k,
    drop: drop.success ? drop.data : ("any" as const),
    roles: Array.isArray(params.roles) ? params.roles.map(String) : undefined,
  };
}

function decisionFinding({ entry, judged }: Probed, verdict: Decision): AuditFinding | undefined {
  const { id, accepted, status, instance } = entry;
  const right = judged.filter(({ grade }) => grade?.outcome === "right").length;
  const say = (code: string, message: string): AuditFinding => ({ code, where: id, message });
  if (accepted && verdict === "known")
    return say(
      "known_row_accepted",
      `${right} of its recorded samples are right, so ${instance} would drop it`,
    );
  if (status === "passed" && verdict === "undecided")
    return say(
      "passed_undecided",
      `the ledger says that it passed ${instance}, its recorded samples do not decide that`,
    );
  if (status === "rejected" && verdict !== "known")
    return say("rejected_unknown", `${instance} rejected it as known, its recorded samples do not show that`);
  return undefined;
}

function summary(probed: readonly Probed[], dataset: Dataset): Recall {
  const { k } = paramsOf(probed[0]!.entry, probed[0]!.probe, dataset);
  const fame = fameIn(dataset.catalog);
  const trials = probed.flatMap(({ entry, judged }) => {
    const seen = judged.filter(({ grade }) => grade?.outcome === "right" || grade?.outcome === "wrong");
    if (entry.question === undefined || seen.length === 0) return [];
    const success = seen.some(({ grade }) => grade!.outcome === "right");
    return [{ cluster: entry.question.entity, success, question: entry.question }];
  });
  const decisions = probed.map((one) => decide(one, dataset));
  const count = (of: Decision) => decisions.filter((d) => d === of).length;
  const roles = new Map(
    probed.flatMap(({ judged }) => judged.map(({ sample }) => [sample.role, sample.model])),
  );
  return {
    k,
    drop: probed[0]!.probe.drop,
    roles: [...roles].sort().map(([role, model]) => roleRecall(role, model, probed, k)),
    domains: ratesBy(trials, (t) => t.question.domain),
    formulas: ratesBy(trials, (t) => t.question.formula),
    fame: ratesBy(trials, (t) => fame(t.question.entity)),
    funnel: {
      probed: probed.length,
      known: count("known"),
      passed: count("passed"),
      undecided: count("undecided"),
    },
  };
}

function roleRecall(role: string, model: string, probed: readonly Probed[], k: number): RoleRecall {
  const draws: Draws[] = [];
  let byChance = 0;
  for (const { entry, judged } of probed) {
    const graded = judged.filter(
      ({ sample, grade }) =>
        sample.role === role && (grade?.outcome === "right" || grade?.outcome === "wrong"),
    );
    if (graded.length === 0) continue;
    const right = graded.filter(({ grade }) => grade!.outcome === "right");
    if (right.length > 0 && right.every(({ sample }) => (sample.chance ?? []).length > 0)) byChance++;
    const cluster = entry.question?.entity ?? entry.id;
    draws.push({ cluster, right: graded.map(({ grade }) => grade!.outcome === "right") });
  }
  const known = clusteredWilson(
    draws.map(({ cluster, right }) => ({ cluster, success: right.includes(true) })),
  );
  const power = probed.flatMap(({ probe }) => probe.power ?? []).find((p) => p.role === role);
  return {
    role,
    model,
    known,
    by_chance: byChance,
    next: hitRate(draws, k - 1),
    power: power === undefined ? null : { right: power.right, asked: power.asked },
  };
}

/** The role whose further draws could find most. */
function worst(roles: readonly RoleRecall[]): RoleRecall | undefined {
  return roles.reduce<RoleRecall | undefined>(
    (a, b) => (a === undefined || b.next.high > a.next.high ? b : a),
    undefined,
  );
}

function shortcutOf(
  recall: Recall,
  open: ReadonlySet<string>,
  complete: ReadonlySet<string>,
  dataset: Dataset,
): Shortcut {
  const { k, roles, funnel } = recall;
  const next = worst(roles)!.next;
  const rule = dropRule.safeParse(recall.drop);
  const need = rule.success ? rightsNeeded(rule.data, k) : 1;
  const missed = percent(missProbability(0.5, k, need));
  const chance = roles.reduce((sum, r) => sum + r.by_chance, 0);
  return tested("recall", dataset.tasks.length, {
    test: TEST,
    tested: complete.size + open.size,
    untested: whyNot(dataset),
    open: open.size,
    result:
      open.size > 0
        ? `${rows(open.size)} known by heart; one draw more finds ${rateText(next)}`
        : `one draw more finds ${rateText(next)}`,
    rate: next,
    removed: funnel.known - open.size,
    reach:
      `With k = ${k} a row that a model answers half of the time gets through with ${missed}; ${k} wrong samples alone allow up to ` +
      `${percent(wilson(0, k).high)} for that row. For all that passed together, one draw more finds at most ${percent(next.high)}, rows of one ` +
      `entity taken as alike. Other models may know more.${chance > 0 ? ` ${rows(chance)} known may be lucky guesses.` : ""}`,
  });
}
