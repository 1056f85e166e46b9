import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { type Card, type Condition, cardSchema } from "../../../sources/card.js";
import { clausesOf } from "../../../stages/words/clauses.js";
import { Definitions } from "../../../stages/words/columns.js";
import { phrasesOf } from "../../../stages/words/expected-conditions.js";
import { modified } from "../../../stages/words/modified.js";
import { openVoice } from "../../../stages/words/voice.js";
import { missingPhrase } from "../../../verifiers/mention-conditions.js";
import { scanNumbers } from "../../../verifiers/number-scan.js";
import { plainText, wordsOf } from "../../../verifiers/plain-text.js";
import { cards } from "./cards.js";

const planets = cards.get("planets")!;
const flag = { ...planets.columns.rings!, phrase: undefined };
const text = { ...planets.columns.host!, phrase: undefined };
const bare: Card = cardSchema.parse({
  ...planets,
  columns: {
    ...planets.columns,
    ring_system: flag,
    has_ring_system: flag,
    solvable: flag,
    tidally_locked: flag,
    type: text,
  },
});

/** All that is said of one condition, over some voices; whatever is said must pass the lint. */
function said(condition: Condition): string[] {
  const found = Array.from({ length: 24 }, (_, seed) => {
    const speech = { card: bare, voice: openVoice(stream("fallback", seed)), definitions: new Definitions() };
    return modified("planets", "", clausesOf([condition], speech), true);
  });
  for (const question of found) {
    const plain = plainText(question);
    const read = { plain, words: wordsOf(plain), numbers: scanNumbers(plain) };
    expect(phrasesOf(condition, bare).flatMap((p) => missingPhrase(read, p))).toEqual([]);
  }
  return [...new Set(found)].sort();
}

describe("conditions on columns without phrases", () => {
  it.each([
    ["ring_system", true, "planets with a ring system"],
    ["ring_system", false, "planets without a ring system"],
    ["has_ring_system", true, "planets that have a ring system"],
    ["has_ring_system", false, "planets that do not have a ring system"],
    ["solvable", true, "solvable planets"],
    ["tidally_locked", false, "planets that are not tidally locked"],
  ])("%s %s", (column, value, words) => {
    expect(said({ column, op: "is", value })).toEqual([words]);
  });

  it("says a class as a text", () => {
    expect(said({ column: "type", op: "eq", value: "arch" })).toEqual([
      "planets of the type “arch”",
      "planets whose type is arch",
    ]);
    expect(said({ column: "type", op: "in", values: ["arch", "beam"] })).toEqual([
      "planets of the type “arch” or “beam”",
      "planets whose type is arch or beam",
    ]);
  });
});
