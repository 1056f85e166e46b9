import { lstat, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { groundTruthOf, type Rewarded } from "../../datasets/ground-truth.js";
import { gradeAnswer } from "../../verifiers/answer/grade.js";
import { expectedSchema } from "../../verifiers/answer/schema.js";
import { canonicalJson, compareText, sha256 } from "../base/canonical.js";
import { fail, type Problem, TaskmillError } from "../base/errors.js";
import { diskProblem } from "../fs.js";
import { readManifest } from "../manifest-file.js";
import { openRunDir } from "../run-dir.js";
import { tasksOf } from "../tasks.js";
import { type Filled, readSheet } from "./csv.js";
import { manifestHash, REVIEW, type Review, readReview } from "./read.js";
import type { StoredReview, Verdict } from "./verdict.js";

const MAX_SHEET = 64 * 2 ** 20;
const PROBLEMS = 20;

export interface Imported extends Review {
  /** Verdicts that the sheet gave, and of them those that stand in place of an earlier one of the same reviewer. */
  readonly imported: number;
  readonly replaced: number;
  /** Earlier verdicts on questions that the dataset no longer has: they are gone. */
  readonly dropped: number;
}

/**
 * Checks a filled sheet against its dataset, grades the reviewers' own answers, and adds the verdicts to `review.json` beside it.
 * @throws TaskmillError (usage) for a sheet that is wrong, with all that is; (verification) for a dataset or review that cannot be read
 */
export async function importSheet(dir: string, sheet: string): Promise<Imported> {
  const path = await openRunDir(dir);
  await readManifest(path);
  const { filled, problems } = readSheet(await sheetText(sheet), sheet);
  if (filled.length === 0)
    fail(
      "usage",
      "sheet_not_filled",
      `nobody has written anything into ${sheet}`,
      "fill in what is left of `reviewer`",
    );
  const before = (await readReview(path))?.verdicts ?? [];
  const truths = await truthsOf(path, new Set([...filled, ...before].map(({ task }) => task)));
  refuse([...problems, ...twice(filled, sheet), ...strangers(truths, filled, sheet, dir)], sheet);
  const kept = before.filter(({ task, question_sha256 }) => hashOfTask(truths, task) === question_sha256);
  const verdicts = new Map(kept.map((verdict) => [nameOf(verdict), graded(verdict, truths)]));
  const replaced = filled.filter((row) => verdicts.has(nameOf(row))).length;
  for (const row of filled) verdicts.set(nameOf(row), graded(verdictOf(row, truths), truths));
  const sorted = [...verdicts.values()].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  await store(path, { review: 1, manifest_sha256: await manifestHash(path), verdicts: sorted });
  const review = (await readReview(path))!;
  return { ...review, imported: filled.length, replaced, dropped: before.length - kept.length };
}

const nameOf = ({ task, reviewer }: { readonly task: string; readonly reviewer: string }): string =>
  canonicalJson([task, reviewer]);

async function sheetText(sheet: string): Promise<string> {
  const found = await lstat(sheet).catch(() => undefined);
  if (found === undefined)
    fail("usage", "no_sheet", `there is no ${sheet}`, "`pipeline review export` writes one");
  if (!found.isFile() || found.size > MAX_SHEET)
    fail("usage", "bad_sheet", `${sheet} is not a regular file of a plausible size`, "give the filled CSV");
  const text = await readFile(sheet, "utf8");
  if (/^\ufeff?\s*<(?:!doctype|html)/i.test(text))
    fail(
      "usage",
      "bad_sheet",
      `${sheet} is the empty form`,
      "fill it in in a browser; its button saves the CSV to import",
    );
  return text;
}

/** All that is wrong with a sheet, line by line; of very much the beginning, and how much more there is. */
function refuse(problems: readonly Problem[], file: string): void {
  if (problems.length === 0) return;
  const lineOf = ({ location }: Problem) => location?.line ?? 0;
  const shown = [...problems].sort((a, b) => lineOf(a) - lineOf(b)).slice(0, PROBLEMS);
  const more = problems.length - shown.length;
  const rest = { code: "more_problems", message: `and ${more} more`, location: { file } };
  throw new TaskmillError("usage", more === 0 ? shown : [...shown, rest]);
}

function twice(filled: readonly Filled[], file: string): Problem[] {
  const seen = new Map<string, number>();
  // An empty cell is a problem of its own, and nobody's name.
  const named = filled.filter(({ task, reviewer }) => task !== "" && reviewer !== "");
  return named.flatMap((row): Problem[] => {
    const line = seen.get(nameOf(row));
    seen.set(nameOf(row), row.line);
    if (line === undefined) return [];
    const message = `columns \`task\` and \`reviewer\`: ${row.reviewer} reviews ${row.task} twice, in lines ${line} and ${row.line}`;
    return [
      { code: "reviewed_twice", message, hint: "keep one of them", location: { file, line: row.line } },
    ];
  });
}

type Truths = ReadonlyMap<string, Rewarded>;

/** The rows that are asked for; the others are passed over. */
async function truthsOf(dir: string, wanted: ReadonlySet<string>): Promise<Truths> {
  const truths = new Map<string, Rewarded>();
  for await (const row of tasksOf(dir))
    if (wanted.has(row.id)) truths.set(row.id, row as unknown as Rewarded);
  return truths;
}

/** Lines that are not about a task of this dataset as it is now. */
function strangers(truths: Truths, filled: readonly Filled[], file: string, dir: string): Problem[] {
  return filled.flatMap(({ task, question, line }): Problem[] => {
    if (task === "") return [];
    const at = {
      hint: "import it into the dataset that it was exported from, with ids and questions as they were",
      location: { file, line },
    };
    const truth = truths.get(task);
    if (truth === undefined)
      return [{ code: "unknown_task", message: `column \`task\`: ${dir} has no task ${task}`, ...at }];
    if (question === undefined || plain(question) === plain(truth.question)) return [];
    const message = `column \`question\`: the question of ${task} is not the one of ${dir}`;
    return [{ code: "other_question", message, ...at }];
  });
}

/** Spreadsheets may change white space. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function hashOfTask(truths: Truths, task: string): string | undefined {
  const truth = truths.get(task);
  return truth === undefined ? undefined : sha256(truth.question);
}

function verdictOf({ task, reviewer, says, answer, note }: Filled, truths: Truths): Verdict {
  const question_sha256 = hashOfTask(truths, task)!;
  return {
    task,
    question_sha256,
    reviewer,
    ...says,
    answer: answer === "" ? null : answer,
    grade: null,
    note,
  };
}

/** Graded each time, so that a better grader or a corrected answer is what counts. */
function graded(verdict: Verdict, truths: Truths): Verdict {
  if (verdict.answer === null) return { ...verdict, grade: null };
  const { answer: expected, question, language } = groundTruthOf(truths.get(verdict.task)!);
  if (!expectedSchema.safeParse(expected).success)
    fail(
      "verification",
      "row_unreadable",
      `the answer of ${verdict.task} is none`,
      "`pipeline verify` says more",
    );
  const { verdict: found, reason } = gradeAnswer(verdict.answer, expected, { question, language });
  return { ...verdict, grade: { verdict: found, reason } };
}

/** Written aside and put in place, so that a kill leaves the old reviews or the new ones. */
async function store(dir: string, review: StoredReview): Promise<void> {
  const draft = join(dir, `.${REVIEW}.tmp`);
  try {
    // Not through a link that somebody may have put there.
    await rm(draft, { force: true });
    const file = await open(draft, "wx");
    try {
      await file.writeFile(`${JSON.stringify(JSON.parse(canonicalJson(review)), null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(dir, REVIEW));
  } catch (error) {
    throw diskProblem(error, dir) ?? error;
  }
}
