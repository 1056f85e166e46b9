/**
 * What the assistant said itself, told apart from prompts, observations, tool calls and hidden channels in one decoded text. Knows the
 * markup of the common template families, and what is left of it where special tokens were skipped in decoding.
 */
import {
  BRACKETED,
  CALLED,
  CHANNEL_GLUED,
  HALF,
  OBSERVED,
  ROLE_GLUED,
  ROLE_LINE,
  TOKEN,
  TURNS,
} from "./markup.js";

/** Whose text it is: the assistant's words; its calls and hidden channels, which are no words; anybody else's. */
type Whose = "assistant" | "silent" | "other";

const MARKED = String.raw`${TOKEN}|${HALF}|<(/?)(${OBSERVED}|${CALLED}|${TURNS})>|\[(/?)(${BRACKETED})\]|</s>|<eos>`;
const MARKS = new RegExp(MARKED, "g");
const PLAIN_MARKS = new RegExp(`${MARKED}|${ROLE_LINE}|${ROLE_GLUED}|${CHANNEL_GLUED}`, "g");
/** Signs that name whose turn it is. Where one stands, words alone name nobody. */
const TURN_SIGN =
  /<[|｜](?:im_start|im_assistant|im_user|im_system|start_header_id|header_start|start|channel|user|assistant|observation|tool▁outputs▁begin|tool▁output▁begin|START_OF_TURN_TOKEN)[|｜]>|<\|turn>|<start_of_turn>|\[\/?(?:INST|TOOL_RESULTS)\]/i;
/** A text that begins in the hidden channel of gpt-oss, its signs left out. */
const GLUED_THOUGHT = /^analysis[\s\S]*assistant(?:analysis|commentary|final)/;
/** The rest of a header: the role or channel, up to the next sign or the end of the line. */
const HEADER = /[^\n<]{0,200}\n?/y;

/** Tokens behind which a role is named. */
const NAMING = new Set(["im_start", "start_header_id", "header_start", "start"]);
/** Tokens that are a role. */
const OWN = new Set(["assistant", "im_assistant", "chatbot_token"]);
const OTHERS = new Set(
  "user system observation tool developer function im_user im_system user_token system_token".split(" "),
);
const ENDING = new Set(
  "im_end eot_id eom_id eot eom end return call endoftext end_of_text end_of_sentence end_of_turn_token".split(
    " ",
  ),
);
const OBSERVING = new Set("tool_outputs_begin tool_output_begin start_tool_result tool_response".split(" "));
const OBSERVED_ENDS = new Set("tool_outputs_end tool_output_end end_tool_result".split(" "));
const SILENT = new Set(
  "tool_calls_begin tool_call_begin tool_calls_section_begin python_tag start_action start_thinking".split(
    " ",
  ),
);
const SILENT_ENDS = new Set(
  "tool_calls_end tool_call_end tool_calls_section_end end_action end_thinking start_response end_response".split(
    " ",
  ),
);

/**
 * The assistant's turns in a text that begins in one, in order; a turn of calls or thoughts alone is an empty one.
 * @param plain whether roles may stand without their signs, as in a text decoded without special tokens
 */
export function turnsIn(text: string, plain: boolean): string[] {
  const bare = plain && !TURN_SIGN.test(text);
  const marks = bare ? PLAIN_MARKS : MARKS;
  const reader = new Reader(text, bare && GLUED_THOUGHT.test(text) ? "silent" : "assistant");
  for (const mark of text.matchAll(marks)) reader.at(mark);
  return reader.finished();
}

class Reader {
  private readonly turns: string[] = [];
  private said = "";
  /** Whether the turn has anything in it, if only calls. */
  private busy = false;
  /** Whose turn it is, whatever the channel. */
  private speaker: "assistant" | "other" = "assistant";
  /** Inside tags: what closes them, and whose text it was before. */
  private block: { readonly closes: string; readonly before: Whose } | undefined;
  private from = 0;

  constructor(
    private readonly text: string,
    private whose: Whose,
  ) {}

  at(mark: RegExpMatchArray): void {
    if (mark.index! < this.from) return;
    const [sign, token, opening, closing, tagEnd, tag, bracketEnd, bracket] = mark;
    this.take(mark.index!);
    this.from = mark.index! + sign.length;
    if (token !== undefined) this.token(token.toLowerCase().replaceAll("▁", "_"));
    else if (opening !== undefined) this.opened(opening);
    else if (closing !== undefined) this.closed(closing);
    else if (tag !== undefined) this.tagged(tag, tagEnd === "/");
    else if (bracket !== undefined) this.bracketed(bracket, bracketEnd === "/");
    else if (sign === "</s>" || sign === "<eos>") this.pass("other");
    else if (this.block === undefined) this.word(sign);
  }

  finished(): string[] {
    this.take(this.text.length);
    this.endTurn();
    return this.turns;
  }

  private take(to: number): void {
    if (this.whose === "other" || to <= this.from) return;
    const piece = this.text.slice(this.from, to);
    if (this.whose === "assistant") this.said += piece;
    if (!this.busy) this.busy = /\S/.test(piece);
  }

  private endTurn(): void {
    if (this.busy) this.turns.push(this.said);
    this.said = "";
    this.busy = false;
  }

  /** The text is somebody's from here on; tags that were left open are closed. */
  private pass(to: Whose): void {
    this.whose = to;
    this.block = undefined;
  }

  private begin(speaker: "assistant" | "other"): void {
    this.endTurn();
    this.speaker = speaker;
    this.pass(speaker);
  }

  private header(): string {
    HEADER.lastIndex = this.from;
    const header = HEADER.exec(this.text)![0];
    this.from += header.length;
    return header.trim();
  }

  private named(): void {
    const header = this.header();
    const own = /^(?:assistant|model)(?![A-Za-z0-9_])/.test(header);
    this.begin(own ? "assistant" : "other");
    if (own && header.includes("to=")) this.whose = "silent";
  }

  private token(name: string): void {
    if (NAMING.has(name)) this.named();
    else if (OWN.has(name)) this.addressed("assistant", name);
    else if (OTHERS.has(name)) this.addressed("other", name);
    else if (ENDING.has(name)) this.pass("other");
    else if (OBSERVING.has(name)) this.pass("other");
    else if (OBSERVED_ENDS.has(name)) this.begin("assistant");
    else if (SILENT.has(name)) this.pass("silent");
    else if (SILENT_ENDS.has(name) && this.speaker === "assistant") this.pass("assistant");
    else if (name === "channel") this.channel(this.header());
  }

  /** Kimi writes a name behind the role. */
  private addressed(speaker: "assistant" | "other", name: string): void {
    if (name.startsWith("im_")) this.header();
    this.begin(speaker);
  }

  /** Channels of gpt-oss: what is final, or said on the way to nobody but the user, are words. */
  private channel(name: string): void {
    if (this.speaker !== "assistant") return;
    const spoken = name.startsWith("final") || (name.startsWith("commentary") && !name.includes("to="));
    this.pass(spoken && this.whose !== "silent" ? "assistant" : "silent");
  }

  private opened(name: string): void {
    if (name === "turn") this.named();
    else if (name === "tool_response") this.pass("other");
    else if ((name === "tool_call" || name === "channel") && this.speaker === "assistant")
      this.pass("silent");
  }

  private closed(name: string): void {
    if (name === "turn") this.pass("other");
    else if (name === "tool_response") this.begin("assistant");
    else if ((name === "tool_call" || name === "channel") && this.speaker === "assistant")
      this.pass("assistant");
  }

  private tagged(tag: string, ends: boolean): void {
    if (tag === "start_of_turn") this.named();
    else if (tag === "end_of_turn") this.pass("other");
    else if (tag === "start_function_response") this.pass("other");
    else if (tag === "end_function_response") this.begin("assistant");
    else if (ends) this.close(tag);
    else if (this.block === undefined) this.open(tag);
  }

  private open(tag: string): void {
    this.block = { closes: tag, before: this.whose };
    if (this.whose === "assistant") this.whose = isObserved(tag) ? "other" : "silent";
  }

  private close(tag: string): void {
    if (this.block?.closes !== tag) return;
    const { before } = this.block;
    if (isObserved(tag) && before === "assistant") this.begin("assistant");
    else this.pass(before);
  }

  private bracketed(name: string, ends: boolean): void {
    const answered = name === "INST" || name === "TOOL_RESULTS";
    if (name === "TOOL_CALLS") this.pass("silent");
    else if (name === "TOOL_CONTENT") return;
    else if (ends && answered) this.begin("assistant");
    else this.pass("other");
  }

  /** A role without signs around it. */
  private word(role: string): void {
    const before = this.text.slice(Math.max(0, this.from - role.length - 3), this.from - role.length);
    const own = (role === "assistant" || role === "model") && before !== "to=";
    this.begin(own ? "assistant" : "other");
    const channel = /^(?:analysis|commentary to=|commentary|final)/.exec(
      this.text.slice(this.from, this.from + 20),
    )?.[0];
    if (!own || channel === undefined) return;
    this.from += channel.length;
    if (channel !== "final" && channel !== "commentary") this.whose = "silent";
  }
}

const isObserved = (tag: string): boolean => OBSERVED.split("|").includes(tag);
