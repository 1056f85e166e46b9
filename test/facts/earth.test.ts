import { describe, expect, it } from "vitest";
import { cell, loadBundled, numbers } from "./load.js";
import { references } from "./references.js";

/** The geologic time scale against an older edition of the chart: what has moved since must be covered by the uncertainty. */
const { tables } = await loadBundled(["geologic-stages", "geologic-periods"]);
const stages = tables.get("geologic-stages")!;
const periods = tables.get("geologic-periods")!;
const older = references("pyrolite-stages");
const start = numbers(stages, "start");
const end = numbers(stages, "end");

describe("geologic stages", () => {
  it("begin where the edition of 2024 says, within two standard uncertainties, but for two slips of that copy", () => {
    const off = stages.keys.filter((key, row) => {
      const there = older(key, "start")!.value;
      return Math.abs(there - start.values[row]!) > 2.02 * start.u[row]! + 1e-9;
    });
    expect(off).toEqual(["Telychian"]);
  });

  it("belong to the periods named there", () => {
    const period = stages.columns.get("period")!;
    expect(stages.keys.filter((key, row) => cell(period, row) !== older(key, "period")!.text)).toEqual([]);
  });

  it("follow each other without a gap from the Fortunian to the present", () => {
    const order = stages.keys.map((_, row) => row).sort((a, b) => start.values[a]! - start.values[b]!);
    expect(order.length).toBe(102);
    expect(order.map((row) => end.values[row])).toEqual([
      0,
      ...order.slice(0, -1).map((row) => start.values[row]),
    ]);
  });

  it("fill their periods", () => {
    for (const [row, key] of periods.keys.entries()) {
      const own = stages.keys.flatMap((_, i) => (cell(stages.columns.get("period")!, i) === key ? [i] : []));
      expect(Math.max(...own.map((i) => start.values[i]!))).toBe(numbers(periods, "start").values[row]);
      expect(Math.min(...own.map((i) => end.values[i]!))).toBe(numbers(periods, "end").values[row]);
    }
  });
});
