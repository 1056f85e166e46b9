import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Phrases } from "../../../stages/contamination/boilerplate.js";
import { Pool } from "../../../stages/contamination/pool.js";
import { Screen } from "../../../stages/contamination/screen.js";
import { decontaminate } from "../../../stages/decontaminate.js";

interface Pair {
  readonly kind: string;
  readonly contaminated: boolean;
  readonly question: string;
  /** Of a benchmark. */
  readonly text: string;
}

const pairs = readFileSync(new URL("pairs.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Pair);

const params = decontaminate.params.parse({}) as ConstructorParameters<typeof Screen>[2] & {
  common_in_pool: number;
};

/** Each pair alone: nothing of the pool or the file tells what is boilerplate. */
function found({ question, text }: Pair): boolean {
  const phrases = new Phrases([]);
  const pool = new Pool([question], phrases, params.common_in_pool, params.containment);
  const screen = new Screen(pool, phrases, params);
  screen.count({ record: 1, text });
  screen.look("file", { record: 1, text });
  return screen.matches.get(0)?.reason !== undefined;
}

describe("labelled pairs", () => {
  const of = (contaminated: boolean, kind?: string) =>
    pairs.filter((p) => p.contaminated === contaminated && (kind === undefined || p.kind === kind));
  const share = (some: readonly Pair[]) => some.filter(found).length / some.length;

  it("are many, and of both labels", () => {
    expect(of(true).length).toBeGreaterThanOrEqual(100);
    expect(of(false).length).toBeGreaterThanOrEqual(100);
  });

  it("are told apart, as far as the docs say", () => {
    const hits = of(true).filter(found).length;
    const alarms = of(false).filter(found);
    expect(hits / (hits + alarms.length)).toBeGreaterThanOrEqual(0.975);
    expect(hits / of(true).length).toBeGreaterThanOrEqual(0.99);
  });

  it("of the easy kinds are all right", () => {
    expect(share(of(true, "verbatim"))).toBe(1);
    expect(share(of(true, "surrounded"))).toBe(1);
    expect(share(of(false, "other"))).toBe(0);
    expect(share(of(false, "common sentences"))).toBe(0);
  });
});
