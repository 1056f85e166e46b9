import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../verifiers/readable/passages.js";

const texts = (text: string): string[] => passagesOf(text).map((p) => p.text);

describe("passages", () => {
  it("are sentences, whose ends are told from full stops inside", () => {
    expect(
      texts("It is 5.2 au away. Its mass is 1.9e27 kg; J. Smith measured it. 3 moons are known."),
    ).toEqual([
      "It is 5.2 au away.",
      "Its mass is 1.9e27 kg;",
      "J. Smith measured it.",
      "3 moons are known.",
    ]);
  });

  it("are rows of a table, each cell with its heading", () => {
    const [before, row] = passagesOf("Moons:\n\n| name | mass (kg) |\n|:---|---:|\n| Io | 8.93e22 |\n");
    expect(before).toEqual({ kind: "prose", text: "Moons:" });
    expect(row).toEqual({
      kind: "row",
      text: "Io | 8.93e22",
      cells: [
        { text: "Io", heading: "name" },
        { text: "8.93e22", heading: "mass (kg)" },
      ],
    });
  });

  it("a table without a line under its first row has no headings, and one table's do not reach the next", () => {
    expect(passagesOf("| a | 1 |\n| b | 2 |").map((p) => p.kind === "row" && p.cells[1]!.heading)).toEqual([
      "",
      "",
    ]);
    const cells = passagesOf("| h | k |\n|---|---|\n| a | 1 |\n\n| b | 2 |").flatMap((p) =>
      p.kind === "row" ? [p.cells[1]!.heading] : [],
    );
    expect(cells).toEqual(["k", ""]);
  });

  it("hold every word of short lines of prose", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}[.,;]?$/);
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 12 }), { maxLength: 6 }), (lines) => {
        const text = lines.map((l) => l.join(" ")).join("\n");
        expect(texts(text).join(" ").split(" ").filter(Boolean)).toEqual(text.split(/\s+/).filter(Boolean));
      }),
    );
  });

  it("are total: any text is cut, none is longer than it may be", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const p of passagesOf(text))
          if (p.kind === "prose") expect(p.text.length).toBeLessThanOrEqual(600);
      }),
    );
    expect(passagesOf(`| ${"a|".repeat(10_000)}`)[0]).toMatchObject({ kind: "row" });
  });
});
