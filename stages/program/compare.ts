import type { Value } from "../../sources/conditions.js";
import type { Catalog, NumberColumn } from "../../sources/table.js";
import { parseUnit, sameDimension } from "../../verifiers/units.js";
import type { Bits } from "./bits.js";
import { type Meaning, PlainProgram, type Result } from "./compare-run.js";
import { Stage } from "./compare-scene.js";

/** What a second program is compared with. `digits` are those asked for, as read: 0 for none. */
export interface Read extends Meaning {
  readonly digits: number;
}

/** Where two programs part: in the first world that shows it (0: the snapshot), and at what. */
export interface Difference {
  readonly world: number;
  readonly what: "candidates" | "winner" | "answer" | "unit" | "digits";
  readonly written: string;
  readonly read: string;
}

export interface Comparison {
  readonly worlds: number;
  readonly agreed: number;
  readonly difference: Difference | null;
}

/** Two ways of computing the same differ by less; two quantities that differ by less would be a coincidence in every world. */
const SAME_ANSWER = 1e-6;

/**
 * Judges by execution whether two programs mean the same: on the snapshot and on seeded worlds. Programs that give the same
 * candidates, winner and answer everywhere agree, however they are written.
 * @param key names the comparison's own random stream under the seed
 * @param worlds perturbed worlds beside the snapshot
 */
export function comparePrograms(
  written: Meaning,
  read: Read,
  catalog: Catalog,
  { seed, key, worlds }: { readonly seed: string; readonly key: string; readonly worlds: number },
): Comparison {
  const apart = asksOtherwise(written, read);
  if (apart?.what === "candidates") return { worlds: 1, agreed: 0, difference: apart };
  const { unit } = written.program.compute;
  const comparable = sameDimension(unit, read.program.compute.unit);
  const both = [written, read] as const;
  const [a, b] = both.map((m) => new PlainProgram(m, catalog, comparable ? unit : m.program.compute.unit));
  const { table } = a!;
  const column = table.columns.get(written.program.select.column) as NumberColumn;
  const differences: (Difference | undefined)[] = [];
  const real: Place = {
    world: 0,
    unit,
    value: (row) => column.values[row]!,
    name: (row) => table.names[row]!,
  };
  differences.push(differenceIn(real, a!.onSnapshot(), b!.onSnapshot()) ?? apart);
  const stage = new Stage(
    both.map((m) => m.program),
    catalog,
    seed,
    key,
  );
  for (let world = 1; world <= worlds; world++) {
    const scene = stage.scene(world);
    const values = scene.column(column.id);
    const place: Place = { world, unit, value: (row) => values[row]!, name: (row) => `row ${row}` };
    differences.push(differenceIn(place, a!.on(scene), b!.on(scene)));
  }
  const found = differences.filter((d) => d !== undefined);
  return { worlds: worlds + 1, agreed: differences.length - found.length, difference: found[0] ?? null };
}

/** Where results come from: how its rows are called, and by which value the written program chooses. */
interface Place {
  readonly world: number;
  readonly unit: string;
  readonly value: (row: number) => Value;
  readonly name: (row: number) => string;
}

/** What no execution shows: another table, another unit or number of figures to be given. */
function asksOtherwise({ program, formula }: Meaning, read: Read): Difference | undefined {
  const at = { world: 0 };
  if (program.table !== read.program.table) {
    return { ...at, what: "candidates", written: program.table, read: read.program.table };
  }
  const [a, b] = [program.compute.unit, read.program.compute.unit];
  if (!sameUnit(a, b)) return { ...at, what: "unit", written: a, read: b };
  if (!formula.exact && program.compute.digits !== read.digits) {
    return { ...at, what: "digits", written: String(program.compute.digits), read: String(read.digits) };
  }
  return undefined;
}

function sameUnit(a: string, b: string): boolean {
  const [x, y] = [parseUnit(a), parseUnit(b)];
  return sameDimension(x, y) && Math.abs(x.factor - y.factor) <= 1e-12 * x.factor && x.offset === y.offset;
}

function differenceIn(
  { world, unit, value, name }: Place,
  written: Result,
  read: Result,
): Difference | undefined {
  const only =
    firstOf(written.candidates.copy().minus(read.candidates)) ??
    firstOf(read.candidates.copy().minus(written.candidates));
  if (only !== undefined) {
    const say = ({ candidates }: Result) =>
      `${candidates.count()} ${candidates.has(only) ? "with" : "without"} ${name(only)}`;
    return { world, what: "candidates", written: say(written), read: say(read) };
  }
  if (written.winner !== read.winner) {
    // A tie is nobody's fault: it tells nothing.
    if (written.winner >= 0 && read.winner >= 0 && value(written.winner) === value(read.winner))
      return undefined;
    const say = ({ winner }: Result) => (winner < 0 ? "nobody" : name(winner));
    return { world, what: "winner", written: say(written), read: say(read) };
  }
  if (sameAnswer(written.answer, read.answer)) return undefined;
  const say = ({ answer }: Result) =>
    Number.isNaN(answer) ? "none" : `${Number(answer.toPrecision(12))} ${unit}`;
  return { world, what: "answer", written: say(written), read: say(read) };
}

function firstOf(rows: Bits): number | undefined {
  let first: number | undefined;
  rows.each((row) => {
    first ??= row;
  });
  return first;
}

function sameAnswer(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return Math.abs(a - b) <= SAME_ANSWER * Math.max(Math.abs(a), Math.abs(b));
}
