import type { Condition } from "../../sources/card.js";
import type { Wanted } from "../../verifiers/mentions.js";
import { scanNumbers } from "../../verifiers/number-scan.js";
import { plainText } from "../../verifiers/plain-text.js";
import type { HiddenValue, StatedValue } from "../../verifiers/value-leaks.js";
import type { ComputedRow } from "../task.js";
import { conditionsOf } from "./reads.js";

/** Values that a question must hide, and those that it states. */

/** A value with fewer digits than this many gives nothing away. */
const LEAK_DIGITS = 3;

/** Every value that was computed or read on the way to the answer. */
export function hiddenOf(row: ComputedRow): HiddenValue[] {
  const { answer } = row;
  const exact = answer.type === "integer";
  const steps = row.chain
    .filter((s) => s.kind !== "answer" && s.value !== null)
    .map((s) => ({ label: s.label, value: s.value!, unit: s.unit ?? "1" }));
  const inputs = Object.entries(row.inputs).map(([name, i]) => ({
    label: name,
    value: i.value,
    unit: i.unit,
  }));
  const measured = [...choicesOf(row), ...inputs, ...steps];
  const seen = new Set<string>();
  const others = measured.filter((m) => {
    const key = `${m.value} ${m.unit}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return [
    {
      label: "answer",
      value: answer.value,
      unit: answer.unit,
      answer: true,
      integer: exact,
      digits: Math.min(LEAK_DIGITS, answer.digits),
    },
    ...others.map(({ label, value, unit }) => ({
      label,
      value,
      unit,
      answer: false,
      integer: Number.isInteger(value) && Math.abs(value) < 1e5 && unit === "1",
      digits: LEAK_DIGITS,
    })),
  ];
}

/** By which values entities were chosen. */
function choicesOf({ program, selection }: ComputedRow): { label: string; value: number; unit: string }[] {
  if (selection === undefined) return [];
  const { peers = [], other } = selection;
  const of = (label: string, { value, unit }: { value: number; unit: string }) => ({ label, value, unit });
  return [
    of(`selected ${program.select!.column}`, selection),
    ...peers.map((p) => of("value of the entity along the path", p)),
    ...(other === undefined ? [] : [of(`other ${program.other!.select.column}`, other)]),
  ];
}

/** Numbers that the question has to contain. */
export function statedOf(
  row: ComputedRow,
  wanted: Wanted,
  allowed: readonly string[],
  dates: readonly string[],
): StatedValue[] {
  const given = (value: number, unit: string | null = null): StatedValue => ({
    value,
    unit,
    condition: false,
  });
  const inTexts = allowed.flatMap((text) =>
    scanNumbers(plainText(text)).flatMap((n) =>
      n.values.flatMap((v) => [given(v), ...n.units.map((u) => given(v, u.unit.text))]),
    ),
  );
  const { answer } = row;
  return [
    ...wanted.numbers.map((n) => ({ value: n.value, unit: n.unit, condition: true })),
    ...wanted.constants.map((c) => given(c.value, c.unit)),
    ...dates.flatMap((d) => d.split("-")).map((v) => given(Number(v))),
    given(answer.digits),
    // "In units of 10²⁰ kg" states no quantity.
    ...(answer.unit.startsWith("10^") ? [given(1, answer.unit)] : []),
    ...wanted.selects.map(({ rank }) => given(rank)),
    ...conditionsOf(row)
      .flatMap(textNumbers)
      .map((v) => given(v)),
    ...(wanted.constants.length > 0 ? [given(1, "au"), given(1, "u"), given(1, "atm")] : []),
    ...inTexts,
  ];
}

/** Texts that a condition names. */
export function textsOf(condition: Condition): string[] {
  const values =
    condition.op === "eq"
      ? [condition.value]
      : condition.op === "in" || condition.op === "starts_with"
        ? condition.values
        : [];
  return values.filter((v) => typeof v === "string");
}

/** Digits inside a condition's text, e.g. a spectral type G2. */
function textNumbers(condition: Condition): number[] {
  return textsOf(condition).flatMap((v) => scanNumbers(plainText(v)).flatMap((n) => n.values));
}
