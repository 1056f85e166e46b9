import { bars, columns } from "./charts.js";
import { type Chart, draw, fitting } from "./draw.js";
import type { Class, Decade, Share, Variety } from "./tally.js";

/** A chart before it is drawn. */
export type Figure = Omit<Chart, "svg"> & { readonly spec: object };

/** Draws figures in their order; those without data are left out. */
export async function drawn(figures: readonly (Figure | undefined)[]): Promise<Chart[]> {
  const charts: Chart[] = [];
  for (const figure of figures) {
    if (figure === undefined || figure.rows.length === 0) continue;
    const { spec, ...rest } = figure;
    charts.push({ ...rest, svg: await draw(spec) });
  }
  return charts;
}

/** Ids read better without their underscores; tables keep them as they are. */
export const plain = (id: string): string => id.replaceAll("_", " ").replace(/\b\./, ": ");

/** A chart draws so many bars at most; its table has more. */
export const MOST = 12;
/** Bars of the most frequent values. */
export function shareFigure(
  title: string,
  about: string,
  name: string,
  { top, rows, distinct }: Pick<Variety, "top" | "rows" | "distinct">,
): Figure {
  const drawnOnes = top.slice(0, MOST);
  const others = rows - drawnOnes.reduce((n, s) => n + s.rows, 0);
  const rest = distinct - drawnOnes.length;
  return {
    title,
    about: rest <= 0 ? about : `${about} Not drawn: ${rest} others with ${others} tasks.`,
    spec: bars(drawnOnes.map((s) => ({ label: fitting(plain(s.value)), rows: s.rows }))),
    head: [name, "tasks", "share"],
    rows: top.map((s) => [s.value, s.rows, percent(s.rows, rows)]),
  };
}

/** All shares there are, as a {@link Variety}. */
export function listed(shares: readonly Share[]): Pick<Variety, "top" | "rows" | "distinct"> {
  return { top: shares, rows: shares.reduce((n, s) => n + s.rows, 0), distinct: shares.length };
}

export function decadeFigure(title: string, about: string, axis: string, decades: readonly Decade[]): Figure {
  const data = decades.map((d) => ({ label: power(d.exponent), rows: d.rows }));
  const rows = decades.map((d) => [`${power(d.exponent)} to ${power(d.exponent + 1)}`, d.rows]);
  return { title, about, spec: columns(data, axis), head: [axis, "tasks"], rows };
}

export function wholeFigure(
  title: string,
  about: string,
  axis: string,
  shares: readonly Share[],
  counted = "tasks",
): Figure {
  const data = shares.map((s) => ({ label: s.value, rows: s.rows }));
  return {
    title,
    about,
    spec: columns(data, axis, counted),
    head: [axis, counted],
    rows: shares.map((s) => [s.value, s.rows]),
  };
}

interface ClassWords {
  /** Whether the values are whole numbers, so that 2 to below 5 reads 2–4. */
  readonly whole?: boolean;
  /** What is counted. */
  readonly counted?: string;
  readonly text?: (limit: number) => string;
  /** What the class below the first limit is called. */
  readonly least?: string | undefined;
}

/** Columns over classes. */
export function classFigure(
  title: string,
  about: string,
  axis: string,
  classes: readonly Class[],
  { whole = false, counted = "tasks", text = String, least = undefined }: ClassWords = {},
): Figure {
  const data = classes.map((c) => ({
    label: c.low === null && least !== undefined ? least : classText(c, whole, text),
    rows: c.rows,
  }));
  return {
    title,
    about,
    spec: columns(data, axis, counted),
    head: [axis, counted],
    rows: data.map((d) => [d.label, d.rows]),
  };
}

function classText({ low, high }: Class, whole: boolean, text: (limit: number) => string): string {
  if (high === null) return `${text(low!)}+`;
  const last = whole ? high - 1 : high;
  if (low === null) return whole && last >= 0 ? `≤${text(last)}` : `<${text(high)}`;
  return low === last ? text(low) : `${text(low)}–${text(last)}`;
}

const RAISED: Readonly<Record<string, string>> = {
  "-": "⁻",
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
};

export function power(exponent: number): string {
  if (exponent >= -2 && exponent <= 3) return String(10 ** exponent).slice(0, 4);
  return `10${superscript(String(exponent))}`;
}

/** Digits and minus signs, raised. */
export function superscript(digits: string): string {
  return [...digits].map((c) => RAISED[c] ?? c).join("");
}

/** e.g. "12.5 %". */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
