import type { Json } from "../../pipeline/base/canonical.js";

/** File name of the reward beside the rows of an RL export. */
export const REWARD_FILE = "taskmill_reward.py";

/** Types of answers that the Python reward grades, whole ones and parts of others. */
const GRADED = new Set(
  "quantity integer entity boolean choice date list set tuple vector matrix interval expression text".split(
    " ",
  ),
);

/** Why the Python reward cannot grade an answer, or undefined when it can. */
export function ungradable(answer: Json): string | undefined {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer))
    return "its answer is no object";
  const { type, items, rows, low, high } = answer as Readonly<Record<string, Json | undefined>>;
  if (typeof type !== "string" || !GRADED.has(type))
    return `no Python grader for answers of type ${JSON.stringify(type)}`;
  const cells = Array.isArray(rows) ? rows.flat() : [];
  const parts = [...(Array.isArray(items) ? items : []), ...cells, low, high].filter((part) => part != null);
  return parts.map((part) => ungradable(part as Json)).find((why) => why !== undefined);
}
