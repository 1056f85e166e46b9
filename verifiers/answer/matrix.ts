import type { Expected, Verdict } from "./answer.js";
import type { Notation } from "./language.js";
import type { GradeItem } from "./sequence.js";
import { cut, itemsOf, topLevel, unwrap } from "./split.js";
import { right, undecided, wrong } from "./verdicts.js";

type Matrix = Extract<Expected, { type: "matrix" }>;

/** Judges a matrix: LaTeX environments, nested brackets, or rows parted by semicolons. Rows and columns are never exchanged. */
export function gradeMatrix(plain: string, expected: Matrix, notation: Notation, grade: GradeItem): Verdict {
  const rows = rowsOf(
    plain.replace(/^[A-Za-z]\w{0,3} ?= ?/, "").replace(/[.;,\s]+$/, ""),
    expected,
    notation,
  );
  if (rows === undefined) return undecided("unreadable", "the answer cannot be read as a matrix", plain);
  const [high, wide] = [expected.rows.length, expected.rows[0]?.length ?? 0];
  if (rows.length !== high || rows.some((r) => r.length !== wide))
    return wrong("wrong_shape", `the right matrix has ${high} rows of ${wide}`, plain);
  const verdicts = rows.flatMap((row, i) => row.map((cell, j) => grade(cell, expected.rows[i]![j]!)));
  const bad = verdicts.find((v) => v.verdict === "wrong");
  if (bad !== undefined) return wrong("wrong_item", `an entry is wrong: ${bad.why}`, plain);
  const open = verdicts.find((v) => v.verdict === "undecided");
  return open === undefined
    ? right("equal", "all entries are right", plain)
    : undecided(open.reason, `an entry cannot be judged: ${open.why}`, plain);
}

function rowsOf(text: string, expected: Matrix, notation: Notation): string[][] | undefined {
  const outer = unwrap(text);
  // \left[\begin{array}...\end{array}\right] has its brackets twice.
  const box =
    outer?.inside.startsWith("[[") && unwrap(outer.inside)?.behind === "" ? unwrap(outer.inside) : outer;
  if (box === undefined || box.behind !== "") return undefined;
  const wide = expected.rows[0]?.length ?? 0;
  const nested = cut(box.inside, topLevel(box.inside, ";,")).map((row) => unwrap(row));
  if (nested.every((row) => row !== undefined && row.behind === ""))
    return nested.map((row) => [...itemsOf(row!.inside, notation, wide, true, false).items]);
  if (nested.some((row) => row !== undefined)) return undefined;
  // [1, 2; 3, 4] and [1 2; 3 4]
  return cut(box.inside, topLevel(box.inside, ";")).map((row) => [
    ...itemsOf(row, notation, wide, true, false).items,
  ]);
}
