import type { Models } from "../model.js";
import { draw, inOrder } from "./ask.js";
import type { Fact } from "./facts.js";

/** How many planted facts a role knew. */
export interface Power {
  readonly role: string;
  readonly right: number;
  readonly asked: number;
}

/** Stands for a row in errors and intents of these calls. */
export const FACTS_ROW = "(famous facts)";

const known = new WeakMap<Models, Map<string, Promise<Power>>>();

/**
 * Asks a role the planted facts, each once, with the system prompt that its tasks are asked with. Remembered per run, as `models` is
 * made for one instance of one run; forgotten when a call fails, so that the rows after it are not lost with it. The calls and the result
 * are the same for whichever row comes first.
 */
export function powerOf(
  models: Models,
  role: string,
  system: string,
  facts: readonly Pick<Fact, "question" | "expected">[],
): Promise<Power> {
  let roles = known.get(models);
  if (roles === undefined) {
    roles = new Map();
    known.set(models, roles);
  }
  const key = `${role}\n${system}`;
  const before = roles.get(key);
  if (before !== undefined) return before;
  const power = askAll(models, role, system, facts);
  roles.set(key, power);
  power.catch(() => roles.delete(key));
  return power;
}

async function askAll(
  models: Models,
  role: string,
  system: string,
  facts: readonly Pick<Fact, "question" | "expected">[],
): Promise<Power> {
  const draws = await inOrder(
    facts.map(({ question, expected }) =>
      draw(
        models,
        {
          role,
          row: FACTS_ROW,
          question,
          messages: closedBook(system, question),
          graded: { expected, language: "en" },
        },
        0,
      ),
    ),
  );
  return { role, right: draws.filter((d) => d.evidence.outcome === "right").length, asked: facts.length };
}

/** A question as the probe asks it: nothing but a system prompt before it. */
export function closedBook(
  system: string,
  question: string,
): readonly [{ role: "system"; content: string }, { role: "user"; content: string }] {
  return [
    { role: "system", content: system },
    { role: "user", content: question },
  ];
}
