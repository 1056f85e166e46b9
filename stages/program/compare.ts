import type { Value } from "../../sources/conditions.js";
import type { Catalog, NumberColumn } from "../../sources/table.js";
import { parseUnit, sameDimension } from "../../verifiers/units.js";
import { withAllDerived } from "./compare-derived.js";
import { type Chosen, type Meaning, PlainProgram, type Result } from "./compare-run.js";
import { Stage } from "./compare-scene.js";
import type { Program } from "./program.js";

/** What a second program is compared with. `digits` are those asked for, as read: 0 for none. */
export interface Read extends Meaning {
  readonly digits: number;
}

/** Where two programs part: in the first world that shows it (0: the snapshot), and at what. */
export interface Difference {
  readonly world: number;
  readonly what: "form" | "candidates" | "winner" | "answer" | "unit" | "digits";
  readonly written: string;
  readonly read: string;
}

export interface Comparison {
  readonly worlds: number;
  readonly agreed: number;
  readonly difference: Difference | null;
}

interface Run {
  readonly seed: string;
  readonly key: string;
  readonly worlds: number;
}

/** Two ways of computing the same differ by less; two quantities that differ by less would be a coincidence in every world. */
const SAME_ANSWER = 1e-6;

/**
 * Judges by execution whether two programs mean the same: on the snapshot and on seeded worlds. Programs that give the same
 * candidates, winners and answer everywhere agree, however they are written.
 * @param key names the comparison's own random stream under the seed
 * @param worlds perturbed worlds beside the snapshot
 */
export function comparePrograms(written: Meaning, read: Read, catalog: Catalog, run: Run): Comparison {
  const comparison = compared(written, read, catalog, run);
  const turned = comparison.difference === null ? undefined : mirrored(read);
  if (turned === undefined) return comparison;
  // Which of two entities a reader puts first is no matter as long as the formula follows.
  const other = compared(written, turned, catalog, run);
  return other.difference === null ? other : comparison;
}

/** The same program with its two entities in the other order. */
function mirrored(read: Read): Read | undefined {
  const { program } = read;
  const { select, other, compute } = program;
  if (select === undefined || other === undefined || program.follow !== undefined) return undefined;
  const swapped = {
    selected: "other",
    other: "selected",
    followed: "followed",
    candidates: "candidates",
  } as const;
  const inputs = Object.entries(compute.inputs).map(([name, ref]) => [name, { ...ref, of: swapped[ref.of] }]);
  if (Object.values(compute.inputs).some((ref) => ref.of === "candidates")) return undefined;
  return {
    ...read,
    program: {
      ...program,
      where: other.where,
      select: other.select,
      other: { where: program.where, select },
      compute: { ...compute, inputs: Object.fromEntries(inputs) },
    },
  };
}

function compared(written: Meaning, read: Read, from: Catalog, { seed, key, worlds }: Run): Comparison {
  const apart = asksOtherwise(written, read);
  if (apart?.what === "candidates" || apart?.what === "form")
    return { worlds: 1, agreed: 0, difference: apart };
  const { unit } = written.program.compute;
  const comparable = sameDimension(unit, read.program.compute.unit);
  const { meanings, catalog } = withAllDerived([written, read], from);
  const [a, b] = meanings.map(
    (m) => new PlainProgram(m, catalog, comparable ? unit : m.program.compute.unit),
  );
  const { table } = a!;
  const { select, other } = meanings[0]!.program;
  const real = (column: string) => (row: number) => (table.columns.get(column) as NumberColumn).values[row]!;
  const differences: (Difference | undefined)[] = [];
  const snapshot: Place = {
    world: 0,
    unit,
    value: select && real(select.column),
    otherValue: other && real(other.select.column),
    name: (row) => table.names[row]!,
  };
  differences.push(differenceIn(snapshot, a!.onSnapshot(), b!.onSnapshot()) ?? apart);
  const stage = new Stage(
    meanings.map((m) => m.program),
    catalog,
    seed,
    key,
  );
  for (let world = 1; world <= worlds; world++) {
    const scene = stage.scene(world);
    const made = (column: string) => (row: number) => scene.column(column)[row]!;
    const place: Place = {
      world,
      unit,
      value: select && made(select.column),
      otherValue: other && made(other.select.column),
      name: (row) => `row ${row}`,
    };
    differences.push(differenceIn(place, a!.on(scene), b!.on(scene)));
  }
  const found = differences.filter((d) => d !== undefined);
  return { worlds: worlds + 1, agreed: differences.length - found.length, difference: found[0] ?? null };
}

/** Where results come from: how its rows are called, and by which values the written program chooses. */
interface Place {
  readonly world: number;
  readonly unit: string;
  readonly value: ((row: number) => Value) | undefined;
  readonly otherValue: ((row: number) => Value) | undefined;
  readonly name: (row: number) => string;
}

/** What no execution shows: another table, another unit or number of figures to be given. */
function asksOtherwise({ program, formula }: Meaning, read: Read): Difference | undefined {
  const at = { world: 0 };
  if (program.table !== read.program.table) {
    return { ...at, what: "candidates", written: program.table, read: read.program.table };
  }
  const entities = ({ select, other }: Program) => (select === undefined ? 0 : other === undefined ? 1 : 2);
  const [one, two] = [entities(program), entities(read.program)];
  if (one !== two) {
    const say = (n: number) => `chooses ${["nobody", "one entity", "two entities"][n]}`;
    return { ...at, what: "form", written: say(one), read: say(two) };
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

function differenceIn(place: Place, written: Result, read: Result): Difference | undefined {
  const first = choiceApart(place, written, read, place.value);
  if (first !== undefined) return first === "tie" ? undefined : first;
  if (written.other !== undefined && read.other !== undefined) {
    const second = choiceApart(place, written.other, read.other, place.otherValue);
    if (second !== undefined) return second === "tie" ? undefined : second;
  }
  if (sameAnswer(written.answer, read.answer)) return undefined;
  const say = ({ answer }: Result) =>
    Number.isNaN(answer) ? "none" : `${Number(answer.toPrecision(12))} ${place.unit}`;
  return { world: place.world, what: "answer", written: say(written), read: say(read) };
}

/** Where two choices of one entity part. A tie is nobody's fault: it tells nothing. */
function choiceApart(
  { world, name }: Place,
  written: Chosen,
  read: Chosen,
  value: ((row: number) => Value) | undefined,
): Difference | "tie" | undefined {
  const only =
    written.candidates.copy().minus(read.candidates).first() ??
    read.candidates.copy().minus(written.candidates).first();
  if (only !== undefined) {
    const say = ({ candidates }: Chosen) =>
      `${candidates.count()} ${candidates.has(only) ? "with" : "without"} ${name(only)}`;
    return { world, what: "candidates", written: say(written), read: say(read) };
  }
  if (written.winner === read.winner || value === undefined) return undefined;
  if (written.winner >= 0 && read.winner >= 0 && value(written.winner) === value(read.winner)) return "tie";
  const say = ({ winner }: Chosen) => (winner < 0 ? "nobody" : name(winner));
  return { world, what: "winner", written: say(written), read: say(read) };
}

function sameAnswer(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return Math.abs(a - b) <= SAME_ANSWER * Math.max(Math.abs(a), Math.abs(b));
}
