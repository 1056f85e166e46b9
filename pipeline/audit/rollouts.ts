import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { rolloutId } from "../../datasets/trajectory-record.js";
import type { Recordings } from "../../stages/recordings.js";
import { admission } from "../../verifiers/admission.js";
import { TaskmillError } from "../base/errors.js";
import { attemptsOf, type Rollout, type RowAdmission } from "../rollouts.js";
import { judgeAddresses } from "./addresses.js";
import { checkAttempt } from "./attempts.js";
import type { Stages } from "./bench.js";
import type { Dataset } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { checkRequests } from "./requests.js";
import type { Question } from "./rows.js";
import { checkTrajectories, type Followed, followed } from "./trajectories.js";

/** What was looked at again of rollouts. */
export interface RolloutAudit {
  readonly rollouts: number;
  readonly conversations: number;
  readonly observations: number;
  readonly addresses: number;
  /** Observations that show blocked content, in whatever rollout. */
  readonly served: number;
}

/** Follows every rollout again from the recorded calls: its talk, its end, its score, its addresses; and the pools that are made of them. */
export async function rolloutsOf(
  dataset: Dataset,
  { models: { recordings } }: Pick<Stages, "models">,
): Promise<{ rollouts: RolloutAudit | null; findings: AuditFinding[] }> {
  const findings: AuditFinding[] = [];
  const attempted = dataset.tasks.flatMap((question) => {
    const read = attemptsOf(question.row);
    if (read === undefined)
      findings.push({
        code: "rollouts_unreadable",
        where: question.id,
        message: "its rollouts cannot be read",
      });
    return read === undefined || read.rollouts.length === 0 ? [] : [{ question, ...read }];
  });
  if (attempted.length === 0) return { rollouts: null, findings };
  const addresses = await judgeAddresses(dataset);
  findings.push(...addresses.findings);
  const byId = new Map<string, Followed>();
  for (const { question, rollouts, admission } of attempted) {
    const read = once(recordings);
    for (const rollout of rollouts) {
      findings.push(...checkAttempt(question, rollout, read, addresses));
      byId.set(rolloutId(question.id, rollout), followed(rollout, read));
    }
    findings.push(...checkRequests(question, rollouts, read, dataset.catalog));
    findings.push(...checkAdmission(question, rollouts, admission));
  }
  const pools = await checkTrajectories(dataset.dir, byId);
  const { observations, addresses: judged, served } = addresses;
  return {
    rollouts: {
      rollouts: byId.size,
      conversations: pools.conversations,
      observations,
      addresses: judged,
      served: served.size,
    },
    findings: [...findings, ...pools.findings],
  };
}

const talk = z.array(z.looseObject({ role: z.string(), content: z.string() }));

/**
 * Recordings that remember what was read, as each reading takes a file and a hash. What is damaged, or no conversation, is not there: the
 * pass over all calls says what is wrong with it.
 */
function once(recordings: Recordings): Recordings {
  const calls = new Map<string, ReturnType<Recordings["call"]>>();
  const observations = new Map<string, ReturnType<Recordings["observation"]>>();
  return {
    call: (name) =>
      remembered(calls, name, () => {
        const call = recordings.call(name);
        return talk.safeParse(call?.messages).success ? call : undefined;
      }),
    observation: (name) => remembered(observations, name, () => recordings.observation(name)),
  };
}

function remembered<T>(
  known: Map<string, T | undefined>,
  name: string,
  read: () => T | undefined,
): T | undefined {
  if (!known.has(name)) known.set(name, sound(read));
  return known.get(name);
}

function sound<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TaskmillError) return undefined;
    throw error;
  }
}

/** Whether the gate says what the rollouts say. */
function checkAdmission(
  { id, gates }: Question,
  rollouts: readonly Rollout[],
  said: RowAdmission | undefined,
): AuditFinding[] {
  const status = gates.find(({ gate }) => gate === "admission")?.status ?? "not_run";
  if (said === undefined) {
    if (status === "not_run") return [];
    return [{ code: "admitted_otherwise", where: id, message: `admission is ${status} without evidence` }];
  }
  const counted = rollouts.filter(({ by, valid }) => by === said.by && valid).slice(0, said.n);
  const rewards = counted.map(({ reward }) => reward.score);
  const accs = counted.map(({ reward }) => reward.acc);
  const { decision } = admission(rewards, accs, said);
  const expected = decision === "admitted" ? "passed" : decision === "too_few_valid" ? "not_run" : "failed";
  const same = isDeepStrictEqual([rewards, accs], [said.rewards, said.accs]);
  if (same && status === expected) return [];
  const message = same
    ? `by its rollouts admission is ${expected} (${decision.replaceAll("_", " ")}); its gate says ${status}`
    : "the rewards that its admission was decided by are not those of its rollouts";
  return [{ code: "admitted_otherwise", where: id, message }];
}
