/** What a reviewer says yes or no to, in the order of the sheet. */
export const QUESTIONS = {
  clear: "Is the question clear?",
  one_answer: "Has it one answer?",
  natural: "Does it read naturally?",
  from_memory: "Could you answer it from memory?",
} as const;
export type Field = keyof typeof QUESTIONS;
export const FIELDS = Object.keys(QUESTIONS) as Field[];

/** The columns of a sheet. Nothing of a task but its id and its question is among them. */
export const COLUMNS = ["row", "task", "question", ...FIELDS, "answer", "note", "reviewer"] as const;
export type Column = (typeof COLUMNS)[number];

/** Columns without which a sheet says nothing. */
export const NEEDED: readonly Column[] = ["task", ...FIELDS, "answer", "reviewer"];

const YES = new Set(["yes", "y", "true", "1"]);
const NO = new Set(["no", "n", "false", "0"]);

/** A reviewer's word: null where nothing is said or `?`; undefined for what is neither yes nor no. */
export function yesOrNo(text: string): boolean | null | undefined {
  const word = text.trim().toLowerCase();
  if (word === "" || word === "?") return null;
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** Spreadsheets take 16 hex digits such as 1234567890123e45 for a number and round it; with letters before them they do not. */
const PREFIX = "task-";

export function shownId(id: string): string {
  return `${PREFIX}${id}`;
}

export function readId(text: string): string {
  return text.trim().replace(/^task-/, "");
}
