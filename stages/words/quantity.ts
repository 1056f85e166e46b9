import type { Card } from "../../sources/card.js";
import { isJoined } from "./joined.js";
import type { Quantity } from "./moods.js";
import { definitionOf, type Sayable } from "./reads.js";

/** How the quantity is spoken of, by the shape of its noun. */
export function quantityOf(row: Sayable, cards: ReadonlyMap<string, Card>): Quantity {
  const { noun } = row.formula;
  const text = definitionOf(row, cards);
  const joined = isJoined(text);
  const apposed = !joined && text !== "" && noun.endsWith(")");
  const bracket = text === "" || joined || apposed ? "" : ` (${text})`;
  const definition = joined ? `, ${text}` : apposed ? `, that is, ${text}` : "";
  const pronoun = /\bits?\b/.test(noun);
  const counted = pronoun ? undefined : /^number of (.+)$/.exec(noun)?.[1];
  if (counted !== undefined) {
    return {
      its: `the number of its ${counted}${bracket}`,
      of: bracket === "" && definition === "" ? `the ${noun}` : undefined,
      definition,
    };
  }
  // "the radius of its Hill sphere", "the time that sunlight takes to reach it", but "its orbital speed about its planet".
  const [, link] = / (of|that|at|by|about|in|as|with|from|to|on|between|after|over|under) /.exec(noun) ?? [];
  const owns = !pronoun || link === undefined || /^(?:about|in|by|as|with|to|from)$/.test(link);
  return {
    its: `${owns ? "its" : "the"} ${noun}${bracket}`,
    // A definition that joins on would be taken for one of whatever comes between.
    of: link === undefined && bracket === "" && definition === "" ? `the ${noun}` : undefined,
    definition,
  };
}

/** The noun's head, for asking: "radius" of "radius of its Hill sphere". */
export function headOf(noun: string): string {
  const [head] = noun.split(/ (?:of|that|at|by|about|in|as|with|from|to|on|between|after|over|under) | \(|,/);
  // "Give the median number as a number" of "median number of edges".
  return head!.replace(/^(total|mean|median) number$/, "$1");
}
