import type { z } from "zod";
import type { Io } from "../../terminal.js";
import type { Option, Zod } from "../command.js";

/** One action of the verb `sources`; each stands in a file of its own, and in the table of `sources.ts`. */
export interface Action<A> {
  /** What the word behind the action is: "a card". An action without it takes no word. */
  readonly subject?: string;
  /** Options of this action; other actions refuse them. One that two share must mean the same. */
  readonly options?: Readonly<Record<string, Option>>;
  readonly examples: readonly (readonly [command: string, what: string])[];
  /** The values of its options; flags and texts alike are optional. */
  args?(zod: Zod): Readonly<Record<string, z.ZodType>>;
  /** @param subject "" where the action takes none. @returns the exit code. @throws TaskmillError */
  run(subject: string, args: A, io: Io): Promise<number>;
}

/** Ties an action's options to what `run` takes, then forgets the type: the table of actions holds all kinds. */
export function defineAction<A = Readonly<Record<never, never>>>(action: Action<A>): Action<unknown> {
  return action as Action<unknown>;
}
