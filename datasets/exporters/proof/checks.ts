import type { Json } from "../../../pipeline/base/canonical.js";
import { assistants, type Conversation, functionOf, type Turn } from "../conversation.js";
import { commonPrefix, type Layout, layoutOf, Misaligned } from "./mask.js";
import type { ChatTemplate } from "./render.js";
import type { MaskBy, View } from "./view.js";

/** What is looked for in every rendered row. */
export const CHECKS = {
  template: "the template renders the row",
  leaked_null: "nothing that a message lacks appears as null or None",
  lost_tool: "each tool's name is there",
  lost_content: "each message's text is there, in order",
  lost_tool_call: "each call's name and arguments are there, in the message that made it",
  double_encoded: "arguments are JSON, not JSON in a JSON text",
  lost_reasoning: "the reasoning of each message to learn from is there",
  mask: "what is learned from is the text of the messages marked so, and nothing else",
} as const;
export type Check = keyof typeof CHECKS;

/** One thing wrong with a rendered row. */
export interface Failure {
  readonly check: Check;
  /** Place among the conversation's messages, from 0; -1 where it is none in particular. */
  readonly message: number;
  readonly why: string;
}

/**
 * All that is wrong with a row under one template; empty when it is as it should be.
 * @param losses - of this row, by name, that the user accepted
 */
export function failuresOf(
  template: ChatTemplate,
  view: View,
  mask: MaskBy,
  row: Conversation,
  losses: ReadonlySet<string>,
): Failure[] {
  const layout = tryLayout(template, view, mask);
  if ("check" in layout) return [layout];
  const said = assistants(row.turns);
  if (layout.spans.length !== said.length) {
    const why = `${layout.spans.length} stretches are marked as the assistant's, and it wrote ${said.length} messages`;
    return [{ check: "mask", message: -1, why }];
  }
  return [
    ...leakedNulls(template, view, layout, row),
    ...lostTools(layout, row),
    ...lostTexts(layout, row),
    ...(losses.has("message_loss") ? [] : wrongMask(template, view, layout, row)),
  ];
}

function tryLayout(template: ChatTemplate, view: View, mask: MaskBy): Layout | Failure {
  try {
    return layoutOf(template, view, mask);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 200);
    if (error instanceof Misaligned) return { check: "mask", message: error.at, why };
    return { check: "template", message: -1, why };
  }
}

const NULLS = /\b(?:null|None)\b/g;

/** Nulls among the messages, and the words for them in the text beyond those that the row and the template themselves hold. */
function leakedNulls(
  template: ChatTemplate,
  view: View,
  { text }: Layout,
  { turns, tools }: Conversation,
): Failure[] {
  const at = view.messages.findIndex((message) => Object.values(message).some((value) => value === null));
  if (at >= 0) return [{ check: "leaked_null", message: at, why: "it has a member that is null" }];
  const count = (value: string): number => value.match(NULLS)?.length ?? 0;
  const texts = turns.flatMap((t) => [
    t.content,
    t.reasoning ?? "",
    ...t.calls.map((c) => `${c.name} ${c.text}`),
  ]);
  const own = [...texts, JSON.stringify(tools), template.template.text].reduce(
    (sum, value) => sum + count(value),
    0,
  );
  const found = count(text);
  if (found <= own) return [];
  return [
    {
      check: "leaked_null",
      message: -1,
      why: `null or None appears ${found} times, and the row holds it ${own} times`,
    },
  ];
}

function lostTools({ text }: Layout, { tools }: Conversation): Failure[] {
  return tools
    .map(functionOf)
    .filter(({ name }) => !text.includes(name))
    .map(({ name }) => ({ check: "lost_tool", message: -1, why: `the tool ${name} is not in the text` }));
}

/** Walks messages and text side by side: what an assistant wrote must be in its span, all else between spans. */
function lostTexts({ text, spans }: Layout, { turns }: Conversation): Failure[] {
  const failures: Failure[] = [];
  let gap = 0;
  let next = 0;
  turns.forEach((turn, message) => {
    if (turn.role === "assistant") {
      const span = spans[next++]!;
      failures.push(...spoken(turn, text.slice(span.start, span.end), message));
      gap = span.end;
      return;
    }
    const between = text.slice(gap, spans[next]?.start ?? text.length);
    if (!between.includes(turn.content.trim()))
      failures.push({
        check: "lost_content",
        message,
        why: `the text of role ${turn.role} is not where it belongs`,
      });
  });
  return failures;
}

function spoken(turn: Turn, span: string, message: number): Failure[] {
  const failures: Failure[] = [];
  const add = (check: Check, why: string) => void failures.push({ check, message, why });
  if (!span.includes(turn.content.trim()))
    add("lost_content", "its text is not in what is marked as the assistant's");
  // A message that is not learned from was learned from elsewhere, where its reasoning is looked for.
  if (turn.reasoning !== null && turn.loss && !span.includes(turn.reasoning.trim()))
    add("lost_reasoning", "its reasoning is not in the text");
  for (const { name, args } of turn.calls) {
    const lost = [name, ...leaves(args)].find((leaf) => !span.includes(leaf) && !span.includes(inJson(leaf)));
    if (lost !== undefined)
      add("lost_tool_call", `the call of ${name} lacks ${JSON.stringify(lost.slice(0, 60))}`);
    if (doubleEncoded(span, Object.keys(args)[0], turn))
      add("double_encoded", `the arguments of ${name} stand there as JSON in a JSON text`);
  }
  return failures;
}

/** Texts and whole numbers of the arguments, as any template prints them. */
function leaves(value: Json | undefined): string[] {
  if (typeof value === "string") return [value.trim()];
  if (typeof value === "number") return Number.isSafeInteger(value) ? [String(value)] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((item) => leaves(item as Json));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A key between escaped quotes, more often than the message's own texts have it. */
function doubleEncoded(span: string, key: string | undefined, { content, reasoning, calls }: Turn): boolean {
  if (key === undefined) return false;
  const escaped = `\\"${inJson(key)}\\"`;
  const times = (where: string): number => where.split(escaped).length - 1;
  const own = calls.map(({ args, text }) => Math.max(times(JSON.stringify(args)), times(text)));
  return times(span) > own.reduce((sum, n) => sum + n, times(content) + times(reasoning ?? ""));
}

/** The flags of the reader against those of the row, and the cut between prompt and completion against both. */
function wrongMask(
  template: ChatTemplate,
  view: View,
  { text, spans }: Layout,
  { turns }: Conversation,
): Failure[] {
  const places = turns.flatMap(({ role }, i) => (role === "assistant" ? [i] : []));
  const wrong = places.find((place, k) => view.learned[k] !== turns[place]!.loss);
  if (wrong !== undefined) {
    const why = turns[wrong]!.loss ? "the reader would not learn from it" : "the reader would learn from it";
    return [{ check: "mask", message: wrong, why }];
  }
  if (view.completion === undefined) return [];
  const prompt = unmarked(template.render(view.messages.slice(0, view.completion), view.tools, true));
  const cut = commonPrefix(prompt, text);
  const first = view.learned.indexOf(true);
  const [before, after] = [spans[first - 1], spans[first]];
  // A prompt that the whole begins with ends with what the reader puts before every answer, which some templates mark as the assistant's.
  const end = cut === prompt.length ? after?.end : after?.start;
  if (end !== undefined && cut <= end && cut >= (before?.end ?? 0)) return [];
  return [
    {
      check: "mask",
      message: places[first] ?? -1,
      why: "the completion does not begin where the prompt ends",
    },
  ];
}

/** The marks of {@link ChatTemplate} are of no length for a reader. */
function unmarked(text: string): string {
  return text.replace(/[\u{f5a10}\u{f5a11}]/gu, "");
}
