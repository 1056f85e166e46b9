import { z } from "zod";
import type { Problem } from "../pipeline/base/errors.js";
import type { SolveEvidence } from "./evidence.js";
import { PROBLEMS_KIND } from "./problem.js";
import { promptText } from "./prompts.js";
import { type Asked, askedOf, type Gradable, gradable, type QuestionRow, questionRow } from "./question.js";
import { type Draw, draw, inOrder } from "./screen/ask.js";
import { checkDerivations } from "./screen/check.js";
import { openBook } from "./screen/open-book.js";
import { rolesCalls } from "./screen/plan.js";
import { subjectOf } from "./screen/subject.js";
import { evidenceJson, withGate } from "./screen/verdict.js";
import { clustersOf, judgeVotes, type Votes } from "./screen/votes.js";
import {
  type CheckContext,
  defineStage,
  type Outcome,
  type PlannedCalls,
  type StageContext,
} from "./stage.js";

const params = z.strictObject({
  /** Who solves; draw i goes to role i modulo their number. */
  roles: z.array(z.string().min(1)).min(1),
  /** Independent solves of one row, over all roles. */
  n: z.number().int().min(1).max(50).default(3),
  /** `open_book`: with the rows to choose among. `self_contained`: the question alone. `auto`: the first for table tasks, else the second. */
  mode: z.enum(["auto", "open_book", "self_contained"]).default("auto"),
  /** Who checks the derivations of problems that all solves agree on. */
  check_role: z.string().min(1).optional(),
  /** A table task whose rows to choose among are more than this many is left to solvers with tools. */
  max_rows: z.number().int().min(2).max(2000).default(80),
  /** Rows that break a condition, shown among the candidates. */
  decoys: z.number().int().min(0).max(1000).default(20),
  /** In place of the bundled system prompts for solving and checking. */
  prompt: z.string().min(1).optional(),
  check_prompt: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;
type Context = StageContext<Params>;
type Mode = SolveEvidence["mode"];

/** Keeps what independent solves agree on: a question that they read differently, or a wrong reference, shows. */
export const solve = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "solve",
  version: 2,
  summary: "solves each question several times and keeps it if all solves agree with the reference",
  mode: "row",
  params,
  takes: "question",
  gives: "same",
  gate: "solve",
  input: questionRow,
  output: questionRow,
  reasons: {
    solve_disagrees: "independent solves give different answers, or not the reference",
    reference_disagrees: "all solves agree on an answer that is not the reference",
    derivation_unsound: "a derivation of the agreed answer has a wrong step",
  },
  roles: (p) => [...p.roles, ...(p.check_role === undefined ? [] : [p.check_role])],
  calls: plannedCalls,
  check: checkParams,
  async run(row, context): Promise<Outcome<QuestionRow>> {
    const asked = askedOf(row);
    const mode = modeOf(asked, context.params);
    const posed = pose(asked, mode, context);
    if ("why" in posed) return { out: withGate(row, { gate: "solve", status: "not_run", why: posed.why }) };
    const graded = gradable(asked, context.catalog);
    const draws = await takeVotes(asked, posed.messages, graded, context);
    const samples = draws.map((d) => d.evidence);
    const clusters = clustersOf(samples, graded);
    const votes = judgeVotes(clusters, context.params.n, mode);
    const evidence: SolveEvidence = { mode, n: context.params.n, samples, clusters, checks: [] };
    const agreed =
      votes.verdict === "agreed" && mode === "self_contained" && context.params.check_role !== undefined;
    if (!agreed) return finish(row, asked, votes, evidence, context);
    const { checks, verdict } = await checkDerivations(asked.row, draws, context.params.check_role!, {
      models: context.models,
      system: context.params.check_prompt ?? promptText("check"),
    });
    return finish(row, asked, verdict, { ...evidence, checks }, context);
  },
});

function modeOf(asked: Asked, { mode }: Params): Mode {
  if (mode !== "auto") return mode;
  return asked.kind === "table" ? "open_book" : "self_contained";
}

/** The messages of every solve, or why there can be none. */
function pose(asked: Asked, mode: Mode, context: Context): { messages: Messages } | { why: string } {
  const { params, models, catalog } = context;
  const off = solve.roles!(params).find((role) => models.identity(role) === undefined);
  if (off !== undefined) return { why: `no model is configured for ${off}` };
  const { question, id } = asked.row;
  if (mode === "self_contained") {
    if (asked.kind === "table")
      return { why: "needs tools: a table task cannot be solved from its question alone" };
    return { messages: messages(params.prompt ?? promptText("solve-problem"), question) };
  }
  if (asked.kind === "problem") return { why: "no table stands behind it, so there is no book to open" };
  const book = openBook(asked.row, catalog, params, context.random("open_book", id));
  if ("needs" in book)
    return { why: `needs tools: ${book.needs} rows to choose among, more than ${params.max_rows}` };
  const system = params.prompt ?? promptText("solve-table");
  return { messages: messages(system, `${book.text}\n\nProblem: ${question}`) };
}

type Messages = readonly [{ role: "system"; content: string }, { role: "user"; content: string }];

function messages(system: string, user: string): Messages {
  return [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
}

/** All solves at once: none knows of another. */
function takeVotes(asked: Asked, messages: Messages, graded: Gradable, context: Context): Promise<Draw[]> {
  const { roles, n } = context.params;
  const { id, question } = asked.row;
  const solves = Array.from({ length: n }, (_, i) => {
    const role = roles[i % roles.length]!;
    const sample = Math.floor(i / roles.length);
    return draw(context.models, { role, row: id, question, messages, graded }, sample);
  });
  return inOrder(solves);
}

function finish(
  row: QuestionRow,
  asked: Asked,
  votes: Votes,
  evidence: SolveEvidence,
  { catalog }: Context,
): Outcome<QuestionRow> {
  if (votes.verdict === "rejected") {
    const shown = evidenceJson({ ...subjectOf(asked, catalog), solve: evidence });
    return { reject: { reason: votes.reason, evidence: shown } };
  }
  const status = votes.verdict === "agreed" ? "passed" : "not_run";
  return { out: { ...withGate(row, { gate: "solve", status, why: votes.why }), solve: evidence } };
}

/** Tokens of one row of a table, as a rule. */
const ROW_TOKENS = 40;

function plannedCalls({ roles, n, mode, check_role, max_rows }: Params): PlannedCalls[] {
  const input = 400 + (mode === "self_contained" ? 0 : max_rows * ROW_TOKENS);
  const solves = roles.flatMap((role, i) => {
    const calls = Math.ceil((n - i) / roles.length);
    return calls > 0 ? rolesCalls([role], calls, input) : [];
  });
  return [...solves, ...(check_role === undefined ? [] : rolesCalls([check_role], n, 900))];
}

function checkParams({ roles, n, mode }: Params, { kinds }: CheckContext): Problem[] {
  const problems: Problem[] = [];
  if (roles.length > n) {
    problems.push({
      code: "too_few_solves",
      message: `${n} solves leave some of ${roles.length} roles without one`,
      hint: `set \`n\` to at least ${roles.length}`,
      path: ["n"],
    });
  }
  const closed = mode === "self_contained" || (mode === "auto" && kinds.has(PROBLEMS_KIND));
  if (closed && kinds.has("probe")) {
    problems.push({
      code: "probe_and_closed_book_solve",
      message:
        "`probe` drops what a model answers without tools, and a `solve` from the question alone keeps only that: nothing could pass both",
      hint: "set `mode: open_book`, or leave one of the two out (problems of one's own go through a graph without `probe`)",
      path: ["mode"],
    });
  }
  return problems;
}
