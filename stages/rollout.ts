import { z } from "zod";
import { groundTruthOf } from "../datasets/ground-truth.js";
import type { RolloutEvidence } from "./evidence.js";
import type { Tool } from "./model.js";
import { promptText } from "./prompts.js";
import { askedOf, type QuestionRow, questionRow } from "./question.js";
import { judgeSteps } from "./rollout/judge-steps.js";
import { contextSchema, limitsSchema } from "./rollout/limits.js";
import { type PlayOptions, play } from "./rollout/play.js";
import { rolloutsOf } from "./rollout/rollouts.js";
import { judge } from "./rollout/score.js";
import { inOrder } from "./screen/ask.js";
import { defineStage, type Outcome, type PlannedCalls, type StageContext } from "./stage.js";

const params = z.strictObject({
  /** Who acts. */
  role: z.string().min(1),
  /** Valid rollouts of each row. */
  n: z.int().min(1).max(256).default(4),
  /** Further ones, at most, in place of those that the endpoint failed. */
  spare: z.int().nonnegative().max(256).default(2),
  /** Names of the environment's tools that it is given; all of them without. */
  tools: z.array(z.string().min(1)).min(1).optional(),
  limits: limitsSchema.prefault({}),
  context: contextSchema.optional(),
  /** `send`: the model's own thoughts go back to it with each turn, as some models want; `drop`: they do not. */
  thoughts: z.enum(["drop", "send"]).default("drop"),
  /** Who is asked about steps of the chain that no matcher can read; what it says is kept beside the reward. */
  judge: z.string().min(1).optional(),
  /** In place of the bundled system prompt. It must state the form of findings and answer. */
  prompt: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;
type Context = StageContext<Params>;

/** Lets an agent attempt each task with tools, several times over, and scores what it did. */
export const rollout = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "rollout",
  version: 1,
  summary: "lets an agent attempt each task with search, pages and Python, and scores each attempt",
  mode: "row",
  params,
  takes: "question",
  gives: "same",
  acts: true,
  draws: ({ n }) => n,
  leaves: "rollouts",
  input: questionRow,
  output: questionRow,
  reasons: {},
  roles: (p) => [p.role, ...(p.judge === undefined ? [] : [p.judge])],
  calls: plannedCalls,
  async run(row, context): Promise<Outcome<QuestionRow>> {
    const { role } = context.params;
    if (context.models.identity(role) === undefined) return { out: row };
    const drawn = await draws(row, context);
    const before = rolloutsOf(row).filter(({ by }) => by !== context.instance);
    return { out: { ...row, rollouts: [...before, ...drawn] } };
  },
});

/** The rollouts of one row in the order of their draws: n that are valid, if there are so many among those that may be drawn. */
async function draws(row: QuestionRow, context: Context): Promise<RolloutEvidence[]> {
  const { n, spare } = context.params;
  const drawn: RolloutEvidence[] = [];
  const take = (sample: number): Promise<RolloutEvidence> => draw(row, sample, context);
  for (;;) {
    const wanted = n - drawn.filter(({ valid }) => valid).length;
    const many = Math.min(wanted, n + spare - drawn.length);
    if (many <= 0) return drawn;
    drawn.push(...(await inOrder(Array.from({ length: many }, (_, i) => take(drawn.length + i)))));
  }
}

async function draw(row: QuestionRow, sample: number, context: Context): Promise<RolloutEvidence> {
  const { params, models, environment, instance } = context;
  const { role, limits, thoughts } = params;
  const options: PlayOptions = {
    models,
    environment,
    instance,
    role,
    row: row.id,
    sample,
    system: params.prompt ?? promptText("rollout"),
    question: row.question,
    tools: toolsOf(context),
    limits,
    context: params.context,
    thoughts,
  };
  const played = await play(options);
  const { stop, turns } = played;
  const truth = groundTruthOf(askedOf(row).row);
  const verdict = judge(played, truth, options);
  const judging =
    params.judge === undefined ? undefined : { models, role: params.judge, row: row.id, sample };
  const said = played.replies.map(({ text }) => text);
  const judged = judging && (await judgeSteps(said, truth, verdict.reward, judging));
  return {
    by: instance,
    role,
    model: models.identity(role)!.model,
    sample,
    turns: [...turns],
    stop,
    ...verdict,
    ...(judged === undefined ? {} : { judged }),
  };
}

function toolsOf({ params, environment }: Context): readonly Tool[] {
  const { tools } = params;
  return tools === undefined ? environment.tools : environment.tools.filter((t) => tools.includes(t.name));
}

/** Tokens of a turn, as a rule: what went before grows with each, up to some pages. */
const TURN = { input: 5000, output: 400 };

function plannedCalls({ role, n, spare, limits, judge: judging }: Params): PlannedCalls[] {
  const acting = { role, calls: (n + spare) * limits.turns, ...TURN };
  // Hardly ever asked: nearly all steps are names or values.
  return judging === undefined
    ? [acting]
    : [acting, { role: judging, calls: n + spare, input: 3000, output: 20 }];
}
