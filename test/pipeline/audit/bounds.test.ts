import { describe, expect, it } from "vitest";
import { boundsSchema, type Figures, judgeBounds } from "../../../pipeline/audit/bounds.js";
import { questionOf } from "../../../pipeline/audit/rows.js";
import {
  notRun,
  rateText,
  SHORTCUTS,
  type Shortcut,
  type ShortcutId,
  tested,
} from "../../../pipeline/audit/shortcut.js";
import { wilson } from "../../../verifiers/intervals.js";

const ran = (id: ShortcutId, seen: number): Shortcut =>
  tested(id, 10, {
    test: "t",
    tested: seen,
    untested: "too few samples",
    open: 0,
    result: "",
    rate: null,
    removed: null,
    reach: "",
  });

const all = (Object.keys(SHORTCUTS) as ShortcutId[]).map((id) => ran(id, 10));
const figures: Figures = {
  recall_upper: 0.2,
  known_rows: 0,
  leaks: 1,
  sources_named: 0,
  one_cell_share: 0.25,
  chance_share: 0,
  near_duplicates: 0,
  contaminated: 0,
  round_trip_failures: 0.1,
  disagreement: 0.1,
  unstable: 0,
  leniency: 0,
  findings: 0,
};
const judge = (given: object, shortcuts: readonly Shortcut[] = all, found: Figures = figures) =>
  judgeBounds(boundsSchema.parse(given), found, shortcuts, 10);

describe("bounds", () => {
  it("are kept up to and at the bound, and each names what it found", () => {
    expect(judge({ recall_upper: 0.2, leaks: 1 })).toEqual([
      { bound: "findings", most: 0, found: 0, broken: false, why: "" },
      { bound: "recall_upper", most: 0.2, found: 0.2, broken: false, why: "" },
      { bound: "leaks", most: 1, found: 1, broken: false, why: "" },
    ]);
    expect(judge({ leaks: 0 })[1]).toMatchObject({ broken: true, found: 1, why: "1 is more than 0" });
  });

  it("hold findings at none once any is set, unless told otherwise", () => {
    const found = { ...figures, findings: 2 };
    expect(judge({ leaks: 1 }, all, found)[0]).toMatchObject({ bound: "findings", broken: true, found: 2 });
    expect(judge({ leaks: 1, findings: 2 }, all, found).some((b) => b.broken)).toBe(false);
    expect(judge({}, all, found)).toEqual([]);
  });

  it("are broken where their test did not run, or left out too many rows", () => {
    const off = [...all.filter((s) => s.id !== "recall"), notRun("recall", "t", "no model is configured")];
    expect(judge({ recall_upper: 1, known_rows: 9 }, off).filter((b) => b.broken)).toEqual([
      {
        bound: "recall_upper",
        most: 1,
        found: null,
        broken: true,
        why: "its test did not run: no model is configured",
      },
      {
        bound: "known_rows",
        most: 9,
        found: null,
        broken: true,
        why: "its test did not run: no model is configured",
      },
    ]);
    const part = [...all.filter((s) => s.id !== "recall"), ran("recall", 8)];
    expect(judge({ recall_upper: 1 }, part)[1]).toMatchObject({
      broken: true,
      why: "its test left out 2 of 10 rows: too few samples",
    });
    expect(judge({ recall_upper: 1, untested: 0.2 }, part)[1]).toMatchObject({ broken: false });
  });

  it.each([{ leaks: -1 }, { leaks: 0.5 }, { recall_upper: 1.1 }, { recall: 0 }])("refuses %j", (given) => {
    expect(boundsSchema.safeParse(given).success).toBe(false);
  });
});

describe("what an audit says in words", () => {
  it("gives none found its upper end", () => {
    expect(rateText(wilson(0, 73))).toBe("none of 73 (up to 5.0 %)");
    expect(rateText(wilson(0, 4))).toBe("none of 4 (up to 49 %)");
    expect(rateText(wilson(12, 400))).toBe("3.0 % of 400 (1.7 to 5.2 %)");
    expect(rateText(wilson(0, 0))).toBe("no trial");
  });
});

describe("questionOf", () => {
  it("takes problems as they are, and nothing that is neither problem nor table task", () => {
    const row = {
      id: "p",
      question: "Is iron a metal?",
      gates: [],
      problem: { source: "own", domain: "chemistry", language: "en" },
      expected: { type: "boolean", value: true },
    };
    expect(questionOf(row, () => "")).toMatchObject({
      entity: "problem/own/p",
      table: null,
      domain: "chemistry",
    });
    expect(questionOf({ ...row, expected: { type: "boolean", value: "yes" } }, () => "")).toBeUndefined();
    expect(questionOf({ id: "x", question: "?" }, () => "")).toBeUndefined();
  });
});
