import { z } from "zod";
import type { Catalog } from "../../sources/table.js";
import type { Recorded, Recordings } from "../../stages/recordings.js";
import { nameLeaks } from "../../verifiers/name-leaks.js";
import { plainText } from "../../verifiers/plain-text.js";
import { shownAnswer } from "../../verifiers/shown-answer.js";
import { type HiddenValue, valueLeaks } from "../../verifiers/value-leaks.js";
import type { Rollout } from "../rollouts.js";
import type { AuditFinding } from "./finding.js";
import { entitiesOf, type Question } from "./rows.js";

/**
 * What agents were told beside the question, before any tool spoke: system prompts and tools as they were sent. The question itself is
 * the lint's business. A text is searched once for each row, however many of its rollouts were told it.
 */
export function checkRequests(
  question: Question,
  rollouts: readonly Rollout[],
  recordings: Recordings,
  catalog: Catalog,
): AuditFinding[] {
  const findings: AuditFinding[] = [];
  const seen = new Set<string>();
  for (const { turns } of rollouts) {
    const first = turns[0] === undefined ? undefined : recordings.call(turns[0].call);
    if (first === undefined) continue;
    for (const { field, text } of textsOf(first, question.question)) {
      if (seen.has(text)) continue;
      seen.add(text);
      for (const what of exposedIn(text, question, catalog))
        findings.push({
          code: "hidden_target_told",
          where: question.id,
          message: `the agent's ${field} shows a hidden target: ${what}`,
        });
    }
  }
  return findings;
}

interface Told {
  readonly field: string;
  readonly text: string;
}

function textsOf({ messages, tools }: Recorded, question: string): Told[] {
  const told = stringsIn(messages).filter((text) => text !== question);
  return [
    ...told.map((text) => ({ field: "prompt", text })),
    ...stringsIn(tools).map((text) => ({ field: "tool schema", text })),
  ];
}

/** All texts in a JSON value, names of members too. Numbers of schemas are limits. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, of]) => [name, ...stringsIn(of)]);
}

/** Words of the bundled prompt and tools that are names of elements and asteroids: they count where they are written as names. */
const OWN_WORDS = ["lead", "link", "links"];

function exposedIn(text: string, { task, row, expected }: Question, catalog: Catalog): string[] {
  if (task === undefined) {
    const what = shownAnswer(text, expected);
    return what === undefined ? [] : [what];
  }
  const plain = plainText(text);
  const entities = entitiesOf(task);
  const names = {
    names: entities.map(({ name }) => name),
    aliases: entities.flatMap((e) => otherNames(e, catalog)),
    allowed: [],
    vocabulary: OWN_WORDS,
  };
  const found = [...nameLeaks(plain, names, "name"), ...valueLeaks(plain, hiddenValues(row), [])];
  return found.map(({ what }) => what);
}

function otherNames(
  { table, key }: { readonly table: string; readonly key: string },
  { tables }: Catalog,
): string[] {
  const loaded = tables.get(table);
  const at = loaded?.rowOf(key);
  return at === undefined ? [] : [...(loaded!.aliases[at] ?? [])];
}

const chain = z.object({
  chain: z.array(
    z.looseObject({
      label: z.string(),
      kind: z.string(),
      value: z.number().nullable(),
      unit: z.string().nullable(),
    }),
  ),
});

/** Figures from which on a number gives a value away. */
const DIGITS = 3;

/** Measured values of the chain. Small whole numbers stand in prompts for other reasons. */
function hiddenValues(row: object): HiddenValue[] {
  const steps = chain.safeParse(row).data?.chain ?? [];
  return steps.flatMap(({ label, kind, value, unit }): HiddenValue[] => {
    if (value === null || (Number.isInteger(value) && Math.abs(value) < 1e5)) return [];
    return [{ label, value, unit: unit ?? "1", answer: kind === "answer", integer: false, digits: DIGITS }];
  });
}
