import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../pipeline/events.js";
import type { Instance } from "../../pipeline/instance.js";
import { adder, type Calls, firsts, inFolder, numbers, runIn, tag } from "./helpers.js";

function graph(calls: Calls, change: { by?: number; size?: number; tag?: string } = {}): Instance[] {
  return [
    { id: "a", stage: numbers, params: { size: change.size ?? 10, blocks: 8 }, from: [] },
    { id: "b", stage: numbers, params: { size: 3, blocks: 2 }, from: [] },
    { id: "add", stage: adder(calls, false), params: { by: 100, drop: 7 }, from: ["a", "b"] },
    { id: "costly", stage: adder(calls, true), params: { by: change.by ?? 1, drop: 11 }, from: ["add"] },
    { id: "firsts", stage: firsts, params: { by: 37 }, from: ["costly"] },
    { id: "tag", stage: tag, params: { tag: change.tag ?? "x" }, from: ["firsts"] },
  ];
}

describe("a second run", () => {
  it("does no stage work when nothing changed", () =>
    inFolder(async (dir) => {
      const calls: Calls = new Map();
      const first = await runIn(dir, graph(calls));
      const before = new Map(calls);
      const second = await runIn(dir, graph(calls));
      expect(first.worked).toBe(8 + 2 + 8 + 8 + 2);
      expect(second.worked).toBe(0);
      expect(second.cached).toBe(first.worked);
      expect(calls).toEqual(before);
      expect(second.all).toEqual(first.all);
      expect(second.done.map((d) => d.counts)).toEqual(first.done.map((d) => d.counts));
      expect(first.all.length).toBeGreaterThan(20);
    }));

  it("re-runs a changed stage and what follows it only", () =>
    inFolder(async (dir) => {
      await runIn(dir, graph(new Map()));
      const calls: Calls = new Map();
      const changed = await runIn(dir, graph(calls, { by: 2 }));
      expect(calls.get("add")).toBeUndefined();
      expect(calls.get("costly")).toBeGreaterThan(0);
      expect(changed.worked).toBe(8 + 2);
      const tagged = await runIn(dir, graph(calls, { by: 2, tag: "y" }));
      expect(tagged.worked).toBe(1);
      expect(tagged.all.every((row) => row.tag === "y")).toBe(true);
    }));

  it("re-runs only new rows of a costly stage when its upstream changed", () =>
    inFolder(async (dir) => {
      const small: Calls = new Map();
      await runIn(dir, graph(small, { size: 10 }));
      const grown: Calls = new Map();
      const run = await runIn(dir, graph(grown, { size: 11 }));
      // Numbers 0..79 were known, 80..87 are new; a row is known by its content, wherever its block begins.
      expect(grown.get("add")).toBe(run.done.find((d) => d.id === "add")!.counts.in);
      expect(grown.get("costly")!).toBeLessThanOrEqual(8);
      expect(run.done.find((d) => d.id === "costly")!.counts.in).toBeGreaterThan(60);
    }));
});

describe("an interrupted costly stage", () => {
  it("goes on in the middle of its block", () =>
    inFolder(async (dir) => {
      const abort = new AbortController();
      const calls: Calls = new Map();
      const instances = graph(calls, { size: 400 }).map((i) =>
        i.id === "a" ? { ...i, params: { size: 400, blocks: 1 } } : i,
      );
      const onEvent = (event: RunEvent) => {
        if (event.type === "rows" && event.instance === "costly" && event.done >= 100) abort.abort();
      };
      await expect(runIn(dir, instances, { signal: abort.signal, onEvent })).rejects.toMatchObject({
        kind: "interrupted",
      });
      const before = calls.get("costly")!;
      expect(before).toBeGreaterThanOrEqual(100);
      const resumed = await runIn(dir, instances);
      expect(calls.get("costly")).toBe(resumed.done.find((d) => d.id === "costly")!.counts.in);
      expect(calls.get("costly")).toBeGreaterThan(before + 100);
      const fresh = await inFolder((other) => runIn(other, instances));
      expect(fresh.all).toEqual(resumed.all);
    }));
});

describe("a grown target", () => {
  it("keeps the rows it had, in place, and works on new blocks only", () =>
    inFolder(async (dir) => {
      const calls: Calls = new Map();
      const small = await runIn(dir, graph(calls), { target: { accepted: 5 } });
      expect(small.accepted).toBe(5);
      const once = calls.get("costly")!;
      const grown = await runIn(dir, graph(calls), { target: { accepted: 25 } });
      expect(grown.accepted).toBe(25);
      expect(grown.all.slice(0, 5)).toEqual(small.all);
      expect(calls.get("costly")).toBe(grown.done.find((d) => d.id === "costly")!.counts.in);
      expect(once).toBeLessThan(calls.get("costly")!);
      const fresh = await inFolder((other) => runIn(other, graph(new Map()), { target: { accepted: 25 } }));
      expect(fresh.all).toEqual(grown.all);
      expect(fresh.done.map((d) => d.counts)).toEqual(grown.done.map((d) => d.counts));
    }));

  it("stops at its budget, and when every source is exhausted", () =>
    inFolder(async (dir) => {
      const short = await runIn(dir, graph(new Map()), { target: { accepted: 1000, candidates: 25 } });
      expect(short.candidates).toBe(13 + 13);
      expect(short.blocks).toBe(2);
      const all = await runIn(dir, graph(new Map()), { target: { accepted: 1000 } });
      expect(all.candidates).toBe(86);
      expect(all.accepted).toBeLessThan(1000);
    }));
});

describe("a limit", () => {
  it("cuts a run without target and lowers the target of one that has it", () =>
    inFolder(async (dir) => {
      const whole = await runIn(dir, graph(new Map()));
      const cut = await runIn(dir, graph(new Map()), { limit: 4 });
      expect(cut.all).toEqual(whole.all.slice(0, 4));
      expect(cut.done.at(-1)).toMatchObject({
        id: "(target)",
        counts: { in: whole.accepted, out: 4, rejected: { over_target: whole.accepted - 4 } },
      });
      const lowered = await runIn(dir, graph(new Map()), { limit: 4, target: { accepted: 9 } });
      expect(lowered.all).toEqual(whole.all.slice(0, 4));
    }));
});
