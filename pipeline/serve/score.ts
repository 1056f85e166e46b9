import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { GroundTruth, Said, Score } from "../../verifiers/reward/reward.js";
import { scoreConversation, scoreText } from "../../verifiers/reward/score.js";
import { bodyOf, Fault, type FaultBody, faultOf } from "./fault.js";
import { issueText } from "./issue.js";
import type { Truths } from "./truths.js";

/** Items of one request. */
const MOST = 10_000;
/** Characters of an assistant that are looked at in one item: no context window holds more, and a hostile text takes a second for a million. */
const LONGEST = 4_000_000;
/** Milliseconds after which others get their turn. */
const TURN = 20;

/** Of a list of parts, as some chat formats have it, the texts alone are words; a message that only calls tools has none. */
const content = z.union([
  z.string(),
  z.null().transform(() => ""),
  z.array(z.unknown()).transform((parts) => parts.map(textOf).join("")),
]);

function textOf(part: unknown): string {
  const text = (part as { readonly text?: unknown } | null)?.text;
  return typeof text === "string" ? text : "";
}

const item = z
  .strictObject({
    ground_truth: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    task_id: z.string().optional(),
    messages: z.array(z.looseObject({ role: z.string(), content: content.optional() })).optional(),
    solution: z.string().optional(),
  })
  .refine(
    (i) => (i.ground_truth === undefined) !== (i.task_id === undefined),
    "give `ground_truth` or `task_id`, and not both",
  )
  .refine(
    (i) => (i.messages === undefined) !== (i.solution === undefined),
    "give `messages` or `solution`, and not both",
  );

/** What `POST /score` takes. Items are held against their own schema one by one, so that a bad one spoils no other. */
const batch = z.strictObject({ items: z.array(z.unknown()).max(MOST), steps: z.boolean().default(false) });

export interface Scored extends Omit<Score, "steps"> {
  /** Only where they were asked for; never what a step is about. */
  readonly steps?: readonly { readonly id: string; readonly verified: boolean }[];
}

export interface ScoreReply {
  /** In the order of the items. */
  readonly results: readonly (Scored | FaultBody)[];
}

/**
 * Scores a batch. Nothing of a ground truth is in what comes back, beside the ids of its steps where they are asked for.
 * @param onInternal told of faults of our own
 * @throws z.ZodError for a body that is no batch
 */
export async function scoreBatch(
  body: unknown,
  truths: Truths,
  onInternal: (error: unknown) => void,
): Promise<ScoreReply> {
  const { items, steps } = batch.parse(body);
  const results: (Scored | FaultBody)[] = [];
  let since = performance.now();
  for (const given of items) {
    results.push(await scoreItem(given, truths, steps, onInternal));
    if (performance.now() - since < TURN) continue;
    await setImmediate();
    since = performance.now();
  }
  return { results };
}

async function scoreItem(
  given: unknown,
  truths: Truths,
  steps: boolean,
  onInternal: (error: unknown) => void,
): Promise<Scored | FaultBody> {
  const { data, error } = item.safeParse(given);
  if (data === undefined) return bodyOf({ code: "bad_item", message: issueText(error!) });
  const { ground_truth, task_id, messages, solution = "" } = data;
  try {
    const truth = task_id === undefined ? truths.given(ground_truth) : await truths.ofTask(task_id);
    const score = messages === undefined ? scoreSolution(solution, truth) : scoreSaid(messages, truth);
    return shown(score, steps);
  } catch (thrown) {
    const fault = faultOf(thrown);
    if (fault.status >= 500) onInternal(thrown);
    return bodyOf(fault);
  }
}

type Messages = NonNullable<z.infer<typeof item>["messages"]>;

function scoreSaid(messages: Messages, truth: GroundTruth): Score {
  const said = messages.map(({ role, content = "" }): Said => ({ role, content }));
  const own = said.filter(({ role }) => role === "assistant");
  needLength(own.reduce((sum, message) => sum + message.content.length, 0));
  return scoreConversation(said, truth);
}

function scoreSolution(solution: string, truth: GroundTruth): Score {
  needLength(solution.length);
  return scoreText(solution, truth);
}

function needLength(characters: number): void {
  if (characters > LONGEST)
    throw new Fault(413, "too_long", `an item has at most ${LONGEST} characters of an assistant`);
}

function shown({ steps, ...figures }: Score, wanted: boolean): Scored {
  if (!wanted) return figures;
  return { ...figures, steps: steps.map(({ id, verified }) => ({ id, verified })) };
}
