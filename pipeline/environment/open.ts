import { z } from "zod";
import type { Card } from "../../sources/card.js";
import type { Corpus } from "../../sources/corpus/corpus.js";
import { openCorpus } from "../../sources/corpus/open.js";
import type { Catalog } from "../../sources/table.js";
import type { Environment } from "../../stages/environment.js";
import type { Json } from "../base/canonical.js";
import { TaskmillError } from "../base/errors.js";
import type { Mode } from "../models/call.js";
import type { FileCassette } from "../models/cassette.js";
import { type ObservationStore, RecordedEnvironment, toolOf } from "./environment.js";
import type { FoundEnvironment } from "./find-corpora.js";
import { firewallFor } from "./firewall.js";
import { NO_ENVIRONMENT } from "./none.js";
import { environmentOf } from "./spec.js";
import type { ToolContext, ToolKind } from "./tool.js";
import { toolKinds } from "./tools/index.js";

export interface OpenOptions {
  readonly environment: FoundEnvironment | undefined;
  readonly cards: readonly Card[];
  readonly catalog: Catalog;
  /** Where observations are recorded, and what the recordings say of the tools. */
  readonly cassette: (ObservationStore & Pick<FileCassette, "shipped">) | undefined;
  readonly mode: Mode;
  readonly signal: AbortSignal;
  /** Folder for the index of documents. */
  readonly cache: string;
}

export interface OpenEnvironment extends Environment {
  close(): Promise<void>;
}

const CLOSED = { ...NO_ENVIRONMENT, close: async () => {} };

/**
 * The tools of a run. A replay opens no corpus: what the tools stood for is read from the recordings.
 * @throws TaskmillError for a corpus that cannot be read
 */
export async function openEnvironment(options: OpenOptions): Promise<OpenEnvironment> {
  const { environment, cassette, mode, signal, cards, catalog, cache } = options;
  if (environment === undefined || cassette === undefined) return CLOSED;
  const { spec, corpora } = environment;
  const replay = mode === "replay";
  const corpus: Corpus | undefined =
    replay || corpora.length === 0 ? undefined : await openCorpus(corpora, { cache, signal });
  const context: ToolContext = {
    spec,
    corpus,
    firewall: firewallFor({ spec, cards, catalog }),
    secret: (variable) => process.env[variable],
    signal,
  };
  const recorded = replay ? recordedIdentity(cassette) : undefined;
  const tools = new RecordedEnvironment({
    kinds: kindsOf(spec.tools),
    context,
    store: cassette,
    mode,
    recorded,
  });
  return {
    tools: tools.tools,
    identity: tools.identity,
    open: (asker) => tools.open(asker),
    audit: (observations) => tools.audit(observations),
    close: async () => {
      await tools.close();
      await corpus?.close();
    },
  };
}

/** The tools of a finished dataset: what is recorded of them, and nothing else. @param config as the manifest keeps it */
export async function recordedEnvironment(
  config: unknown,
  options: Pick<OpenOptions, "cards" | "catalog" | "cassette" | "signal">,
): Promise<OpenEnvironment> {
  const spec = environmentOf(config);
  const environment = spec === undefined ? undefined : { spec, corpora: [] };
  return openEnvironment({ ...options, environment, mode: "replay", cache: "" });
}

/** The tools that a config's environment names, as models are told of them in chat requests. @param config as the manifest keeps it */
export function toolsNamedIn(config: unknown): Json[] {
  const names = environmentOf(config)?.tools ?? [];
  return kindsOf(names).map((kind): Json => ({ type: "function", function: { ...toolOf(kind) } }));
}

function kindsOf(names: readonly string[]): readonly ToolKind[] {
  return toolKinds.filter(({ name }) => names.includes(name));
}

const identity = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), version: z.number(), identity: z.json() })),
  observation: z.number(),
});

function recordedIdentity(cassette: Pick<FileCassette, "shipped">): z.infer<typeof identity> | undefined {
  const found = cassette.shipped.find(({ environment }) => environment !== undefined)?.environment as Json;
  if (found === undefined) return undefined;
  const read = identity.safeParse(found);
  if (read.success) return read.data;
  const message = "a cassette says of its tools what this version cannot read";
  throw new TaskmillError("source", [{ code: "cassette_damaged", message, hint: "get the file again" }]);
}
