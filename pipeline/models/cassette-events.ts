import { z } from "zod";
import type { Json } from "../base/canonical.js";
import {
  type Asker,
  type CallRecord,
  type CassetteRecord,
  FINISHES,
  type Intent,
  type ObservationRecord,
} from "./call.js";

/** What stands in a cassette's files. All of it is untrusted when read: a cassette may come from anywhere. */

const text = z.string();
const key = z.string().regex(/^[0-9a-f]{64}$/, "64 hex digits");
/** What JSON.parse gives is JSON; only absence has to be refused. */
const json = z.custom<Json>((value) => value !== undefined, "a JSON value");
const tokens = z.int().nonnegative();

export const modelIdentity = z.strictObject({ endpoint: text, model: text, revision: text.nullable() });

const usage = z.strictObject({
  input: tokens.nullable(),
  cached_input: tokens.nullable(),
  output: tokens.nullable(),
  reasoning: tokens.nullable(),
});

const identity = modelIdentity.extend({
  messages: json,
  tools: json,
  sampling: json,
  response_format: json,
  sample: tokens,
});

const reply = z.strictObject({
  finish: z.enum(FINISHES),
  text,
  reasoning: text,
  tool_calls: z.array(z.strictObject({ id: text, name: text, arguments: text })),
  note: text,
  model: text,
  usage,
  tokens: z
    .strictObject({
      prompt: z.array(tokens),
      completion: z.array(tokens),
      logprobs: z.array(z.number()).nullable(),
      experts: json,
    })
    .optional(),
});

/** A call and its reply: a line of a shipped cassette, and the core of an `end` in a log. */
const callRecord = z.strictObject({ key, identity, reply }) satisfies z.ZodType<CallRecord>;

const observationRecord = z.strictObject({
  key,
  tool: z.strictObject({
    tool: text,
    version: tokens,
    environment: json,
    arguments: json,
    after: key.nullable(),
  }),
  observation: z.strictObject({
    text,
    ok: z.boolean(),
    fault: z.enum(["unknown_tool", "bad_arguments"]).nullable(),
    urls: z.array(
      z.strictObject({
        url: text,
        how: z.enum(["asked", "redirected", "listed", "served"]),
        blocked: text.nullable(),
        licence: text.optional(),
      }),
    ),
  }),
}) satisfies z.ZodType<ObservationRecord>;

/** A line of a shipped cassette. */
export const cassetteRecord: z.ZodType<CassetteRecord> = z
  .custom<CassetteRecord>()
  .superRefine((value, context) => {
    // A union would not say what is wrong.
    const schema =
      typeof value === "object" && value !== null && "tool" in value ? observationRecord : callRecord;
    for (const issue of schema.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
  });

const asker = { instance: text, role: text, row: text, sample: tokens };

/** What ties an end to its intent, which stands in a file of its own. */
const tie = z.string().regex(/^[0-9a-f]{16}$/, "16 hex digits");

/** A call is about to be sent. */
const intent = z.strictObject({ event: z.literal("intent"), id: tie, key, model: text, ...asker });

/** A call is over. */
const end = callRecord.extend({
  event: z.literal("end"),
  asker: z.strictObject(asker),
  intent: tie.optional(),
});

/** A tool has answered. */
const observed = observationRecord.extend({ event: z.literal("observed") });

/** A call that was to be sent came to nothing, and cost nothing. */
const unbilled = z.strictObject({ event: z.literal("unbilled"), intent: tie });

/** What pruned records of an instance and role took: caps go on counting it. */
const spent = z.strictObject({
  event: z.literal("spent"),
  instance: text,
  role: text,
  calls: tokens,
  unknown: tokens,
  usage: z.strictObject({ input: tokens, cached_input: tokens, output: tokens, reasoning: tokens }),
});

/** A dataset's cassette was written, with these bytes: of what stands above, only what is in it was used. */
const shipped = z.strictObject({ event: z.literal("shipped"), sha256: key });

export type LogEvent =
  | (Intent & { readonly event: "intent"; readonly id: string })
  | (CallRecord & { readonly event: "end"; readonly asker: Asker; readonly intent?: string })
  | (ObservationRecord & { readonly event: "observed" })
  | z.infer<typeof unbilled>
  | z.infer<typeof spent>
  | z.infer<typeof shipped>;

/** A line of a log. */
export const logEvent: z.ZodType<LogEvent> = z.discriminatedUnion("event", [
  intent,
  end,
  observed,
  unbilled,
  spent,
  shipped,
]);

/** First line of a shipped cassette. */
export const shippedHeader = z.strictObject({
  cassette: z.literal("taskmill"),
  version: z.literal(1),
  /** Records that follow: a file cut off between two lines is seen. */
  calls: tokens,
  /** What the roles stood for when it was written: all that `--replay` needs to know of them. */
  models: z.record(text, modelIdentity),
  /** What the tools stood for, likewise. */
  environment: json.optional(),
});
export type ShippedHeader = z.infer<typeof shippedHeader>;
