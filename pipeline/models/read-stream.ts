import { z } from "zod";
import { errorBody } from "./read-refusal.js";
import { argumentsText, type WireToolCall } from "./read-tool-calls.js";

const toolDelta = z.looseObject({
  index: z.int().nonnegative().nullish().catch(null),
  id: z.string().nullish().catch(null),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
});
const delta = z.looseObject({
  content: z.string().nullish().catch(null),
  refusal: z.string().nullish().catch(null),
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z.array(toolDelta).nullish().catch(null),
});
const chunk = z.looseObject({
  model: z.string().nullish().catch(null),
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish().catch(null),
        delta: delta.nullish(),
        finish_reason: z.string().nullish(),
        usage: z.unknown().optional(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});
type Chunk = z.infer<typeof chunk>;
type ToolDelta = z.infer<typeof toolDelta>;

interface OpenCall {
  index: number | null | undefined;
  id: string;
  name: string;
  arguments: string;
}

/** What a call counts for by itself, since a stream of calls without arguments need not end either. */
const CALL = 1000;

/** Puts the chunks of a stream together to the body that would have come without one; `readReply` judges it as it judges any. */
export class StreamedBody {
  #model = "";
  #content: string | null = null;
  #reasoning = "";
  #refusal = "";
  #finish: string | null = null;
  #usage: unknown = null;
  #error: unknown;
  readonly #calls: OpenCall[] = [];
  /** Characters so far. */
  length = 0;

  add(value: unknown): void {
    const parsed = chunk.safeParse(value);
    if (errorBody(value) !== undefined || !parsed.success) {
      this.#error ??= value;
      return;
    }
    if (parsed.data.model) this.#model = parsed.data.model;
    if (parsed.data.usage) this.#usage = parsed.data.usage;
    for (const choice of parsed.data.choices ?? []) if ((choice.index ?? 0) === 0) this.#choice(choice);
  }

  #choice({ delta, finish_reason, usage }: NonNullable<Chunk["choices"]>[number]): void {
    if (finish_reason) this.#finish = finish_reason;
    if (usage) this.#usage = usage;
    if (!delta) return;
    const { content, reasoning_content, reasoning, refusal } = delta;
    if (typeof content === "string") this.#content = (this.#content ?? "") + content;
    this.#reasoning += reasoning_content || reasoning || "";
    this.#refusal += refusal ?? "";
    this.length +=
      (content ?? "").length + (reasoning_content || reasoning || "").length + (refusal ?? "").length;
    for (const call of delta.tool_calls ?? []) this.#toolCall(call);
  }

  /** Some servers leave the index out, or give each call the same: a new name under a new id is a new call. */
  #toolCall({ index, id, function: fn }: ToolDelta): void {
    const known = this.#calls.findLast((c) => (typeof index === "number" ? c.index === index : true));
    const other = known !== undefined && !!fn?.name && !!id && known.id !== "" && known.id !== id;
    const another = typeof index !== "number" && !!fn?.name;
    let call = known;
    if (call === undefined || other || another) {
      call = { index, id: "", name: "", arguments: "" };
      this.#calls.push(call);
      this.length += CALL;
    }
    if (id) call.id = id;
    // Whole names come once; a server that repeats it with each piece means the same.
    if (fn?.name && call.name !== fn.name) call.name += fn.name;
    const piece = fn?.arguments;
    const text =
      typeof piece === "string" ? piece : piece === undefined || piece === null ? "" : argumentsText(piece);
    call.arguments += text;
    this.length += text.length + (id ?? "").length + (fn?.name ?? "").length;
  }

  /** The body as a whole. */
  body(): unknown {
    if (this.#error !== undefined) return this.#error;
    const calls: WireToolCall[] = this.#calls.map((c) => ({
      id: c.id,
      function: { name: c.name, arguments: c.arguments },
    }));
    return {
      model: this.#model,
      choices: [
        {
          finish_reason: this.#finish,
          message: {
            content: this.#content,
            reasoning_content: this.#reasoning,
            refusal: this.#refusal,
            tool_calls: calls,
          },
        },
      ],
      usage: this.#usage,
    };
  }
}
