import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPool } from "../../../datasets/read.js";
import { type TaskRecord, tasksPool } from "../../../datasets/schema/index.js";
import { builtins } from "../../../pipeline/builtins.js";
import { explain } from "../../../pipeline/explain.js";
import { readSheet } from "../../../pipeline/review/csv.js";
import { drawTasks } from "../../../pipeline/review/draw.js";
import { exportSheet } from "../../../pipeline/review/export.js";
import { COLUMNS } from "../../../pipeline/review/fields.js";
import { importSheet } from "../../../pipeline/review/import.js";
import { readReview } from "../../../pipeline/review/read.js";
import { importedText } from "../../../pipeline/review/text.js";
import { verify } from "../../../pipeline/verify.js";
import { make, RECIPES } from "../diff/datasets.js";

const root = mkdtempSync(join(tmpdir(), "taskmill-review-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let original = "";
const tasks: TaskRecord[] = [];
beforeAll(async () => {
  original = await make(join(root, "original"));
  for await (const task of readPool(join(original, "pools/tasks.parquet"), tasksPool)) tasks.push(task);
}, 60_000);

let copies = 0;
function copy(): string {
  const dir = join(root, `copy-${copies++}`);
  cpSync(original, dir, { recursive: true, filter: (file) => !file.endsWith("run.duckdb") });
  return dir;
}

const answerOf = ({ hidden_answer, answer_unit }: TaskRecord) => `${hidden_answer.text} ${answer_unit}`;

type Words = Partial<Record<(typeof COLUMNS)[number], string>>;

/** A sheet as a spreadsheet with other separators saves it. */
function sheet(lines: readonly Words[], name = `sheet-${copies++}.csv`, separator = ";"): string {
  const path = join(root, name);
  const quoted = (text = "") => `"${text.replaceAll('"', '""')}"`;
  const all = [
    COLUMNS.join(separator),
    ...lines.map((line) => COLUMNS.map((c) => quoted(line[c])).join(separator)),
  ];
  writeFileSync(path, all.join("\r\n"));
  return path;
}

function line(at: number, reviewer: string, words: Words = {}): Words {
  const task = tasks[at]!;
  const says = { clear: "yes", one_answer: "Y", natural: "true", from_memory: "no" };
  return {
    row: String(at + 1),
    task: `task-${task.task_id}`,
    question: task.question,
    answer: answerOf(task),
    reviewer,
    ...says,
    ...words,
  };
}

describe("a sheet", () => {
  it("shows questions and ids, and nothing that is hidden", async () => {
    const file = join(root, "blind.csv");
    expect(await exportSheet(original, file, { n: 50 })).toEqual({ file, rows: RECIPES.length, seed: "5" });
    const text = readFileSync(file, "utf8");
    const page = join(root, "blind.html");
    await exportSheet(original, page, { n: 50 });
    for (const shown of [text, readFileSync(page, "utf8")])
      for (const task of tasks) {
        expect(shown).toContain(task.task_id);
        expect(shown).not.toContain(task.hidden_entity_name);
        expect(shown).not.toContain(task.hidden_answer.text);
        expect(shown).not.toContain(String(task.hidden_answer.value));
      }
    // Nobody has written anything into it yet.
    expect(readSheet(text, file)).toEqual({ filled: [], problems: [] });
    await expect(importSheet(original, file)).rejects.toMatchObject({
      problems: [{ code: "sheet_not_filled" }],
    });
    await expect(importSheet(original, page)).rejects.toMatchObject({ problems: [{ code: "bad_sheet" }] });
    await expect(exportSheet(original, file, { n: 5 })).rejects.toMatchObject({
      problems: [{ code: "sheet_exists" }],
    });
    await expect(exportSheet(original, join(root, "sheet.pdf"), { n: 5 })).rejects.toMatchObject({
      kind: "usage",
    });
  });

  it("is drawn by seed, and evenly where that is asked for", async () => {
    const ids = async (seed: string, n: number, by?: "table") =>
      (await drawTasks(original, { n, seed, ...(by === undefined ? {} : { by }) })).map(({ id }) => id);
    expect(await ids("a", 4)).toEqual(await ids("a", 4));
    expect(await ids("a", 4)).not.toEqual(await ids("b", 4));
    const even = await ids("c", 4, "table");
    const tables = even.map((id) => tasks.find((task) => task.task_id === id)!.table).sort();
    expect(tables).toEqual(["moons", "moons", "planets", "planets"]);
    expect(new Set(await ids("c", 99)).size).toBe(tasks.length);
  });
});

describe("a filled sheet", () => {
  it("is graded, joined with others, and kept beside the dataset", async () => {
    const dir = copy();
    const ann = sheet([
      line(0, "ann"),
      line(1, "ann", { answer: "1 km", clear: "no" }),
      line(2, "ann", { answer: "" }),
    ]);
    const alone = await importSheet(dir, ann);
    expect(alone).toMatchObject({ imported: 3, replaced: 0, dropped: 0, current: true });
    expect(alone.verdicts.map(({ grade }) => grade?.verdict ?? null).sort()).toEqual(
      [null, "right", "wrong"].sort(),
    );

    const bob = sheet(
      [line(0, "bob"), line(1, "bob", { clear: "?" }), line(3, "bob", { from_memory: "yes" })],
      "bob.csv",
      "\t",
    );
    const both = await importSheet(dir, bob);
    expect(both.summary).toMatchObject({ rows: 4, verdicts: 6, doubtful: [tasks[1]!.task_id] });
    const { overall, agreement } = both.summary;
    expect(overall.clear).toMatchObject({ successes: 3, trials: 4 });
    expect(overall.right).toMatchObject({ successes: 2, trials: 3 });
    expect(overall.from_memory).toMatchObject({ successes: 1, trials: 4 });
    expect(overall.from_memory.high).toBeCloseTo(0.6994, 3);
    expect(agreement.find(({ measure }) => measure === "right")).toMatchObject({
      reviewers: ["ann", "bob"],
      rows: 2,
      same: 1,
      kappa: { estimate: 0 },
    });
    expect(agreement.find(({ measure }) => measure === "clear")).toMatchObject({
      rows: 1,
      same: 1,
      kappa: null,
    });
    expect(importedText(both)).toContain("2 of 3  66.7 % (20.8 % to 93.9 %)");

    const again = await importSheet(dir, sheet([line(1, "ann")]));
    expect(again).toMatchObject({ imported: 1, replaced: 1 });
    expect(again.summary.doubtful).toEqual([]);
    expect(await readReview(dir)).toEqual({
      ...again,
      imported: undefined,
      replaced: undefined,
      dropped: undefined,
    });
    const { findings } = await verify(dir, { registry: builtins() });
    expect(findings).toEqual([]);
  });

  it("drops verdicts on questions that are gone, and says when the dataset has changed", async () => {
    const dir = copy();
    await importSheet(dir, sheet([line(0, "ann"), line(5, "ann")]));
    const gone = tasks[5]!.task_id;
    const fewer = await make(join(root, "fewer"), { recipes: RECIPES.slice(0, 5) });
    cpSync(join(dir, "review.json"), join(fewer, "review.json"));
    expect((await readReview(fewer))!.current).toBe(false);
    const after = await importSheet(fewer, sheet([line(1, "ann")]));
    expect(after).toMatchObject({ dropped: 1, current: true });
    expect(after.verdicts.map(({ task }) => task)).not.toContain(gone);
  });

  it("is refused with line and column where it is wrong", async () => {
    const wrong = async (lines: readonly Words[]) =>
      importSheet(original, sheet(lines)).then(
        () => [],
        (error: { problems: { code: string; message: string; location: { line: number } }[] }) =>
          error.problems.map(({ code, message, location }) => `${location.line} ${code} ${message}`),
      );
    expect(await wrong([line(0, "ann"), line(1, "", { clear: "maybe" })])).toEqual([
      "3 bad_sheet column `reviewer` is empty",
      '3 bad_sheet column `clear` is "maybe"',
    ]);
    const edited = line(0, "", { question: "Another one?", clear: "maybe" });
    const all = [edited, line(1, "ann", { task: "task-0000" }), line(2, "ann"), line(2, "ann")];
    expect((await wrong(all)).map((text) => text.replace(/ (of|has) .*/, ""))).toEqual([
      "2 bad_sheet column `reviewer` is empty",
      '2 bad_sheet column `clear` is "maybe"',
      "2 other_question column `question`: the question",
      expect.stringMatching(/^3 unknown_task column `task`: /),
      expect.stringMatching(/^5 reviewed_twice columns `task` and `reviewer`: /),
    ]);
    const many = await wrong(Array.from({ length: 30 }, () => line(0, "")));
    expect([many.length, many.at(-1)]).toEqual([21, "undefined more_problems and 10 more"]);
    expect((await wrong([line(0, "ann", { task: "task-0000" })]))[0]).toMatch(/^2 unknown_task/);
    expect((await wrong([line(0, "ann", { question: "Another one?" })]))[0]).toMatch(/^2 other_question/);
    expect((await wrong([line(0, "ann"), line(0, "ann")]))[0]).toMatch(/^3 reviewed_twice/);
    const cut = join(root, "cut.csv");
    writeFileSync(cut, "task,clear\nx,yes\n");
    await expect(importSheet(original, cut)).rejects.toMatchObject({ kind: "usage" });
    writeFileSync(cut, Buffer.from("\ufefftask,clear", "utf16le"));
    await expect(importSheet(original, cut)).rejects.toMatchObject({ problems: [{ code: "bad_sheet" }] });
    expect(existsSync(join(original, "review.json"))).toBe(false);
    expect(await readReview(original)).toBeUndefined();
  });

  it("shows ids that `explain` takes as they stand there, and by their first digits", async () => {
    const id = tasks[0]!.task_id;
    for (const shown of [id, `task-${id}`, ` task-${id} `, `task-${id.slice(0, 12)}`])
      expect(await explain(original, shown)).toMatchObject({ kind: "accepted", row: { id } });
    for (const none of ["task-", "task-0000"])
      await expect(explain(original, none)).rejects.toMatchObject({ problems: [{ code: "unknown_task" }] });
  });

  it("is neither read from nor written through a link", async () => {
    const dir = copy();
    const outside = join(root, "outside.json");
    writeFileSync(outside, "{}");
    symlinkSync(outside, join(dir, ".review.json.tmp"));
    await importSheet(dir, sheet([line(0, "ann")]));
    expect(readFileSync(outside, "utf8")).toBe("{}");
    rmSync(join(dir, "review.json"));
    symlinkSync(outside, join(dir, "review.json"));
    await expect(readReview(dir)).rejects.toMatchObject({ problems: [{ code: "review_damaged" }] });
  });
});
