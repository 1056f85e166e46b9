import type { TrajectoryRecord } from "../datasets/schema/index.js";
import { rolloutId } from "../datasets/trajectory-record.js";
import type { Row } from "../stages/stage.js";
import { admission } from "../verifiers/admission.js";
import { fail } from "./base/errors.js";
import { attemptsOf, conversationsIn, type Rollout, type RowAdmission, tokensOf } from "./rollouts.js";
import { counted, grouped, table } from "./terminal.js";

/**
 * The conversations of a row.
 * @param wanted a rollout by its place in the list (from 1), its id, its instance and draw (`rollout/0`), or `all`
 * @throws TaskmillError (usage) where the row has no such rollout
 */
export async function conversationsOf(dir: string, row: Row, wanted: string): Promise<TrajectoryRecord[]> {
  const ids = wantedIds(row, wanted);
  const found: TrajectoryRecord[] = [];
  for await (const record of conversationsIn(dir)) if (ids.has(record.rollout)) found.push(record);
  return found;
}

function wantedIds(row: Row, wanted: string): Set<string> {
  const ids = (attemptsOf(row)?.rollouts ?? []).map((rollout) => rolloutId(row.id, rollout));
  if (wanted === "all") return new Set(ids);
  const found = ids.find((id, i) => [String(i + 1), id, id.slice(row.id.length + 1)].includes(wanted));
  if (found !== undefined) return new Set([found]);
  const there = ids.map((id, i) => `${i + 1} (${id.slice(row.id.length + 1)})`);
  const hint = there.length === 0 ? "the row has no rollouts" : `it has ${there.join(", ")}`;
  return fail("usage", "unknown_rollout", `${row.id} has no rollout \`${wanted}\``, hint);
}

/** The rollouts of a row, a line each. */
export function rolloutLines(row: Row): string[] {
  const rollouts = attemptsOf(row)?.rollouts ?? [];
  return table(rollouts.map((rollout, i) => [String(i + 1), ...cells(rollout)])).map((line) => line.slice(2));
}

function cells(rollout: Rollout): string[] {
  const { by, role, model, sample, turns, stop, outcome, reason, reward } = rollout;
  const input = tokensOf(rollout, "input");
  const output = tokensOf(rollout, "output");
  const tokens =
    input === null || output === null ? "tokens unknown" : `${grouped(input)} + ${grouped(output)} tokens`;
  return [
    `${by}/${sample}`,
    `${role} (${model})`,
    stop,
    outcome === reason || outcome === "no_reply" ? outcome : `${outcome} (${reason})`,
    `score ${figure(reward.score)}, P ${figure(reward.progress)}`,
    counted(turns.length, "turn"),
    tokens,
    addresses(rollout),
    fate(rollout),
  ];
}

function addresses({ firewall: { asked, blocked, served } }: Rollout): string {
  const shown = served.map(({ url, rule }) => `${url} (${rule})`).join(", ");
  return `${asked} asked, ${blocked} blocked${shown === "" ? "" : `, SERVED ${shown}`}`;
}

function fate({ valid, unselected, faults, drift }: Rollout): string {
  const why =
    unselected === undefined
      ? "not looked at by `curate`"
      : unselected === ""
        ? "selected"
        : `not selected: ${unselected}`;
  const more = [
    valid ? "" : "not valid",
    why,
    // The first fault is the reason already.
    faults.length > 1 || (faults.length === 1 && unselected !== `form: ${faults[0]}`)
      ? `faults: ${faults.join(", ")}`
      : "",
    drift === null || drift === 0 ? "" : `${counted(drift, "turn")} drifted`,
  ];
  return more.filter((part) => part !== "").join("; ");
}

/** What `admit` made of them. */
export function admissionLines(row: Row): string[] {
  const found = attemptsOf(row)?.admission;
  return found === undefined ? [] : [admissionText(found)];
}

function admissionText({ by, n, rewards, accs, low, high }: RowAdmission): string {
  const right = accs.filter((acc) => acc === 1).length;
  const { decision } = admission(rewards, accs, { n });
  const interval = `${percent(low)} to ${percent(high)}`;
  return `${decision.replaceAll("_", " ")}: ${right} of ${accs.length} by \`${by}\` right (n = ${n}; 95 %: ${interval}), rewards ${rewards.map(figure).join(", ")}`;
}

/** Few digits, the same everywhere. */
export function figure(value: number): string {
  return String(Number(value.toFixed(3)));
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
