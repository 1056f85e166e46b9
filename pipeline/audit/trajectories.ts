import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { messagesOf } from "../../datasets/conversation.js";
import { poolFile } from "../../datasets/layout.js";
import { readPool } from "../../datasets/read.js";
import { type SftRecord, sftPool, type TrajectoryRecord } from "../../datasets/schema/index.js";
import type { Recordings } from "../../stages/recordings.js";
import { canonicalJson, hashOf, type Json } from "../base/canonical.js";
import { conversationsIn, type Rollout } from "../rollouts.js";
import type { AuditFinding } from "./finding.js";

export interface Trajectories {
  /** Segments that were compared. */
  readonly conversations: number;
  readonly findings: readonly AuditFinding[];
}

/** A rollout and the hash of each of its segments' conversations as the recorded calls have it; of one that is not recorded, none. */
export interface Followed {
  readonly rollout: Rollout;
  readonly talks: ReadonlyMap<number, string>;
}

/** Follows a rollout's conversations from the recorded calls alone. */
export function followed(rollout: Rollout, recordings: Recordings): Followed {
  const talks = new Map<number, string>();
  for (const segment of new Set(rollout.turns.map((turn) => turn.segment))) {
    const messages = messagesIn(rollout, segment, recordings);
    if (messages !== undefined) talks.set(segment, hashOf(messages));
  }
  return { rollout, talks };
}

/** Compares the pools `trajectories` and `sft` with rollouts, by their ids. @throws TaskmillError (verification) for a damaged pool */
export async function checkTrajectories(
  dir: string,
  rollouts: ReadonlyMap<string, Followed>,
): Promise<Trajectories> {
  const check = new Comparison(rollouts);
  let conversations = 0;
  for await (const record of conversationsIn(dir)) {
    conversations++;
    check.trajectory(record);
  }
  check.missing("trajectories", () => true);
  const sft = join(dir, poolFile(sftPool));
  if (existsSync(sft)) for await (const record of readPool(sft, sftPool)) check.sft(record);
  check.missing("sft", ({ unselected }) => unselected === "");
  return { conversations, findings: check.findings };
}

type PoolName = "trajectories" | "sft";

class Comparison {
  readonly findings: AuditFinding[] = [];
  readonly #met = { trajectories: new Set<string>(), sft: new Set<string>() };

  constructor(private readonly rollouts: ReadonlyMap<string, Followed>) {}

  trajectory(record: TrajectoryRecord): void {
    const rollout = this.#talk("trajectories", record);
    if (rollout === undefined) return;
    const own = rollout.turns.filter(({ segment }) => segment === record.segment);
    const { stop, valid, faults, outcome, reason, reward, answer, firewall } = rollout;
    const expected: Partial<Record<keyof TrajectoryRecord, unknown>> = {
      calls: own.map(({ call }) => call),
      observations: own.flatMap(({ tools }) => tools.map(({ call }) => call)),
      stop,
      valid,
      faults,
      urls: { asked: firewall.asked, blocked: firewall.blocked, served: firewall.served.length },
      selected: rollout.unselected === "",
      hidden_answer: answer,
      hidden_outcome: `${outcome}: ${reason}`,
      hidden_reward: canonicalJson(reward as unknown as Json),
    };
    for (const [field, value] of Object.entries(expected)) {
      const found = record[field as keyof TrajectoryRecord];
      if (!isDeepStrictEqual(found, value))
        this.#say("trajectory_differs", record, `its ${field} is not what the row's evidence says`);
    }
  }

  sft(record: SftRecord): void {
    const rollout = this.#talk("sft", record);
    if (rollout !== undefined && rollout.unselected !== "")
      this.#say("sft_unknown", record, "it is in the SFT pool, but was not selected");
  }

  /** Whether the conversation is what the recorded calls say. @returns its rollout, if there is one */
  #talk(pool: PoolName, record: TrajectoryRecord | SftRecord): Rollout | undefined {
    const { rollout: id, segment, messages } = record;
    const found = this.rollouts.get(id);
    const name = `${id} ${segment}`;
    if (found === undefined || this.#met[pool].has(name)) {
      const what = found === undefined ? "no row has this rollout" : "it is there twice";
      this.#say(pool === "sft" ? "sft_unknown" : "trajectory_unknown", record, what);
      return undefined;
    }
    this.#met[pool].add(name);
    const { rollout, talks } = found;
    const recorded = talks.get(segment);
    if (recorded === undefined && rollout.turns.some((turn) => turn.segment === segment)) return rollout;
    if (recorded !== hashOf(messages))
      this.#say("conversation_differs", record, `its conversation in pool ${pool} is not what was recorded`);
    return rollout;
  }

  /** Segments of fitting rollouts that a pool lacks. */
  missing(pool: PoolName, fits: (rollout: Rollout) => boolean): void {
    for (const [id, { rollout }] of this.rollouts) {
      if (!fits(rollout)) continue;
      for (const segment of new Set(rollout.turns.map((t) => t.segment)))
        if (!this.#met[pool].has(`${id} ${segment}`))
          this.findings.push({
            code: "trajectory_missing",
            where: id,
            message: `pool ${pool} lacks its segment ${segment}`,
          });
    }
  }

  #say(code: string, { rollout, segment }: TrajectoryRecord | SftRecord, message: string): void {
    this.findings.push({ code, where: rollout, message: `segment ${segment}: ${message}` });
  }
}

/** The conversation of a segment, from the recorded calls alone; undefined where one is missing, or nothing of such a segment is known. */
function messagesIn({ turns }: Rollout, segment: number, recordings: Recordings) {
  const until = turns.filter((turn) => turn.segment <= segment);
  const recorded = until.flatMap(({ call }) => recordings.call(call) ?? []);
  const sent = recorded.at(-1);
  if (sent === undefined || recorded.length < until.length || until.at(-1)!.segment !== segment)
    return undefined;
  const said = recorded.map(({ reply }, i) =>
    reply.ok
      ? { ...reply, own: until[i]!.segment === segment }
      : { text: reply.text, reasoning: "", tool_calls: [], own: false },
  );
  return messagesOf(sent.messages, said);
}
