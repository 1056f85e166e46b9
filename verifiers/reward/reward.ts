import type { Expected } from "../answer/answer.js";

/** The contract of the reward: pure and total, the same in TypeScript and in the Python file that ships beside the pools. */

/** One hidden verification target, in dependency order. */
export interface Target {
  readonly id: string;
  readonly kind: "entity" | "attribute" | "intermediate" | "answer";
  /** What it is, for people and judges: "mass". */
  readonly label?: string;
  /** The entity's name, or the value as text. */
  readonly text: string;
  /** Other names of an entity. */
  readonly aliases?: readonly string[];
  readonly value: number | null;
  readonly unit: string | null;
  /** Relative. */
  readonly tolerance: number | null;
  readonly depends_on: readonly string[];
}

/** What `reward_model.ground_truth` holds, as JSON text. */
export interface GroundTruth {
  readonly version: 1;
  readonly answer: Expected;
  /** Empty for problems, which have none: their P is 0. */
  readonly chain: readonly Target[];
  readonly question: string;
  /** BCP 47. */
  readonly language: string;
}

/** A message of a conversation, as far as the reward looks: only what the assistant wrote itself counts. */
export interface Said {
  readonly role: string;
  readonly content: string;
}

export interface Score {
  /** 1 if right, else max(0, 0.3·P − 0.1·(1 − A)). */
  readonly score: number;
  /** 1 if the final answer is right, else 0: group filters look at this and not at `score`. */
  readonly acc: 0 | 1;
  /** P: the share of the chain's steps (the answer is none of them) that verify, each with all its ancestors. */
  readonly progress: number;
  /** A: whether a final answer was submitted that parses as the type asked for. */
  readonly answered: 0 | 1;
  readonly steps: readonly { readonly id: string; readonly verified: boolean; readonly why: string }[];
}
