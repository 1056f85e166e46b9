import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ModelIdentity } from "../../stages/model.js";
import type { Recordings } from "../../stages/recordings.js";
import type { Json } from "../base/canonical.js";
import { systemClock } from "../base/clock.js";
import type { Listener } from "../events.js";
import { CASSETTE } from "../finish.js";
import type { ModelAccess } from "../rounds.js";
import type { BatchOptions } from "./batch.js";
import { Budget } from "./budget.js";
import type { Mode } from "./call.js";
import { CALLS, type FileCassette, LOG, openCassette } from "./cassette.js";
import type { ModelClient } from "./client.js";
import { CallMeter, pendingNote } from "./meter.js";
import { NO_MODELS } from "./none.js";
import { asReply } from "./replies.js";
import type { Role } from "./role.js";
import { type BudgetSpec, modelSpec } from "./spec.js";
import type { Transport } from "./transport.js";

export interface ModelOptions {
  readonly roles: ReadonlyMap<string, Role>;
  readonly budget: BudgetSpec | undefined;
  readonly mode: Mode;
  /** A cassette of another run, besides what is in the directory. */
  readonly cassette?: string;
  readonly signal: AbortSignal;
  readonly onEvent: Listener;
}

/** The models of a run, with its recorded calls and its budget. */
export interface OpenModels extends ModelAccess {
  /** Writes the calls that were used to `path`; nothing where the config has no roles. */
  ship(path: string, environment: Json): Promise<void>;
  /** What was and is recorded, for tools; undefined where the config has no roles. */
  readonly cassette: FileCassette | undefined;
  /** Waits for calls in flight, then closes the recordings. */
  close(): Promise<void>;
}

/**
 * Opens what is recorded in a run directory, in its dataset and in another cassette, and the way to the endpoints.
 * @throws TaskmillError (source) for recordings that cannot be read
 */
export async function openModels(dir: string, options: ModelOptions): Promise<OpenModels> {
  const { roles, mode, signal } = options;
  if (roles.size === 0)
    return { ...NO_MODELS, cassette: undefined, ship: async () => {}, close: async () => {} };
  const calls = join(dir, CALLS);
  // What the dataset ships came out of the log; without one it serves in its place.
  const own = mode === "replay" || (mode === "auto" && !existsSync(join(calls, LOG)));
  const also = shippedIn(own ? dir : undefined, options.cassette);
  const cassette = await openCassette(calls, { mode, also });
  const budget = new Budget(options.budget, cassette.spent(), roles);
  const meter = new CallMeter(budget, options.onEvent);
  const onEvent = meter.listen;
  const connect = async (): Promise<ModelClient> => {
    const transport = await transports({ calls, fresh: mode === "refresh", onEvent });
    return newClient({ roles, cassette, budget, mode, signal, onEvent, transport });
  };
  const client = allOff(roles) ? undefined : await connect();
  for (const message of notes(cassette)) options.onEvent({ type: "note", message });
  return {
    ...(client === undefined ? NO_MODELS : accessTo(client, roles, recordingsIn(cassette))),
    flush: (instance) => meter.flush(instance),
    cassette: client === undefined ? undefined : cassette,
    ship: async (path, environment) => {
      if (client !== undefined) await cassette.writeShipped(path, { models: identities(roles), environment });
    },
    close: async () => {
      await client?.close();
      await cassette.close();
    },
  };
}

/**
 * The models of a finished dataset: its recorded calls, and nothing else.
 * @param resolved the config as the manifest keeps it
 */
export async function recordedModels(
  dir: string,
  resolved: unknown,
  signal: AbortSignal,
): Promise<Omit<OpenModels, "ship">> {
  const roles = rolesOf(resolved);
  const file = join(dir, CASSETTE);
  if (allOff(roles)) return { ...NO_MODELS, cassette: undefined, close: async () => {} };
  const cassette = await openCassette(join(dir, "(none)"), {
    mode: "replay",
    also: existsSync(file) ? [file] : [],
  });
  const budget = new Budget(undefined);
  const client = await newClient({ roles, cassette, budget, mode: "replay", signal, onEvent: () => {} });
  const close = async (): Promise<void> => {
    await client.close();
    await cassette.close();
  };
  return { ...accessTo(client, roles, recordingsIn(cassette)), cassette, close };
}

/** What each role stood for when a dataset's calls, or another cassette's, were recorded. */
export async function recordedRoles(
  dir: string,
  cassette: string | undefined,
): Promise<Record<string, ModelIdentity>> {
  const found: Record<string, ModelIdentity> = {};
  const also = shippedIn(dir, cassette);
  const open: FileCassette = await openCassette(join(dir, "(none)"), { mode: "replay", also });
  for (const { models } of open.shipped) for (const [role, of] of Object.entries(models)) found[role] ??= of;
  await open.close();
  return found;
}

/** What a crash left behind: people may want to look at their bill. */
function notes({ pending, torn, path }: FileCassette): string[] {
  const lost =
    torn === 0 ? undefined : `${torn} torn lines in ${path} are passed over; their calls are made again`;
  return [pendingNote(pending), lost].filter((note) => note !== undefined);
}

function shippedIn(dir: string | undefined, cassette: string | undefined): string[] {
  const own = dir === undefined ? undefined : join(dir, CASSETTE);
  return [cassette, own].filter(
    (path): path is string => path !== undefined && (path === cassette || existsSync(path)),
  );
}

/** Nobody can be asked anything: of no roles, too. */
function allOff(roles: ReadonlyMap<string, Role>): boolean {
  return [...roles.values()].every((role) => role.off);
}

/** The SDK takes 0.2 s to load, and most runs have no models. */
async function newClient(options: ConstructorParameters<typeof ModelClient>[0]): Promise<ModelClient> {
  const { ModelClient } = await import("./client.js");
  return new ModelClient(options);
}

/** One by one over HTTP, or by the endpoint's batches where a role says so. */
async function transports(
  options: Pick<BatchOptions, "calls" | "fresh" | "onEvent">,
): Promise<(role: Role) => Transport> {
  const [{ batchTransport }, { httpTransport }] = await Promise.all([
    import("./batch.js"),
    import("./http-transport.js"),
  ]);
  return (role) =>
    role.spec.batch === undefined
      ? httpTransport(role)
      : batchTransport({ ...options, role, clock: systemClock });
}

function accessTo(
  client: ModelClient,
  roles: ReadonlyMap<string, Role>,
  recordings: Recordings,
): ModelAccess {
  return {
    forInstance: (id) => client.forInstance(id),
    recordings,
    rowsAtOnce: (names) => names.reduce((sum, name) => sum + callsAtOnce(roles.get(name)), 0),
    flush: () => {},
  };
}

/** What stages may read of the recorded calls. */
function recordingsIn(cassette: FileCassette): Recordings {
  return {
    call: (name) => {
      const record = cassette.record(name);
      if (record === undefined) return undefined;
      const { messages, tools } = record.identity;
      return { messages: messages as Json[], tools: tools as Json[], reply: asReply(name, record.reply) };
    },
    observation: (name) => {
      const found = cassette.observation(name);
      return found === undefined ? undefined : { call: name, ...found };
    },
  };
}

function callsAtOnce(role: Role | undefined): number {
  if (role === undefined || role.off) return 0;
  // Twice the places: a row whose reply is on its way to the disk leaves its place to another.
  return role.spec.batch?.most ?? 2 * role.spec.limits.concurrency;
}

function identities(roles: ReadonlyMap<string, Role>): Record<string, ModelIdentity> {
  return Object.fromEntries([...roles].filter(([, r]) => !r.off).map(([name, r]) => [name, r.identity]));
}

const resolvedModels = z.object({ models: z.record(z.string(), modelSpec) });

/** A manifest keeps of each role what its recorded calls are named by. */
function rolesOf(resolved: unknown): Map<string, Role> {
  const parsed = resolvedModels.safeParse(resolved);
  if (!parsed.success) return new Map();
  return new Map(
    Object.entries(parsed.data.models).map(([name, spec]) => {
      const { base_url, model, revision = null } = spec;
      const identity = { endpoint: spec.endpoint ?? base_url, model, revision };
      return [name, { name, spec, identity, key: undefined, off: base_url === "" || model === "" }];
    }),
  );
}
