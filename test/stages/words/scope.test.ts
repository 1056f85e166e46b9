import { describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import type { Card, Condition } from "../../../sources/card.js";
import { wordQuestion } from "../../../stages/words/grammar.js";
import { scopeOf } from "../../../stages/words/scope.js";
import { cards } from "./cards.js";
import { asks, draw } from "./programs.js";

const groups = cards.get("groups")!;
const scoped = (scope: string, card: Card = groups): Card => ({
  ...card,
  entity: { ...card.entity, scope },
});
const order = (op: "lt" | "gt" | "ge", value: number): Condition => ({ column: "order", op, value });
const left = (scope: string, where: Condition[], other?: Condition[]) =>
  scopeOf(scoped(scope), {
    where,
    ...(other === undefined
      ? {}
      : { other: { where: other, select: { column: "order", order: "max", rank: 1 } } }),
  });

describe("a scope that bounds a column", () => {
  it.each([
    ["of order at most 127 (up to isomorphism)", "(up to isomorphism)"],
    ["with an order of at most 127", ""],
    [
      "over the rational numbers with order at most 127 (up to isomorphism)",
      "over the rational numbers (up to isomorphism)",
    ],
    ["(up to order 127)", ""],
    ["(up to order 127, without the trivial one)", "(without the trivial one)"],
  ])("is left to a condition that is narrower: %s", (scope, rest) => {
    expect(left(scope, [order("lt", 12)])).toEqual({ scope: rest });
    expect(left(scope, [{ column: "exponent", op: "lt", value: 12 }])).toEqual({ scope });
    expect(left(scope, [order("lt", 12)], [])).toEqual({ scope });
    expect(left(scope, [order("lt", 12)], [order("lt", 9)])).toEqual({ scope: rest });
  });

  it("goes into one range with a condition from the other side", () => {
    expect(left("of order at most 127 (up to isomorphism)", [order("gt", 60)])).toEqual({
      scope: "(up to isomorphism)",
      bound: { column: "order", at: 127 },
    });
  });

  it("may count things", () => {
    const scope = "with one to nine conjugacy classes";
    expect(left(scope, [{ column: "classes", op: "eq", value: 4 }])).toEqual({ scope: "" });
    expect(left(scope, [{ column: "classes", op: "gt", value: 4 }])).toEqual({ scope });
  });

  it("is said as the one range", () => {
    const plain = draw(0, asks.find((a) => a.table === "groups")!);
    const word = (condition: Condition, seed: number) => {
      const row = { ...plain, program: { ...plain.program, where: [condition] } };
      return wordQuestion(row, cards, stream("scope", seed)).question;
    };
    for (let seed = 0; seed < 20; seed++) {
      expect(word(order("gt", 60), seed)).toMatch(
        /an order [a-z ]+ 60 and at most 127|whose order [a-z ]+ 60 and is at most 127/,
      );
      expect(word(order("lt", 60), seed)).not.toContain("127");
    }
  });
});
