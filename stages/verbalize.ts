import { z } from "zod";
import { GATES } from "../datasets/admission.js";
import { missingSlots } from "./prompts.js";
import { evidenceJson } from "./screen/verdict.js";
import { defineStage, type Outcome, type StageContext } from "./stage.js";
import { type ComputedRow, computedRow, type WordedRow, wordedRow } from "./task.js";
import { wordQuestion } from "./words/grammar.js";
import { isEnglish } from "./words/language.js";
import { PLANS } from "./words/plans.js";
import { cardsFor } from "./words/reads.js";
import { writeQuestion } from "./words/writer.js";

/** What is taken where the config says nothing. No defaults in the schema: without a role the params are those of a grammar alone. */
const ATTEMPTS = 3;
const STYLE = ["plain"];

const params = z.strictObject({
  /** Sentence plans to draw from; default: all. */
  styles: z
    .array(z.enum(PLANS))
    .min(1)
    .default([...PLANS]),
  /** The model that writes; without one, or where it has no endpoint, the grammar does. */
  role: z.string().min(1).optional(),
  /** BCP 47 tag of the language to write in; default: en. The grammar writes English only. */
  language: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, "a language tag such as en, de or pt-BR")
    .optional(),
  /** Tones to draw from, such as plain, exam, narrative, terse; default: plain. */
  style: z.array(z.string().min(1).max(80)).min(1).optional(),
  /** How often a model may try until its question passes the lint; default: 3. */
  attempts: z.number().int().min(1).max(10).optional(),
  /** When no try passes: take the grammar's question, or reject the row. Default: grammar for English, else reject. */
  fallback: z.enum(["grammar", "reject"]).optional(),
  /** In place of the bundled system prompt; `{{language}}` and `{{tone}}` are filled in. */
  prompt: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;

/** Tokens of a call: rules, brief and, in later tries, what was wrong before. */
const PLANNED = { input: 1200, output: 250 };

/** Words the program: by a deterministic grammar, or by a model from a brief. The answer stays unseen by either. */
export const verbalize = defineStage<Params, ComputedRow, WordedRow>({
  kind: "verbalize",
  version: 3,
  summary: "writes the question from the program, by a deterministic grammar or a model",
  mode: "row",
  params,
  takes: "computed",
  gives: "worded",
  input: computedRow,
  output: wordedRow,
  reasons: { no_clean_wording: "no question of the model's passed the lint in any of its tries" },
  roles: ({ role }) => (role === undefined ? [] : [role]),
  calls: ({ role, attempts = ATTEMPTS }) =>
    role === undefined ? [] : [{ role, calls: 2 * attempts, ...PLANNED }],
  check: ({ role, prompt, language, style, attempts, fallback }) => {
    const idle = Object.entries({ prompt, language, style, attempts, fallback }).filter(
      ([, v]) => v !== undefined,
    );
    if (role !== undefined) return prompt === undefined ? [] : toneProblems(prompt, style);
    return idle.map(([name]) => ({
      code: "needs_role",
      message: `\`${name}\` is for a model, and \`verbalize\` has no \`role\``,
      hint: "add `role: <a role of models>`, or leave it out",
      path: [name],
    }));
  },
  async run(row, context) {
    const { role } = context.params;
    if (role === undefined) return { out: byGrammar(row, context) };
    // A row that came worded keeps its words unless a model has better ones: they were linted and compared with the others'.
    const present = wordedRow.safeParse(row).success ? (row as WordedRow) : undefined;
    if (context.models.identity(role) === undefined) return { out: present ?? byGrammar(row, context) };
    return byModel(row, present, role, context);
  },
});

function toneProblems(prompt: string, style: readonly string[] | undefined) {
  if (style === undefined || missingSlots(prompt, ["tone"]).length === 0) return [];
  return [
    {
      code: "missing_slot",
      message: "`prompt` has no place for the tone",
      hint: "write {{tone}} where it belongs",
      path: ["prompt"],
    },
  ];
}

function byGrammar(row: ComputedRow, { params, catalog, random }: StageContext<Params>): WordedRow {
  const cards = cardsFor(row, catalog);
  const { question, style } = wordQuestion(row, cards, random("wording", row.id), params.styles);
  return { ...row, question, wording: { by: "grammar/1", style } };
}

async function byModel(
  row: ComputedRow,
  present: WordedRow | undefined,
  role: string,
  context: StageContext<Params>,
): Promise<Outcome<WordedRow>> {
  const { language = "en", style = STYLE, attempts = ATTEMPTS, prompt, fallback } = context.params;
  const tone = context.random("tone", row.id).pick(style);
  const bare = { ...row, gates: row.gates.filter((g) => !JUDGED.has(g.gate)) };
  const { question, tries } = await writeQuestion(bare, { role, language, tone, attempts, prompt }, context);
  const calls = tries.map((t) => t.call);
  if (question !== undefined) {
    const facts = { language, tone, tries: String(tries.length) };
    return { out: { ...bare, question, wording: { by: "model/1", style: facts, calls } } };
  }
  if ((fallback ?? (isEnglish(language) ? "grammar" : "reject")) === "reject") {
    return { reject: { reason: "no_clean_wording", evidence: evidenceJson({ tries }) } };
  }
  const plain = present ?? byGrammar(row, context);
  return { out: { ...plain, wording: { ...plain.wording, calls } } };
}

/** Gates that judge a question: what they said of another one holds no longer. */
const JUDGED: ReadonlySet<string> = new Set(GATES.filter((gate) => gate !== "twice_computed"));
