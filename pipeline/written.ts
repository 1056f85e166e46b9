import type { Row } from "../stages/stage.js";
import { canonicalJson, compareText } from "./base/canonical.js";

/** A row as the run store keeps it and as later stages see it, whether it comes from the stage or from the store. */
export interface Written {
  readonly row: Row;
  /** Canonical JSON. */
  readonly line: string;
}

/**
 * Members of rows that are frozen and whose own key order is the canonical one. A stage adds a few members to a row and hands the
 * others on as they are: those need be neither sorted nor read back again, which is most of the work (100 µs of 120 a row).
 */
const settled = new WeakSet<object>();

/** The row that a line stands for. Frozen: rows are shared between stages, which must not write into them. */
export function rowOf(line: string): Row {
  const row = JSON.parse(line) as Row;
  for (const member of Object.values(row)) settle(member);
  return Object.freeze(row);
}

/**
 * Writes a row down and reads it back, so that a resumed run sees the same values (no `undefined`, no -0, one order of keys) as
 * one that never stopped.
 * @throws TypeError for values that JSON has no form for.
 */
export function write(row: Row): Written {
  const texts: string[] = [];
  const members: [string, unknown][] = [];
  for (const key of Object.keys(row).sort(compareText)) {
    const member = row[key];
    if (member === undefined) continue;
    const known = typeof member === "object" && member !== null && settled.has(member);
    const text = known ? JSON.stringify(member) : canonicalJson(member);
    texts.push(`${JSON.stringify(key)}:${text}`);
    members.push([key, known ? member : settle(JSON.parse(text))]);
  }
  return { row: Object.freeze(Object.fromEntries(members)) as Row, line: `{${texts.join(",")}}` };
}

function settle(member: unknown): unknown {
  if (freeze(member) && typeof member === "object" && member !== null) settled.add(member);
  return member;
}

/** Freezes a value throughout. @returns whether its keys stand in canonical order (JavaScript puts "9" before "10"). */
function freeze(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  let canonical = true;
  let before: string | undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!freeze(member)) canonical = false;
    if (!Array.isArray(value) && before !== undefined && before > key) canonical = false;
    before = key;
  }
  Object.freeze(value);
  return canonical;
}
