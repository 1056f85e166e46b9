import { type Rate, wilson } from "./intervals.js";

/** Whether a task is worth training on, from what the policy earns on it. */
export type Decision =
  | "admitted"
  /** Every one was right: nothing is left to learn. */
  | "all_right"
  /** None was right, whatever rewards for partial progress say. */
  | "all_wrong"
  /** Some were right and some not, but all were rewarded alike: a group without advantage. */
  | "no_variance"
  /** Fewer rollouts than asked for came to an end. */
  | "too_few_valid";

export interface Admission {
  readonly decision: Decision;
  /** How often the policy is right, with Wilson's interval at 95 %. */
  readonly rate: Rate;
}

/**
 * Keeps a task when at least one rollout is right and rewards differ. Rightness is asked of `accs` and not of `rewards`: a group that is
 * all wrong can have rewards that differ, and nothing in it shows what is right.
 * @param rewards of valid rollouts in the order of their draws; the first n count
 * @param accs 1 where the answer was right, in the same order
 */
export function admission(
  rewards: readonly number[],
  accs: readonly (0 | 1)[],
  { n }: { readonly n: number },
): Admission {
  const counted = accs.slice(0, n);
  const right = counted.filter((acc) => acc === 1).length;
  const rate = wilson(right, counted.length);
  if (n < 1 || counted.length < n || rewards.length < n) return { decision: "too_few_valid", rate };
  if (right === 0) return { decision: "all_wrong", rate };
  if (right === n) return { decision: "all_right", rate };
  return { decision: new Set(rewards.slice(0, n)).size > 1 ? "admitted" : "no_variance", rate };
}

/**
 * How likely a task is admitted whose policy is right with probability p, by n independent rollouts: neither all right nor all wrong.
 * Tasks of 5 % and of 95 % both pass four rollouts in 19 % of cases, so that admission says little of a single task.
 */
export function admissionChance(p: number, n: number): number {
  return 1 - p ** n - (1 - p) ** n;
}
