import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../../pipeline/base/token-bucket.js";
import { Limiter, narrowest, type Place } from "../../../pipeline/models/limiter.js";
import { isOverload, mayBeBilled, passes, waitBefore } from "../../../pipeline/models/retry.js";
import { modelSpec } from "../../../pipeline/models/spec.js";
import { ProviderError } from "../../../pipeline/models/transport.js";
import { ManualClock } from "./manual-clock.js";

const limits = (more: object = {}) => ({
  concurrency: 64,
  requests_per_minute: undefined,
  tokens_per_minute: undefined,
  max_wait: 60,
  ...more,
});

/** Asks for places and collects those that were given. */
function queue(limiter: Limiter, count: number, tokens = 1): Place[] {
  const got: Place[] = [];
  for (let i = 0; i < count; i++) void limiter.enter(tokens).then((place) => got.push(place));
  return got;
}

describe("the window", () => {
  it("starts at 16, doubles in each round trip until the first refusal, then grows by one", async () => {
    const clock = new ManualClock();
    const limiter = new Limiter(limits(), clock, () => {});
    const got = queue(limiter, 400);
    const round = async (end: "served" | "refused"): Promise<number> => {
      await clock.pass(1);
      const out = got.splice(0);
      for (const place of out) place.leave({ end });
      return out.length;
    };
    expect([await round("served"), await round("served"), await round("served")]).toEqual([16, 32, 64]);
    // All that were out together count as one refusal: half, not nothing.
    expect(await round("refused")).toBe(64);
    expect(limiter.window).toBe(32);
    expect(await round("served")).toBe(32);
    expect(limiter.window).toBeGreaterThanOrEqual(32);
    expect(limiter.window).toBeLessThanOrEqual(33);
  });

  it("never falls below 1 nor rises over the limit, whatever happens", async () => {
    const end = fc.constantFrom("served" as const, "refused" as const, "other" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(end, { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        async (ends, most) => {
          const clock = new ManualClock();
          const limiter = new Limiter(limits({ concurrency: most }), clock, () => {});
          let out = 0;
          for (const e of ends) {
            const place = await limiter.enter(1);
            out++;
            expect(out).toBeLessThanOrEqual(most);
            place.leave({ end: e });
            place.leave({ end: e });
            out--;
            expect(limiter.window).toBeGreaterThanOrEqual(1);
            expect(limiter.window).toBeLessThanOrEqual(most);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("Retry-After", () => {
  it("stops the whole endpoint only when nothing else gets through, for max_wait at most, and says so", async () => {
    const clock = new ManualClock();
    const paused: number[] = [];
    const limiter = new Limiter(limits({ concurrency: 2 }), clock, (s) => paused.push(s));
    const got = queue(limiter, 3);
    await clock.pass(1);
    got.shift()!.leave({ end: "refused", retryAfter: 600 });
    expect(paused).toEqual([]);
    got.shift()!.leave({ end: "refused", retryAfter: 600 });
    expect(paused).toEqual([60]);
    await clock.pass(59_000);
    expect(got).toHaveLength(0);
    await clock.pass(1_100);
    expect(got).toHaveLength(1);
  });
});

describe("rates", () => {
  it("let so many requests go in a minute, after a short burst", async () => {
    const clock = new ManualClock();
    const limiter = new Limiter(limits({ requests_per_minute: 60 }), clock, () => {});
    const got = queue(limiter, 200);
    let count = 0;
    for (let second = 0; second < 60; second++) {
      await clock.pass(1000);
      count += got.length;
      for (const place of got.splice(0)) place.leave({ end: "served" });
    }
    expect(count).toBeGreaterThanOrEqual(60);
    expect(count).toBeLessThanOrEqual(62);
  });

  it("count tokens at their worst before, and as they were after", () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket(6000, clock);
    expect(bucket.wait(200)).toBe(0);
    bucket.take(200);
    expect(bucket.wait(100)).toBe(1000);
    bucket.take(-150);
    expect(bucket.wait(100)).toBe(0);
    // More than the bucket holds goes when it is full, and leaves a debt.
    expect(bucket.wait(5000)).toBe(500);
  });

  it("are the narrowest of the roles that share an endpoint", () => {
    const of = (given: object) => modelSpec.parse({ base_url: "", model: "", limits: given }).limits;
    expect(narrowest([of({ concurrency: 4 }), of({ requests_per_minute: 9, max_wait: 5 })])).toEqual({
      concurrency: 4,
      requests_per_minute: 9,
      tokens_per_minute: undefined,
      max_wait: 5,
    });
  });
});

describe("a closed limiter", () => {
  it("lets nobody go any more", async () => {
    const limiter = new Limiter(limits({ concurrency: 1 }), new ManualClock(), () => {});
    await limiter.enter(1);
    const waiting = limiter.enter(1);
    limiter.close(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    await expect(limiter.enter(1)).rejects.toThrow("over");
  });
});

describe("retries", () => {
  const error = (fault: ProviderError["fault"], status?: number, after?: number) =>
    new ProviderError(fault, "m", status, after);

  it("wait longer each time, with jitter, under the ceiling; Retry-After is honoured under it too", () => {
    expect([1, 2, 3, 4].map((n) => waitBefore(error("server"), n, 60, 0.999999))).toEqual(
      [0.5, 1, 2, 4].map((s) => expect.closeTo(s, 3)),
    );
    expect(waitBefore(error("server"), 4, 60, 0)).toBe(2);
    expect(waitBefore(error("server"), 2000, 60, 0)).toBe(30);
    expect(waitBefore(error("rate", 429, 7), 1, 60, 0)).toBe(7);
    expect(waitBefore(error("rate", 429, 600), 1, 60, 0.5)).toBe(60);
    expect(waitBefore(error("rate", 429, 0), 1, 60, 0.5)).toBe(0.25);
  });

  it("are for what may pass", () => {
    const passing = [
      error("rate"),
      error("server"),
      error("timeout"),
      error("malformed"),
      error("connection"),
    ];
    expect(passing.every(passes)).toBe(true);
    const lasting = [
      error("auth"),
      error("quota"),
      error("model"),
      error("bad_request"),
      error("connection", 404),
    ];
    expect(lasting.some(passes)).toBe(false);
    expect(mayBeBilled(error("timeout")) && mayBeBilled(error("malformed"))).toBe(true);
    expect(mayBeBilled(error("rate"))).toBe(false);
    expect([error("rate"), error("server", 503), error("server", 529)].every(isOverload)).toBe(true);
    expect(isOverload(error("server", 500))).toBe(false);
  });
});
