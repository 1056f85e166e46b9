import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";

/** Figures that were taken from other packages; each file's first lines name package, version, file and licence. */
export interface Reference {
  readonly text: string;
  readonly value: number;
  /** Half the last digit that is written. */
  readonly halfStep: number;
  /** Standard uncertainty, 0 where none is given. */
  readonly u: number;
}

export type References = (entity: string, quantity: string) => Reference | undefined;

/** Half a unit in the last written place of a decimal number: 0.005 of "1.23", 50 of "1.2e3". */
export function halfStep(text: string): number {
  const m = /^[-+]?(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  if (m === null) return 0;
  return 0.5 * 10 ** (Number(m[3] ?? 0) - (m[2] ?? "").length);
}

export function readFacts(path: string): Record<string, string>[] {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
  return parse(text, { columns: true, comment: "#", comment_no_infix: true });
}

export function references(name: string): References {
  const found = new Map<string, Reference>();
  for (const row of readFacts(`./independent/${name}.csv`)) {
    const text = row.value!;
    const u = row.uncertainty === "" ? 0 : Number(row.uncertainty);
    const step = Number.isNaN(Number(text)) || text === "" ? 0 : halfStep(text);
    found.set(`${row.entity}\n${row.quantity}`, {
      text,
      value: text === "" ? Number.NaN : Number(text),
      halfStep: step,
      u,
    });
  }
  return (entity, quantity) => found.get(`${entity}\n${quantity}`);
}

/** The same figure in another unit. */
export function scaled(reference: Reference | undefined, factor: number): Reference | undefined {
  if (reference === undefined) return undefined;
  const { text, value, halfStep: step, u } = reference;
  return { text, value: value * factor, halfStep: step * Math.abs(factor), u: u * Math.abs(factor) };
}

/** A figure that follows from others: it has no written digits. */
export function derived(value: number): Reference | undefined {
  return Number.isFinite(value) ? { text: String(value), value, halfStep: 0, u: 0 } : undefined;
}
