import { fold } from "../plain-text.js";
import type { Verdict } from "./answer.js";
import type { Notation } from "./language.js";
import { right, undecided, wrong } from "./verdicts.js";

interface Day {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
}

/** Months in English, German, French, Spanish, Italian, Portuguese and Dutch, folded; three letters or more of a name stand for it. */
const MONTHS: readonly (readonly string[])[] = [
  ["january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari"],
  ["february", "februar", "fevrier", "febrero", "febbraio", "fevereiro", "februari"],
  ["march", "marz", "maerz", "mars", "marzo", "marco", "maart"],
  ["april", "avril", "abril", "aprile"],
  ["may", "mai", "mayo", "maggio", "maio", "mei"],
  ["june", "juni", "juin", "junio", "giugno", "junho"],
  ["july", "juli", "juillet", "julio", "luglio", "julho"],
  ["august", "aout", "agosto", "augustus"],
  ["september", "septembre", "septiembre", "settembre", "setembro"],
  ["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
  ["november", "novembre", "noviembre", "novembro"],
  ["december", "dezember", "decembre", "diciembre", "dicembre", "dezembro"],
];
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?,? /i;

/** Judges a date to the precision of the reference. A more precise answer that fits is right, a less precise one is not. */
export function gradeDate(plain: string, expected: string, notation: Notation): Verdict {
  const wanted = iso(expected);
  const read = readDate(plain, notation);
  if (wanted === undefined || read === undefined)
    return undecided("unreadable", "the answer cannot be read as a date", plain);
  if (read === "ambiguous")
    return undecided("ambiguous_date", "day and month could be either way round", plain);
  if (!exists(read)) return wrong("no_such_date", "there is no such day", plain);
  const parts = ["year", "month", "day"] as const;
  for (const part of parts) {
    if (wanted[part] === undefined) break;
    if (read[part] === undefined) return wrong("less_precise", `the ${part} is missing`, plain);
    if (read[part] !== wanted[part]) return wrong("wrong_value", `it is another ${part}`, plain);
  }
  return right("equal", "it is the same date", plain);
}

function iso(text: string): Day | undefined {
  const match = /^(-?\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:T[\d:.]{0,15}Z?)?$/.exec(text);
  return match === null ? undefined : dayOf(match[1]!, match[2], match[3]);
}

function dayOf(year: string, month?: string | number, day?: string): Day {
  return {
    year: Number(year),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
}

/** A date in any of the forms of docs/answers.md. */
function readDate(plain: string, notation: Notation): Day | "ambiguous" | undefined {
  if (plain.length > 100) return undefined;
  const text = plain
    .replace(/[.!,;\s]+$/, "")
    .replace(/^(?:on|in|at|am|im|le|el|em|op) (?:the )?/i, "")
    .replace(/^the (?=\d)/i, "")
    .replace(/^(?:the )?year /i, "")
    .replace(WEEKDAY, "");
  const era = /^(.*?) ?(\bB\.? ?C\.?(?: ?E\.?)?|\bA\.? ?D\.?|\bC\.? ?E\.?)$/i.exec(text);
  const before = era !== null && /^b/i.test(era[2]!);
  const body = (era === null ? text : era[1]!).replace(/^A\.? ?D\.? (?=\d)/i, "").trim();
  const read =
    iso(body) ??
    (era === null ? undefined : bareYear(body)) ??
    numeric(body, notation) ??
    named(body, era !== null);
  if (read === undefined || read === "ambiguous") return read;
  // 1 BC is the year 0 of ISO 8601.
  return before ? { ...read, year: 1 - read.year } : read;
}

const bareYear = (text: string): Day | undefined =>
  /^\d{1,4}$/.test(text) ? { year: Number(text) } : undefined;

/** 23.09.1846 is day first everywhere; 03/04/1846 depends on who writes. */
function numeric(text: string, { dayFirst }: Notation): Day | "ambiguous" | undefined {
  const match = /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4})$/.exec(text);
  if (match === null) return undefined;
  const [, a, mark, b, year] = match as unknown as [string, string, string, string, string];
  if (mark === "." || dayFirst === true || Number(a) > 12) return dayOf(year, b, a);
  if (dayFirst === false || Number(b) > 12 || Number(a) === Number(b)) return dayOf(year, a, b);
  return "ambiguous";
}

/** "23 September 1846", "September 23rd, 1846", "23. September 1846", "23 de septiembre de 1846", "Sept 1846", "1846 Sep 23". */
function formsOf(year: string): readonly { form: RegExp; order: readonly number[] }[] {
  const gap = "(?:[ ,.-]|de |of |del )*";
  const forms: readonly [string, readonly number[]][] = [
    [`^(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?${gap}(\\p{L}{3,12})\\.?${gap}${year}$`, [3, 2, 1]],
    [`^(\\p{L}{3,12})\\.?${gap}(\\d{1,2})(?:st|nd|rd|th)?${gap} ${year}$`, [3, 1, 2]],
    [`^(\\p{L}{3,12})\\.?${gap}(\\d{1,2})(?:st|nd|rd|th)?, ?${year}$`, [3, 1, 2]],
    [`^${year}${gap}(\\p{L}{3,12})\\.?${gap}(\\d{1,2})(?:st|nd|rd|th)?$`, [1, 2, 3]],
    [`^(\\p{L}{3,12})\\.?${gap}${year}$`, [2, 1]],
    [`^${year}${gap}(\\p{L}{3,12})$`, [1, 2]],
  ];
  return forms.map(([form, order]) => ({ form: new RegExp(form, "u"), order }));
}

const FORMS = formsOf("(-?\\d{4})");
/** With an era behind it a year may have fewer digits. */
const ERA_FORMS = formsOf("(\\d{1,4})");

function named(text: string, era: boolean): Day | undefined {
  for (const { form, order } of era ? ERA_FORMS : FORMS) {
    const match = form.exec(text);
    const month = match === null ? undefined : monthOf(match[order[1]!]!);
    if (match !== null && month !== undefined)
      return dayOf(match[order[0]!]!, month, order[2] === undefined ? undefined : match[order[2]]);
  }
  return undefined;
}

/** 1 to 12 for a month's name or its first letters. */
export function monthOf(name: string): number | undefined {
  const key = fold(name);
  const at = MONTHS.findIndex((names) => names.includes(key));
  if (at >= 0) return at + 1;
  const starts = MONTHS.flatMap((names, i) =>
    key.length <= 4 && names.some((n) => n.startsWith(key)) ? [i + 1] : [],
  );
  return starts.length === 1 ? starts[0] : undefined;
}

function exists({ year, month, day }: Day): boolean {
  if (month === undefined) return true;
  if (month < 1 || month > 12) return false;
  if (day === undefined) return true;
  // Years divisible by four are leap years in the Julian calendar, which old dates are given in.
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0 || year < 1924);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
  return day >= 1 && day <= days;
}
