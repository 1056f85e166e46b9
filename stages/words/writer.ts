import { z } from "zod";
import type { Finding } from "../../verifiers/findings.js";
import { lintQuestion } from "../lint.js";
import type { Message } from "../model.js";
import { fillPrompt, promptText } from "../prompts.js";
import type { StageContext } from "../stage.js";
import type { ComputedRow } from "../task.js";
import { briefOf } from "./brief.js";
import { isEnglish } from "./language.js";
import { cardsFor } from "./reads.js";

/** One try, for evidence: the question and what is wrong with it, or why there is none. */
export type Try =
  | { readonly call: string; readonly question: string; readonly findings: readonly Finding[] }
  | { readonly call: string; readonly why: string; readonly message: string };

export interface Writing {
  readonly role: string;
  readonly language: string;
  readonly tone: string;
  readonly attempts: number;
  /** In place of the bundled system prompt. */
  readonly prompt: string | undefined;
}

const schema = { name: "question", type: z.strictObject({ question: z.string() }) };

/** Evidence keeps so much of a question. */
const SHOWN = 4000;
const MOST_FINDINGS = 20;

/**
 * Asks for a question until one passes the lint. Each try but the first follows the last question and what was wrong with it.
 * @throws what `Models.ask` throws
 */
export async function writeQuestion(
  row: ComputedRow,
  { role, language, tone, attempts, prompt }: Writing,
  { models, catalog }: Pick<StageContext<unknown>, "models" | "catalog">,
): Promise<{ question: string | undefined; tries: Try[] }> {
  const cards = cardsFor(row, catalog);
  const english = isEnglish(language);
  const said = { language: english ? "English" : `the language with the tag “${language}”`, tone };
  const start: Message[] = [
    { role: "system", content: fillPrompt(prompt ?? promptText("write"), said) },
    { role: "user", content: briefOf(row, cards, english) },
  ];
  const tries: Try[] = [];
  let messages = start;
  for (let sample = 0; sample < attempts; sample++) {
    const reply = await models.ask({ role, row: row.id, messages, sample, schema });
    if (!reply.ok || reply.value === undefined) {
      const why = reply.ok ? "unstructured" : reply.why;
      tries.push({ call: reply.call, why, message: reply.ok ? "" : reply.message });
      // A longer prompt than the model reads stays one.
      if (why === "context_length") break;
      continue;
    }
    const question = cleaned(reply.value.question);
    const wording = { by: "model/1", style: { language } };
    const findings = lintQuestion({ ...row, question, wording }, catalog);
    tries.push({
      call: reply.call,
      question: question.slice(0, SHOWN),
      findings: findings.slice(0, MOST_FINDINGS),
    });
    if (findings.length === 0) return { question, tries };
    messages = [
      ...start,
      { role: "assistant", content: JSON.stringify({ question: question.slice(0, SHOWN) }) },
      { role: "user", content: fillPrompt(promptText("repair"), { findings: listed(findings) }) },
    ];
  }
  return { question: undefined, tries };
}

/** Line ends and outer spaces are no matter of wording. */
function cleaned(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\r\n\t]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** What a writer is told in place of a finding that would itself give away what it must not know. */
const DISCREET: Readonly<Record<string, string>> = {
  name_leaked: "the question names an entity; name none",
  value_leaked:
    "the question holds a number that the brief does not ask for; use the brief's numbers and no others",
  source_named: "the question names a data source, a publisher or an address; name none",
};

/** Findings for the writer, each once. */
function listed(findings: readonly Finding[]): string {
  const texts = findings.map(({ code, what, where }) => {
    return DISCREET[code] ?? (where === undefined ? what : `${what}: “${where}”`);
  });
  return [...new Set(texts)]
    .slice(0, MOST_FINDINGS)
    .map((t) => `- ${t}`)
    .join("\n");
}
