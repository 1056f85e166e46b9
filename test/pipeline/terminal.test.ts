import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../pipeline/events.js";
import { callsText, type Io, Progress, tokensText } from "../../pipeline/terminal.js";

/** A terminal whose clock the test moves. */
function terminal(live: boolean, columns = 200) {
  let now = 0;
  let text = "";
  const io: Io = {
    out: () => {},
    err: (part) => {
      text += part;
    },
    json: false,
    quiet: false,
    live,
    color: { out: false, err: false },
    columns,
    signal: new AbortController().signal,
    now: () => now,
  };
  const progress = new Progress(io);
  return {
    progress,
    at(seconds: number, event: RunEvent): void {
      now = seconds * 1000;
      progress.listen(event);
    },
    /** What was written so far, each redrawing on a line of its own. */
    lines: () =>
      text
        .replaceAll("\r\u001b[2K", "\n")
        .split("\n")
        .filter((line) => line !== ""),
  };
}

const counts = {
  instance: "probe",
  replayed: 3100,
  kept: 1636,
  failed: 0,
  retried: 0,
  in_flight: 64,
  tokens: 1_234_567,
  cost: "0.5",
  total_cost: "0.8412",
  cap: "5",
  currency: "USD",
};
const calls = { type: "calls", ...counts } as const;
const start = { type: "stage_start", instance: "probe", stage: "probe", block: null, rows: 3000 } as const;
const end = {
  type: "stage_end",
  instance: "probe",
  stage: "probe",
  block: null,
  cached: false,
  counts: { in: 3000, created: 0, out: 3000, rejected: {} },
} as const;

describe("the live line", () => {
  it("shows rows, rate, time left, calls, tokens and cost", () => {
    const t = terminal(true);
    t.at(0, start);
    t.at(3, { type: "rows", instance: "probe", done: 930, total: 3000 });
    t.at(4, { type: "rows", instance: "probe", done: 1200, total: 3000 });
    t.at(5, calls);
    expect(t.lines().at(-1)).toBe(
      "probe  1,200 of 3,000 rows  240 rows/s  8 s left  | 4,800 calls, 3,100 replayed, 64 in flight, 1.2 M tokens, 0.84 of 5.00 USD",
    );
  });

  it("is redrawn ten times a second at most, and cut at the terminal's width", () => {
    const t = terminal(true, 40);
    t.at(1, start);
    t.at(1.05, calls);
    t.at(1.09, calls);
    t.at(1.2, calls);
    expect(t.lines()).toEqual(["probe  0 of 3,000 rows", "probe  0 of 3,000 rows  | 4,800 calls, "]);
  });

  it("says for how long an endpoint is left alone, until it is not", () => {
    const t = terminal(true);
    t.at(1, start);
    t.at(2, { type: "waiting", endpoint: "http://h/v1", seconds: 20, why: "429" });
    expect(t.lines().at(-1)).toBe("probe  0 of 3,000 rows  | waiting 20 s for http://h/v1: 429");
    t.at(23, calls);
    expect(t.lines().at(-1)).toContain("| 4,800 calls");
  });
});

describe("a log without a terminal", () => {
  it("gets a stage's calls and cost once, at its end", () => {
    const t = terminal(false);
    t.at(0, start);
    t.at(1, calls);
    t.at(2, { ...calls, in_flight: 0 });
    t.at(3, end);
    t.at(4, end);
    expect(t.lines()).toEqual([
      "probe: 3,000 in, 3,000 out",
      "probe: 4,736 calls, 3,100 replayed, 1.2 M tokens, 0.84 of 5.00 USD",
      "probe: 3,000 in, 3,000 out",
    ]);
  });

  it("gets a sign of life from a long stage once a minute, and the sum of all calls at the end of the run", () => {
    const t = terminal(false);
    t.at(0, start);
    t.at(30, { type: "rows", instance: "probe", done: 100, total: 3000 });
    t.at(61, { type: "rows", instance: "probe", done: 200, total: 3000 });
    t.at(62, { type: "rows", instance: "probe", done: 300, total: 3000 });
    t.at(70, { ...calls, cap: null, in_flight: 0 });
    t.at(71, { ...calls, instance: "solve", cap: null, in_flight: 0, replayed: 0, kept: 64, tokens: 5433 });
    t.at(72, { type: "end", accepted: 1, worked: 1, cached: 0, unchanged: false });
    expect(t.lines()).toEqual([
      "probe  200 of 3,000 rows  3.3 rows/s  14 min 14 s left",
      "models: 4,800 calls, 3,100 replayed, 1.2 M tokens, 1.00 USD",
    ]);
  });

  it("gets long waits now and then, and notes", () => {
    const t = terminal(false);
    const wait = { type: "waiting", endpoint: "e", why: "429" } as const;
    t.at(0, { ...wait, seconds: 2 });
    t.at(10, { ...wait, seconds: 60 });
    t.at(11, { ...wait, seconds: 60 });
    t.at(80, { ...wait, seconds: 60 });
    t.at(311, { ...wait, seconds: 90 });
    t.at(320, { type: "note", message: "2 calls may have been billed" });
    expect(t.lines()).toEqual([
      "waiting 1 min 0 s for e: 429",
      "waiting 1 min 30 s for e: 429",
      "2 calls may have been billed",
    ]);
  });
});

describe("texts of calls", () => {
  it("show what there is", () => {
    const none = { ...counts, replayed: 0, kept: 0, in_flight: 0 };
    expect(callsText({ ...none, replayed: 1 })).toBe("1 call, 1 replayed");
    expect(callsText({ ...none, failed: 2, retried: 7 })).toBe("2 calls, 7 tried again, 2 failed");
    expect(callsText({ ...none, kept: 1, tokens: 1, cap: null })).toBe("1 call, 1 token, 0.50 USD");
    expect(callsText({ ...none, kept: 1, tokens: 20, cap: null, cost: null })).toBe(
      "1 call, 20 tokens, cost unknown",
    );
  });

  it("shorten tokens", () => {
    expect([999, 12_345, 1_200_000, 3_400_000_000].map(tokensText)).toEqual([
      "999 tokens",
      "12.3 k tokens",
      "1.2 M tokens",
      "3.4 G tokens",
    ]);
  });
});
