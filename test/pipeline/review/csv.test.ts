import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvSheet, readSheet } from "../../../pipeline/review/csv.js";
import { COLUMNS, yesOrNo } from "../../../pipeline/review/fields.js";
import { formPage } from "../../../pipeline/review/form.js";

const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((t) => !t.includes("\0"));
const hostile = fc.constantFrom(
  '=HYPERLINK("http://x")',
  "+1",
  "-1",
  "@SUM(A1)",
  "\tx",
  'a"b',
  "a,b;c\td",
  "a\r\nb",
  "<script>",
);

describe("csvSheet", () => {
  it("is CSV that gives the questions back, none of them a formula", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, hostile), { minLength: 1, maxLength: 5 }), (questions) => {
        const sheet = csvSheet(questions.map((question, i) => ({ id: `00${i}`, question })));
        const [header, ...lines] = parse(sheet, { bom: true }) as string[][];
        expect(header).toEqual([...COLUMNS]);
        expect(lines.map((cells) => cells[2]!.replace(/^'(?=[=+\-@\t\r])/, ""))).toEqual(questions);
        for (const cells of lines) for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it("is read back by what reviewers wrote into it", () => {
    const sheet = csvSheet([
      { id: "1234567890123e45", question: "-5 °C is how much in K?" },
      { id: "0000000000000002", question: "What?" },
    ]);
    const [head, first, second] = sheet.split("\r\n") as [string, string, string];
    const filled = `${head}\r\n${first.replace(/,{7}$/, ",yes,no,,?,268.15 K,'=odd,ann")}\r\n${second}\r\n`;
    expect(readSheet(filled, "sheet.csv").filled).toEqual([
      {
        line: 2,
        task: "1234567890123e45",
        question: "-5 °C is how much in K?",
        reviewer: "ann",
        says: { clear: true, one_answer: false, natural: null, from_memory: null },
        answer: "268.15 K",
        note: "=odd",
      },
    ]);
  });
});

describe("readSheet", () => {
  it("takes no column that stands twice", () => {
    const sheet = csvSheet([{ id: "0000000000000001", question: "What?" }]).replace("\r\n", ", Clear\r\n");
    expect(() => readSheet(sheet, "sheet.csv")).toThrow("the sheet has the column `clear` twice");
  });
});

describe("yesOrNo", () => {
  it("takes words of several kinds and no others", () => {
    expect(["yes", " Y ", "TRUE", "1"].map(yesOrNo)).toEqual([true, true, true, true]);
    expect(["no", "n", "false", "0"].map(yesOrNo)).toEqual([false, false, false, false]);
    expect(["", "?", "perhaps", "constructor"].map(yesOrNo)).toEqual([null, null, undefined, undefined]);
  });
});

describe("formPage", () => {
  it("holds questions as text, and asks no network", () => {
    const page = formPage("a <name>", [
      { id: "00ff", question: 'Is 1 < 2 & "so"?</p><script>alert(1)</script>' },
    ]);
    expect(page).toContain("Is 1 &lt; 2 &amp; &quot;so&quot;?&lt;/p&gt;&lt;script&gt;");
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/https?:/);
  });
});
