import { z } from "zod";

const count = z.int().positive();
const seconds = z.number().positive();
const variable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, "the name of an environment variable, not the key itself");

/** Tools that agents may be given; one file each in `tools/`. */
const TOOLS = ["search", "visit", "python"] as const;

/** The config's `environment`: what agents may use, and what is kept from them. */
export const environmentSpec = z.strictObject({
  tools: z
    .array(z.enum(TOOLS))
    .min(1)
    .default([...TOOLS]),
  /** Documents on disk: ids of bundled corpora, or paths relative to the config (Parquet, JSONL, a folder of HTML, Markdown or text). */
  corpus: z.array(z.string().min(1)).default([]),
  search: z
    .strictObject({
      backend: z.enum(["local", "searxng", "brave", "serper", "tavily"]).default("local"),
      /** Of the backend; each has a default but SearXNG, which one runs oneself. */
      base_url: z.string().optional(),
      key_variable: variable.optional(),
      results: count.max(50).default(8),
      timeout: seconds.default(20),
    })
    .prefault({}),
  visit: z
    .strictObject({
      /** Where pages come from, tried in this order. */
      from: z
        .array(z.enum(["corpus", "web"]))
        .min(1)
        .default(["corpus"]),
      timeout: seconds.default(20),
      max_bytes: count.default(5_000_000),
      redirects: z.int().nonnegative().default(5),
      /** Private, loopback and link-local addresses are refused unless listed here (host or host:port), e.g. for a mirror in one's own network. */
      private_hosts: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  python: z
    .strictObject({
      /** One call, wall clock and processor. */
      seconds: seconds.default(30),
      memory_mb: count.default(512),
      processes: count.default(32),
      /** Files that one session may write, together. */
      disk_mb: count.default(64),
      /** An interpreter other than the machine's `python3`; mounted read-only. */
      interpreter: z.string().optional(),
    })
    .prefault({}),
  firewall: z
    .strictObject({
      /** Further hosts, or URL prefixes, to block. */
      block: z.array(z.string().min(1)).default([]),
      /** Hosts or URL prefixes that are no copies of the construction tables, whatever the rules say; the card names them. */
      allow: z.array(z.string().min(1)).default([]),
      /** Whether pages that reproduce a construction table are blocked, wherever they lie. */
      copies: z.boolean().default(true),
    })
    .prefault({}),
  /** Characters of one observation; the rest is reached by the tool's own paging. */
  observation: count.min(200).default(8000),
});
export type EnvironmentSpec = z.infer<typeof environmentSpec>;

const config = z.looseObject({ environment: environmentSpec.nullish() });

/** The environment of a finished dataset, undefined where it has none. @param resolved the config as the manifest keeps it */
export function environmentOf(resolved: unknown): EnvironmentSpec | undefined {
  return config.safeParse(resolved).data?.environment ?? undefined;
}
