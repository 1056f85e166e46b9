import type { ChatTemplate } from "./render.js";
import { END, START } from "./render.js";
import type { ChatMessage, MaskBy, View } from "./view.js";

/** What one assistant message is in the rendered text, as the reader finds it: from `start`, up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The rendered conversation, and where the assistant's text is in it. */
export interface Layout {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** A reader that cannot find the assistant's text: `at` is the message that it stumbles over, or -1 for none in particular. */
export class Misaligned extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** Renders a view and finds the spans as its reader does. @throws {@link Misaligned}, or what the template raises */
export function layoutOf(template: ChatTemplate, view: View, mask: MaskBy): Layout {
  switch (mask) {
    case "tags":
      return byTags(template, view);
    case "prefix":
      return byPrefix(template, view);
    case "each":
      return byEach(template, view);
    case "diff":
      return byDiff(template, view);
  }
}

function assistantPlaces(messages: readonly ChatMessage[]): number[] {
  return messages.flatMap(({ role }, i) => (role === "assistant" ? [i] : []));
}

function byTags(template: ChatTemplate, { messages, tools }: View): Layout {
  if (!template.tagged) throw new Misaligned(-1, "the template marks no text as the assistant's");
  const spans: Span[] = [];
  let text = "";
  const [before, ...parts] = template.render(messages, tools).split(START);
  text += before;
  for (const part of parts) {
    const [inside = "", outside = "", ...more] = part.split(END);
    if (more.length > 0) throw new Misaligned(-1, "the template's generation tags do not pair");
    spans.push({ start: text.length, end: text.length + inside.length });
    text += inside + outside;
  }
  return { text, spans };
}

/** Prefixes that the whole does not begin with would be learned at other places than they are read. */
function byPrefix(template: ChatTemplate, { messages, tools }: View): Layout {
  const text = plain(template.render(messages, tools));
  const spans = assistantPlaces(messages).map((i) => {
    const before = plain(template.render(messages.slice(0, i), tools, true));
    const after = plain(template.render(messages.slice(0, i + 1), tools));
    if (!after.startsWith(before))
      throw new Misaligned(i, "what stands before it is rendered otherwise once it is there");
    if (!text.startsWith(after))
      throw new Misaligned(i, "it is rendered otherwise when later messages follow");
    return { start: before.length, end: after.length };
  });
  return { text, spans };
}

/** verl renders message by message, takes the default system prompt off, and stops where the parts do not add up to the whole. */
function byEach(template: ChatTemplate, { messages, tools }: View): Layout {
  const render = (some: readonly ChatMessage[], generate = false): string =>
    plain(template.render(some, [], generate));
  const empty: ChatMessage = { role: "user", content: "" };
  const one = render([empty]);
  const system = one.length - (render([empty, empty]).length - one.length);
  const generation = render([empty], true).length - one.length;
  const spans: Span[] = [];
  let text = "";
  messages.forEach((message, i) => {
    const whole = i === 0 ? plain(template.render([message], tools)) : render([message]);
    const part = i !== 0 && message.role !== "system" ? whole.slice(system) : whole;
    if (message.role === "assistant")
      spans.push({ start: text.length + generation, end: text.length + part.length });
    text += part;
  });
  const together = plain(template.render(messages, tools));
  if (text !== together)
    throw new Misaligned(
      messageAt(text, together, spans, messages),
      "rendered alone it is not what it is in the conversation",
    );
  return { text, spans };
}

/** The assistant message at which two texts begin to differ. */
function messageAt(
  text: string,
  other: string,
  spans: readonly Span[],
  messages: readonly ChatMessage[],
): number {
  const at = commonPrefix(text, other);
  const span = spans.findIndex(({ end }) => at < end);
  return span < 0 ? -1 : assistantPlaces(messages)[span]!;
}

/** axolotl puts other words in a message's place, twice, and takes the widest stretch that then differs. */
function byDiff(template: ChatTemplate, { messages, tools }: View): Layout {
  const text = plain(template.render(messages, tools));
  const spans = assistantPlaces(messages).map((i) => {
    const ends = ["[[dummy_message]]", "zzdummymessagezz"].map((content) => {
      const other = [...messages.slice(0, i), { role: "assistant", content }, ...messages.slice(i + 1)];
      return difference(text, plain(template.render(other, tools)));
    });
    const span = { start: Math.min(...ends.map((e) => e.start)), end: Math.max(...ends.map((e) => e.end)) };
    if (span.end <= span.start)
      throw new Misaligned(i, "other words in its place change nothing: it is not rendered");
    return span;
  });
  return { text, spans };
}

function difference(text: string, other: string): Span {
  const start = commonPrefix(text, other);
  let end = text.length;
  let to = other.length;
  while (end > start && to > start && text[end - 1] === other[to - 1]) {
    end--;
    to--;
  }
  return { start, end };
}

export function commonPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  return at;
}

function plain(text: string): string {
  return text.replaceAll(START, "").replaceAll(END, "");
}
