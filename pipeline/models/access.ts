import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ModelIdentity, Models } from "../../stages/model.js";
import { fail } from "../base/errors.js";
import { CASSETTE } from "../finish.js";
import type { ModelAccess } from "../rounds.js";
import { Budget } from "./budget.js";
import type { Intent, Mode } from "./call.js";
import type { OnCallEvent } from "./call-events.js";
import { type FileCassette, openCassette } from "./cassette.js";
import { ModelClient } from "./client.js";
import type { Role } from "./role.js";
import { type BudgetSpec, modelSpec } from "./spec.js";

/** Where a run directory keeps its log of calls. */
const CALLS = "calls";

export interface ModelOptions {
  readonly roles: ReadonlyMap<string, Role>;
  readonly budget: BudgetSpec | undefined;
  readonly mode: Mode;
  /** A cassette of another run, besides what is in the directory. */
  readonly cassette?: string;
  readonly signal: AbortSignal;
  readonly onCall?: OnCallEvent;
}

/** The models of a run, with its recorded calls and its budget. */
export interface OpenModels extends ModelAccess {
  readonly budget: Budget;
  /** Calls of earlier processes that may have been billed without a reply. */
  readonly pending: readonly Intent[];
  /** Lines of the log that a kill or a fault of the disk spoilt. */
  readonly torn: number;
  /** Writes the calls that were used to `path`; nothing where the config has no roles. */
  ship(path: string): Promise<void>;
  /** Waits for calls in flight, then closes the recordings. */
  close(): Promise<void>;
}

/**
 * Opens what is recorded in a run directory, in its dataset and in another cassette, and the way to the endpoints.
 * @throws TaskmillError (source) for recordings that cannot be read
 */
export async function openModels(dir: string, options: ModelOptions): Promise<OpenModels> {
  const { roles, mode, signal } = options;
  if (roles.size === 0) return NO_MODELS;
  const also = shippedIn(dir, options.cassette);
  const cassette = await openCassette(join(dir, CALLS), { mode, also });
  const budget = new Budget(options.budget, cassette.spent(), roles);
  const onEvent = options.onCall ?? (() => {});
  const client = new ModelClient({ roles, cassette, budget, mode, signal, onEvent, calls: join(dir, CALLS) });
  return {
    ...accessTo(client, roles),
    budget,
    pending: cassette.pending,
    torn: cassette.torn,
    ship: async (path) => {
      await cassette.writeShipped(path, { models: identities(roles) });
    },
    close: async () => {
      await client.drain();
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
): Promise<Pick<OpenModels, "forInstance" | "rowsAtOnce" | "close">> {
  const roles = rolesOf(resolved);
  const file = join(dir, CASSETTE);
  if (roles.size === 0) return NO_MODELS;
  const cassette = await openCassette(join(dir, "(none)"), {
    mode: "replay",
    also: existsSync(file) ? [file] : [],
  });
  const budget = new Budget(undefined);
  const client = new ModelClient({ roles, cassette, budget, mode: "replay", signal, onEvent: () => {} });
  return { ...accessTo(client, roles), close: () => cassette.close() };
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

function shippedIn(dir: string, cassette: string | undefined): string[] {
  const own = join(dir, CASSETTE);
  return [...(cassette === undefined ? [] : [cassette]), ...(existsSync(own) ? [own] : [])];
}

function accessTo(client: ModelClient, roles: ReadonlyMap<string, Role>): ModelAccess {
  const instances = new Map<string, Models>();
  return {
    forInstance(id) {
      const known = instances.get(id) ?? client.forInstance(id);
      instances.set(id, known);
      return known;
    },
    rowsAtOnce: (names) => names.reduce((sum, name) => sum + callsAtOnce(roles.get(name)), 0),
  };
}

function callsAtOnce(role: Role | undefined): number {
  if (role === undefined || role.off) return 0;
  return role.spec.batch?.most ?? role.spec.limits.concurrency;
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

const NO_MODELS: OpenModels = {
  forInstance: () => ({
    identity: () => undefined,
    ask: ({ role }) => fail("internal", "no_models", `the config has no role \`${role}\``),
  }),
  rowsAtOnce: () => 0,
  budget: new Budget(undefined),
  pending: [],
  torn: 0,
  ship: async () => {},
  close: async () => {},
};
