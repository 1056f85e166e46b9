import type { z } from "zod";
import type { Corpus } from "../../sources/corpus/corpus.js";
import type { UrlSeen } from "../../stages/environment.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import type { Json } from "../base/canonical.js";
import type { EnvironmentSpec } from "./spec.js";

/** What a tool may use. */
export interface ToolContext {
  readonly spec: EnvironmentSpec;
  readonly firewall: Firewall;
  /** The config's documents; undefined where it names none. */
  readonly corpus: Corpus | undefined;
  /** Of a backend's `key_variable`; never written anywhere. */
  readonly secret: (variable: string) => string | undefined;
  readonly signal: AbortSignal;
}

/** What a tool answered, before the environment escapes chat markup and caps it. */
export interface ToolResult {
  readonly text: string;
  readonly ok: boolean;
  readonly urls: readonly UrlSeen[];
}

/** One agent's use of a tool. */
export interface ToolRun<A = unknown> {
  /** @throws TaskmillError when the environment fails; the agent's own mistakes are results with `ok: false`. */
  call(args: A): Promise<ToolResult>;
  close(): Promise<void>;
}

/** A tool: one declaration, one file in `tools/`, one line of `tools/index.ts`. */
export interface ToolKind<A = unknown> {
  readonly name: string;
  /** Raised whenever the same call would be answered otherwise: part of every recorded observation's name. */
  readonly version: number;
  /** For the model. */
  readonly description: string;
  readonly args: z.ZodType<A>;
  /** Whether a call depends on the earlier ones of its session. */
  readonly stateful: boolean;
  /** What answers depend on beside version, arguments and history: corpus hashes, backend, limits. No secret, no path. */
  identity(context: Omit<ToolContext, "signal" | "secret">): Json;
  /** Cheap: what costs is done at the first call, which replay never reaches. */
  open(context: ToolContext): ToolRun<A>;
}

/** Ties the types together. */
export function defineTool<A>(tool: ToolKind<A>): ToolKind {
  return tool as unknown as ToolKind;
}
