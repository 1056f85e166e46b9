import type { Audit } from "../audit/audit.js";
import type { FunnelStage } from "./funnel.js";
import type { Quota } from "./quotas.js";
import type { Screening } from "./screening.js";

/** At a glance: what holds, what is broken, what nobody looked at. */
export interface Verdict {
  /** Accepted rows as a share of the candidates that were looked at; null without candidates. */
  readonly yield: number | null;
  readonly turned_away: number;
  readonly lines: readonly VerdictLine[];
}

export interface VerdictLine {
  readonly what: string;
  readonly state: State;
  readonly text: string;
}

/** `open`: nothing is known of it. */
export type State = "good" | "bad" | "open";

export interface Judged {
  readonly accepted: number;
  readonly candidates: number;
  readonly target: { readonly accepted: number | null; readonly limit: number | null };
  readonly reached: boolean;
  readonly funnel: readonly FunnelStage[];
  readonly gates: Screening["gates"];
  readonly quotas: readonly Quota[];
  readonly agents: readonly Attempts[];
}

/** What one stage's rollouts came to. */
interface Attempts {
  readonly by: string;
  readonly valid: number;
  readonly right: number;
  readonly firewall: { readonly served: readonly unknown[] };
}

export function verdictOf(judged: Judged, audit: Audit | undefined): Verdict {
  const { accepted, candidates, funnel } = judged;
  const turned = funnel
    .filter(({ stage }) => stage !== "ingest")
    .flatMap(({ rejected }) => rejected)
    .reduce((sum, { rows }) => sum + rows, 0);
  return {
    yield: candidates === 0 ? null : Number((accepted / candidates).toPrecision(4)),
    turned_away: turned,
    lines: [
      targetLine(judged),
      sumsLine(funnel),
      gatesLine(judged),
      quotasLine(judged.quotas),
      ...leakageLines(audit),
      attemptsLine(judged.agents),
    ],
  };
}

function targetLine({ accepted, target, reached }: Judged): VerdictLine {
  const asked =
    target.accepted === null ? null : Math.min(target.accepted, target.limit ?? Number.POSITIVE_INFINITY);
  if (accepted === 0) return { what: "target", state: "bad", text: "no task was accepted" };
  if (asked === null) return { what: "target", state: "good", text: "none is set; all that passed is here" };
  return {
    what: "target",
    state: reached ? "good" : "bad",
    text: `${accepted} of ${asked} tasks`,
  };
}

function sumsLine(funnel: readonly FunnelStage[]): VerdictLine {
  const wrong = funnel.filter(
    (s) => s.in + s.created !== s.out + s.rejected.reduce((n, { rows }) => n + rows, 0),
  );
  return {
    what: "funnel",
    state: wrong.length === 0 ? "good" : "bad",
    text:
      wrong.length === 0
        ? "adds up at every stage: in + created = out + rejected"
        : `does not add up at ${wrong.map(({ id }) => id).join(", ")}`,
  };
}

function gatesLine({ gates, accepted }: Judged): VerdictLine {
  const of = (test: (count: Screening["gates"][string]) => boolean): string[] =>
    Object.entries(gates).flatMap(([gate, count]) => (test(count) ? gate : []));
  const failed = of((count) => count.failed > 0);
  const open = of((count) => count.not_run > 0);
  const passed = of((count) => count.failed === 0 && count.not_run === 0 && count.passed > 0);
  const parts = [
    ...(failed.length > 0 ? [`failed by some rows: ${failed.join(", ")}`] : []),
    ...(open.length > 0 ? [`not run, and so not passed: ${open.join(", ")}`] : []),
    ...(passed.length > 0 ? [`passed by every row: ${passed.join(", ")}`] : []),
  ];
  const state = failed.length > 0 ? "bad" : open.length > 0 || accepted === 0 ? "open" : "good";
  return { what: "gates", state, text: parts.join("; ") };
}

function quotasLine(quotas: readonly Quota[]): VerdictLine {
  const what = "shares";
  if (quotas.length === 0) return { what, state: "open", text: "the config limits none" };
  const broken = quotas.filter(({ kept }) => !kept);
  if (broken.length > 0)
    return { what, state: "bad", text: `over what the config allows: ${broken.map(quotaText).join("; ")}` };
  return {
    what,
    state: "good",
    text: `all ${quotas.length} within what the config allows; largest: ${quotas.map(quotaText).join("; ")}`,
  };
}

/** What is over its share and kept was welcome before shares are looked at. */
function quotaText({ property, largest, rows, of, allowed, floor, kept }: Quota): string {
  const welcome = kept && rows > allowed * of && rows <= floor ? `; the first ${floor} rows always pass` : "";
  return `${property.replaceAll("_", " ")} ${largest} (${percent(rows / of)}, at most ${percent(allowed)}${welcome})`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

function leakageLines(audit: Audit | undefined): VerdictLine[] {
  if (audit === undefined) return [{ what: "leakage", state: "open", text: "not looked for" }];
  const { shortcuts, findings, bounds } = audit;
  const open = shortcuts.filter((s) => s.open > 0).map(({ title, open }) => `${title} (${open})`);
  const untested = shortcuts.filter((s) => s.status === "not_run").map(({ title }) => title);
  const parts = [
    ...(findings.length > 0
      ? [`${findings.length} findings do not follow from the dataset's own files`]
      : []),
    ...(open.length > 0 ? [`ways found open: ${open.join(", ")}`] : ["no tested way is open"]),
    ...(untested.length > 0 ? [`not tested: ${untested.join(", ")}`] : []),
  ];
  const state = findings.length > 0 ? "bad" : untested.length > 0 || open.length > 0 ? "open" : "good";
  return [{ what: "leakage", state, text: parts.join("; ") }, boundsLine(bounds)];
}

function boundsLine(bounds: Audit["bounds"]): VerdictLine {
  const broken = bounds.filter((b) => b.broken);
  if (bounds.length === 0) return { what: "bounds", state: "open", text: "the config sets none" };
  return broken.length === 0
    ? { what: "bounds", state: "good", text: `all ${bounds.length} kept` }
    : {
        what: "bounds",
        state: "bad",
        text: broken.map(({ bound, why }) => `${bound.replaceAll("_", " ")}: ${why}`).join("; "),
      };
}

function attemptsLine(agents: readonly Attempts[]): VerdictLine {
  const what = "rollouts";
  if (agents.length === 0)
    return { what, state: "open", text: "no agent attempted a task: how hard they are is not known" };
  const served = agents.reduce((sum, { firewall }) => sum + firewall.served.length, 0);
  const rates = agents.map(({ by, valid, right }) => `${by}: ${right} of ${valid} valid attempts are right`);
  return served === 0
    ? { what, state: "good", text: `${rates.join("; ")}; nothing blocked was served` }
    : { what, state: "bad", text: `blocked content was served ${served} times; ${rates.join("; ")}` };
}
