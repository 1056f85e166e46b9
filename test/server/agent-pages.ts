import { parseUnit, sameDimension } from "../../verifiers/units.js";

/** How scripted agents read: results of `search`, pages of `visit`, and figures in their text. */

export interface Result {
  readonly title: string;
  readonly url: string;
}

/** The numbered list that `search` gives. */
export function resultsIn(text: string): Result[] {
  return [...text.matchAll(/^\d+\. (.*)\n {3}(\S+)/gm)].map(([, title, url]) => ({
    title: title!,
    url: url!,
  }));
}

/** A figure as a page states it. */
export interface Figure {
  readonly number: string;
  readonly unit: string;
}

/** What pages call a quantity beside its name in formulas. */
const ALSO: Readonly<Record<string, string>> = {
  "proton number": "atomic number",
  "sidereal orbital period": "orbital period",
  "relative atomic mass": "atomic weight",
};

const UNITS: Readonly<Record<string, string>> = {
  days: "d",
  day: "d",
  hours: "h",
  hour: "h",
  minutes: "min",
  years: "yr",
  seconds: "s",
  degrees: "deg",
};

/** The first figure of a quantity that a page states in a unit of the right kind; of a table, in the row of the entity. */
export function figureIn(page: string, entity: string, noun: string, unit: string): Figure | undefined {
  const names = [noun, ALSO[noun]].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  const lines = page.split("\n");
  for (const name of names) {
    const row = tableRow(lines, entity, name);
    if (row !== undefined) {
      const found = figures(row, unit)[0];
      if (found !== undefined) return found;
    }
    for (const line of lines) {
      const at = wordAt(line, name);
      if (at < 0) continue;
      const found = figures(line.slice(at), unit)[0] ?? figures(line.slice(0, at), unit).at(-1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The cell of an entity's row under a heading that holds a name, with the unit that the heading states. */
function tableRow(lines: readonly string[], entity: string, name: string): string | undefined {
  const cells = (line: string): string[] => line.split("|").map((cell) => cell.trim());
  const row = lines.find((line) => line.startsWith("|") && cells(line)[1] === entity);
  const head = lines.find((line) => line.startsWith("|") && wordAt(line, name) >= 0);
  if (row === undefined || head === undefined) return undefined;
  const column = cells(head).findIndex((cell) => wordAt(cell, name) >= 0);
  const unit = /\(([^)]+)\)/.exec(cells(head)[column]!)?.[1] ?? "";
  return `${cells(row)[column]} ${unit}`;
}

function wordAt(line: string, name: string): number {
  const at = line.toLowerCase().indexOf(name);
  // `atomic mass` is not a mass of 3 kg, nor is `mean radius` an equatorial one.
  return at > 0 && /[a-z]/i.test(line[at - 1]!) ? -1 : at;
}

function figures(text: string, unit: string): Figure[] {
  const found: Figure[] = [];
  for (const match of text.matchAll(/(?<![\w.^-])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/gi)) {
    const number = match[0].replaceAll(",", "");
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 40);
    const own = unitBehind(behind);
    if (own !== undefined && sameDimension(own, unit)) found.push({ number, unit: own });
  }
  return found;
}

/** The longest unit at the head of a text; a pure number has none. */
function unitBehind(text: string): string | undefined {
  const words = text.trimStart().split(/\s+/).slice(0, 3);
  for (let n = words.length; n > 0; n--) {
    const spelt = words
      .slice(0, n)
      .join(" ")
      .replace(/[|,;:).]+$/, "");
    const unit = UNITS[spelt] ?? spelt;
    if (unit !== "" && isUnit(unit)) return unit;
  }
  return /^\s*(?:$|[|,;)\n.])/.test(text) ? "1" : undefined;
}

function isUnit(text: string): boolean {
  try {
    parseUnit(text);
    return true;
  } catch {
    return false;
  }
}
