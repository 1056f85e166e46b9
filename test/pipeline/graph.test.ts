import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseText } from "../../pipeline/base/document.js";
import { builtins } from "../../pipeline/builtins.js";
import {
  checkGraph,
  defaultInputs,
  defaultInstances,
  defaultKind,
  type Node,
  topological,
} from "../../pipeline/graph.js";

const registry = builtins();

/** Instances written as "id:kind<input,input". */
function nodes(...texts: string[]): Node[] {
  return texts.map((text, i) => {
    const [, id, kind, from] = /^(\w+):(\w+)<?(.*)$/.exec(text)!;
    return {
      id: id!,
      stage: registry.get(kind!)!,
      from: from === "" ? [] : from!.split(","),
      path: ["graph", i],
    };
  });
}

const codes = (...texts: string[]): string[] =>
  checkGraph(nodes(...texts), parseText("f", "graph: []")).map((p) => p.code);

const CHAIN = [
  "t:ingest",
  "r:recipes<t",
  "f:filter<r",
  "s:select<f",
  "c:compute<s",
  "w:verbalize<c",
  "p:split<w",
  "o:emit<p",
];

describe("a graph", () => {
  it("is sound when each input fits", () => expect(codes(...CHAIN)).toEqual([]));

  it("may leave stages of one kind of row out, and have several of a kind", () => {
    expect(codes(...CHAIN.slice(0, 2), "e:enumerate<t", "f:filter<r,e", ...CHAIN.slice(3))).toEqual([]);
    expect(
      codes(...CHAIN.slice(0, 6), "l:lint<w", "d:dedup<l", "d2:dedup<d", "p:split<d2", "o:emit<p"),
    ).toEqual([]);
  });

  it.each([
    [["t:ingest", "r:recipes<t", "f:filter<r", "o:emit<f"], ["mistyped_port"]],
    [
      ["t:ingest", "f:filter<t", ...CHAIN.slice(3)],
      ["mistyped_port", "no_source_stage"],
    ],
    [
      [...CHAIN, "t2:ingest"],
      ["unconnected", "second_ingest"],
    ],
    [[...CHAIN.slice(0, 6), "p:split<w,w", "o:emit<p"], ["duplicate_input"]],
    [[...CHAIN, "x:select<y", "y:select<x"], ["cycle"]],
  ])("%j: %j", (texts, expected) => expect(codes(...texts)).toEqual(expected));

  it("finds every cycle of two disjoint ones", () => {
    expect(codes(...CHAIN, "a:dedup<b", "b:dedup<a", "x:lint<y", "y:lint<x")).toEqual(["cycle", "cycle"]);
  });

  it("is checked in a time that does not grow with the number of paths through it", () => {
    const layers = Array.from({ length: 60 }, (_, i) => {
      const from = i === 0 ? "w" : `a${i - 1},b${i - 1}`;
      return [`a${i}:lint<${from}`, `b${i}:lint<${from}`];
    }).flat();
    expect(codes(...CHAIN.slice(0, 6), ...layers, "p:split<a59,b59,r", "o:emit<p")).toEqual([
      "mistyped_port",
    ]);
  });
});

describe("the default graph", () => {
  const GATES = ["decontaminate", "reword", "round_trip", "probe", "solve"];

  it.each([[["recipes"]], [["enumerate"]], [["recipes", "enumerate"]]])("with %j is sound", (sources) => {
    for (const given of [sources, [...sources, ...GATES]]) {
      const present = defaultInstances(given);
      const written = present.map((id) => `${id}:${defaultKind(id)}<${defaultInputs(id, present).join(",")}`);
      expect(codes(...written)).toEqual([]);
      expect(defaultInputs("filter", present)).toEqual(sources);
    }
  });

  it("checks anew what is worded anew, and asks models last", () => {
    expect(defaultInstances(["recipes", "probe"])).not.toContain("relint");
    expect(defaultInstances(["recipes", ...GATES]).slice(-9)).toEqual([
      ...["balance", "reword", "relint", "decontaminate", "round_trip", "probe", "solve", "split", "emit"],
    ]);
  });
});

describe("topological order", () => {
  it("puts inputs first, in any graph written in any order, and keeps an order that is right already", () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
    fc.assert(
      fc.property(
        edges,
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 }),
        (pairs, order) => {
          // Edges go from a smaller to a larger number, so there is no cycle.
          const from = (n: number) => [
            ...new Set(pairs.filter(([a, b]) => b === n && a < b).map(([a]) => `n${a}`)),
          ];
          const sorted = topological(order.map((n) => ({ id: `n${n}`, from: from(n) })));
          const place = new Map(sorted.map((n, i) => [n.id, i]));
          expect(place.size).toBe(10);
          for (const n of sorted)
            for (const id of n.from) expect(place.get(id)!).toBeLessThan(place.get(n.id)!);
          expect(topological(sorted)).toEqual(sorted);
        },
      ),
    );
  });
});
