import type { TrajectoryRecord } from "../../datasets/schema/index.js";
import { rolloutId } from "../../datasets/trajectory-record.js";
import { stream } from "../base/random.js";
import { attemptsOf, callsIn, conversationsIn, type Rollout } from "../rollouts.js";

/** A conversation that the page shows, long messages cut. */
export interface SampledRollout {
  readonly shows: "right" | "wrong" | "blocked";
  readonly rollout: string;
  readonly role: string;
  readonly model: string;
  readonly stop: string;
  readonly outcome: string;
  readonly reason: string;
  readonly score: number;
  readonly progress: number;
  readonly answer: string | null;
  readonly firewall: { readonly asked: number; readonly blocked: number; readonly served: number };
  readonly unselected: string;
  /** Of its last segment, which holds all that was said. */
  readonly messages: readonly SampledMessage[];
  readonly steps: readonly {
    readonly label: string;
    readonly text: string;
    readonly verified: boolean;
    readonly why: string;
  }[];
}

export interface SampledMessage {
  readonly role: string;
  /** Of a tool's answer. */
  readonly name: string | null;
  /** Its beginning. */
  readonly content: string;
  /** Characters of the whole. */
  readonly characters: number;
  readonly thoughts: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

interface Row {
  readonly id: string;
  readonly chain?: readonly { readonly id: string; readonly label: string; readonly text: string }[];
}

interface Drawn {
  readonly shows: SampledRollout["shows"];
  readonly id: string;
  readonly row: Row;
  readonly rollout: Rollout;
}

/** One right, one wrong and one that met the wall, drawn by the config's seed, as far as there are such. */
export async function samplesOf(dir: string, seed: string, rows: readonly Row[]): Promise<SampledRollout[]> {
  const drawn = draw(seed, rows);
  const found = new Map<string, TrajectoryRecord>();
  for await (const record of conversationsIn(dir)) {
    // A later segment takes the place of an earlier one.
    if (drawn.some(({ id }) => id === record.rollout)) found.set(record.rollout, record);
  }
  return drawn.flatMap((one) => {
    const record = found.get(one.id);
    return record === undefined ? [] : [sampled(one, record)];
  });
}

const FITS: Readonly<Record<SampledRollout["shows"], (rollout: Rollout) => boolean>> = {
  right: ({ valid, outcome }) => valid && outcome === "right",
  wrong: ({ valid, outcome }) => valid && outcome !== "right",
  blocked: ({ firewall }) => firewall.blocked > 0 || firewall.served.length > 0,
};

function draw(seed: string, rows: readonly Row[]): Drawn[] {
  const all = rows.flatMap((row) =>
    (attemptsOf(row)?.rollouts ?? []).map((rollout) => ({ row, rollout, id: rolloutId(row.id, rollout) })),
  );
  const shuffled = stream(seed, "report", "rollouts").shuffle(all);
  const taken = new Set<string>();
  return (["right", "wrong", "blocked"] as const).flatMap((shows) => {
    const one = shuffled.find(({ id, rollout }) => !taken.has(id) && FITS[shows](rollout));
    if (one === undefined) return [];
    taken.add(one.id);
    return [{ ...one, shows }];
  });
}

function sampled({ shows, id, row, rollout }: Drawn, record: TrajectoryRecord): SampledRollout {
  const {
    role,
    model,
    stop,
    outcome,
    reason,
    reward,
    answer,
    firewall,
    unselected = "not looked at",
  } = rollout;
  const { asked, blocked, served } = firewall;
  const chain = new Map((row.chain ?? []).map((step) => [step.id, step]));
  return {
    shows,
    rollout: id,
    role,
    model,
    stop,
    outcome,
    reason,
    score: reward.score,
    progress: reward.progress,
    answer,
    firewall: { asked, blocked, served: served.length },
    unselected,
    messages: record.messages.map(message),
    steps: reward.steps.map(({ id, verified, why }) => {
      const { label = id, text = "" } = chain.get(id) ?? {};
      return { label, text, verified, why };
    }),
  };
}

/** Characters that the page holds of one text. */
const MOST = 4000;

function message({
  role,
  name,
  content,
  reasoning,
  tool_calls,
}: TrajectoryRecord["messages"][number]): SampledMessage {
  return {
    role,
    name,
    content: beginning(content),
    characters: content.length,
    thoughts: beginning(reasoning ?? ""),
    calls: callsIn(tool_calls).map(({ name, arguments: args }) => ({ name, arguments: beginning(args) })),
  };
}

/** Not in the middle of a surrogate pair, which no JSON text of ours may hold. */
function beginning(text: string): string {
  return text.length <= MOST ? text : text.slice(0, MOST).replace(/[\ud800-\udbff]$/, "");
}
