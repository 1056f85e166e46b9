import { z } from "zod";

const positive = z.number().positive();
const count = z.number().int().positive();
const price = z.number().nonnegative();

/** One role of the config's `models`. A role whose `base_url` or `model` is empty is off: gates that need it do not run. */
export const modelSpec = z.strictObject({
  /** Of an OpenAI-compatible endpoint, e.g. `http://localhost:8000/v1`. */
  base_url: z.string(),
  model: z.string(),
  /** Environment variable that holds the key. Never the key itself. */
  key_variable: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, "the name of an environment variable, not the key itself")
    .optional(),
  /** Which weights or snapshot: part of what names a call, for endpoints whose model names stay while models change. */
  revision: z.string().min(1).optional(),
  /** Stands for `base_url` in recorded calls, so that a server that moves keeps them. */
  endpoint: z.string().min(1).optional(),
  sampling: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      top_p: z.number().gt(0).max(1).optional(),
      max_tokens: count.default(1024),
      /** Draw k of a prompt is asked for with this number + k; `false` sends none. */
      seed: z.union([z.int().nonnegative(), z.literal(false)]).default(0),
      stop: z.array(z.string().min(1)).max(4).optional(),
      /** Further members of the request, e.g. `{ reasoning_effort: low }`. */
      extra: z.record(z.string(), z.json()).default({}),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Most calls in flight at this endpoint; the client finds out by itself how many of them it bears. */
      concurrency: count.default(16),
      requests_per_minute: positive.optional(),
      tokens_per_minute: positive.optional(),
      /** Seconds until a call without an end is given up. */
      timeout: positive.default(180),
      /** Tries of one call before it counts as failed. */
      attempts: count.default(8),
      /** Most seconds between two tries, whatever `Retry-After` says. */
      max_wait: positive.default(60),
    })
    .prefault({}),
  /** Money per million tokens, in the budget's currency. */
  price: z
    .strictObject({
      input: price,
      cached_input: price.optional(),
      output: price,
      batch_discount: z.number().min(0).max(1).default(0),
    })
    .optional(),
  /** How JSON is asked for: by schema where the endpoint has it, else by prompt. `auto` tries in this order. */
  structured: z.enum(["auto", "json_schema", "json_object", "prompt"]).default("auto"),
  stream: z.boolean().default(false),
  /** Sends calls by `/v1/batches` instead of one by one. */
  batch: z.strictObject({ poll: positive.default(30), most: count.default(50_000) }).optional(),
  /** What becomes of a row whose call fails for good: `stop` keeps it for the next run, `reject` records the failure. */
  failures: z.enum(["stop", "reject"]).default("stop"),
});
export type ModelSpec = z.infer<typeof modelSpec>;

const cap = { calls: count.optional(), tokens: count.optional(), cost: positive.optional() };

/** Caps that are looked at before each call, over all runs into one directory. */
export const budgetSpec = z.strictObject({
  ...cap,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a currency code such as USD")
    .default("USD"),
  /** By stage instance. */
  stages: z.record(z.string(), z.strictObject(cap)).default({}),
});
export type BudgetSpec = z.infer<typeof budgetSpec>;
