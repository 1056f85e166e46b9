import type { z } from "zod";
import type { Io } from "../terminal.js";

/** zod, handed in so that `--help` need not load it. */
export type Zod = typeof z;

/** Exit codes that verbs document. */
export const EXITS = {
  0: "done",
  1: "failed",
  2: "the config or the command line is wrong; nothing was run",
  3: "the run is complete but the target was not reached, or a budget stopped it; raise it and go on",
  130: "interrupted; the same command goes on where it stopped",
} as const;
export type Exit = keyof typeof EXITS;

/** An option: a flag, or one that takes a value of the named kind. Values stay texts until zod has read them. */
export interface Option {
  readonly describe: string;
  readonly value?: string;
}

/** One verb. Heavy modules are imported by `run`, so that the others start fast. */
export interface Command<A> {
  /** As yargs writes it, e.g. `plan <config>`. */
  readonly usage: string;
  readonly summary: string;
  readonly positionals?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, Option>>;
  readonly examples: readonly (readonly [command: string, what: string])[];
  readonly exits: readonly Exit[];
  /** What its exit codes mean, where that is not what they mean elsewhere. */
  readonly meanings?: Readonly<Partial<Record<Exit, string>>>;
  /** What the command line gives, beside the options of every verb. */
  args(zod: Zod): z.ZodObject<z.ZodRawShape, z.core.$strict> & z.ZodType<A>;
  /** @returns the exit code. @throws TaskmillError */
  run(args: A, io: Io): Promise<number>;
}

/** Ties the arguments' schema to what `run` takes, then forgets the type: the table of verbs holds all kinds. */
export function defineCommand<A>(command: Command<A>): Command<unknown> {
  return command as Command<unknown>;
}

/** Options of verbs that read a config: an endpoint and a model for all of its roles. */
export const MODEL_OPTIONS: Readonly<Record<string, Option>> = {
  "model-url": { value: "URL", describe: "an OpenAI-compatible endpoint for every role of the config" },
  model: { value: "NAME", describe: "the model for every role of the config" },
};

export function modelArgs(zod: Zod) {
  return { "model-url": zod.string().min(1).optional(), model: zod.string().min(1).optional() };
}

/** A whole number ≥ 1 on the command line. */
export function count(zod: Zod): z.ZodType<number> {
  return zod
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, "it takes a whole number from 1 up")
    .transform(Number);
}
