import type { Random } from "../../pipeline/base/random.js";
import type { Value } from "../../sources/conditions.js";
import type { TextColumn } from "../../sources/table.js";
import { STAGED_ROWS } from "./perturb.js";
import { type Group, memberValue, pleases } from "./perturb-groups.js";

/**
 * Staged rows: most of a shuffled table meets no conjunction, so some rows are set to. Each pleases one of two programs in all its
 * conditions, or in all but one, with values just beside the thresholds of either.
 */

/** Cells of the columns that programs read, for {@link STAGED_ROWS} rows. `programs` is how many there are. */
export function stagedCells(
  groups: readonly Group[],
  programs: number,
  random: Random,
): Map<string, Value[]> {
  const cells = new Map<string, Value[]>(groups.flatMap((g) => g.members.map(({ id }) => [id, []])));
  const judged = groups.filter((g) => g.conditions.length > 0);
  for (let row = 0; row < STAGED_ROWS; row++) {
    const pleased = random.int(programs);
    // Half of the rows fall short in one place, so that the loss of any condition lets somebody in.
    const odd = judged[random.int(2 * judged.length)];
    for (const group of groups) {
      const drawn = drawOne(group, group === odd ? undefined : pleased, random);
      for (const member of group.members) cells.get(member.id)!.push(memberValue(member, drawn));
    }
  }
  return cells;
}

/** A value for a group, one that the program to be pleased accepts where there is one. */
function drawOne(group: Group, pleased: number | undefined, random: Random): Value {
  if (group.conditions.length === 0) return spread(group, random);
  const draws = drawsOf(group, random);
  if (pleased === undefined) return random.pick(draws);
  const right = draws.filter((d) => pleases(group, d, pleased));
  return random.pick(right.length > 0 ? right : draws);
}

/** Values on all sides of every condition of a group. */
function drawsOf(group: Group, random: Random): Value[] {
  const absent: Value[] = group.conditions.some((c) => c.op === "known") ? [null] : [];
  if (group.column.type === "flag") return [true, false, ...absent];
  if (group.column.type === "text") return [...textDraws(group, group.column, random), ...absent];
  return [...numberDraws(group, random), ...absent];
}

/** How many texts of the column stand beside those that conditions name. */
const OTHER_TEXTS = 4;

/** Stands for a class that the data do not have, so that a choice among all classes is not idle. */
const FOREIGN = "another";

/** Texts that are named, one for each beginning that is named, and a few others. */
function textDraws({ conditions }: Group, { values }: TextColumn, random: Random): Value[] {
  const others = Array.from({ length: OTHER_TEXTS }, () => values[random.int(values.length)] ?? null);
  const named = conditions.flatMap((c): readonly (string | number)[] => {
    if (c.op === "eq") return [c.value];
    return c.op === "in" || c.op === "starts_with" ? c.values : [];
  });
  return [...named, ...others, FOREIGN];
}

/** Just beside a limit, in parts of it. */
const BESIDE = 1e-3;
/** How far beyond the outermost limits values reach, in steps. */
const FAR = 600;
const FAR_WHOLE = 6;

/** Just below, just above and between the limits; on them too, where the ends of a range matter. */
function numberDraws(group: Group, random: Random): Value[] {
  const { limits, whole, exact, largest } = group;
  if (limits.length === 0) return [spread(group, random)];
  const step = (limit: number) => (whole ? 1 : BESIDE * (Math.abs(limit) || largest));
  const draws: number[] = exact ? [...limits] : [];
  // Beyond the outermost limits at some distance too, so that values differ and somebody is the extreme one.
  const far = () => 1 + (whole ? random.int(FAR_WHOLE) : random.next() * FAR);
  const [least, most] = [limits[0]!, limits.at(-1)!];
  draws.push(least - step(least), least - step(least) * far(), most + step(most), most + step(most) * far());
  for (let i = 1; i < limits.length; i++) {
    const [low, high] = [limits[i - 1]!, limits[i]!];
    const middle = low + (high - low) * (0.05 + 0.9 * random.next());
    const between = [low + step(low), whole ? Math.round(middle) : middle, high - step(high)];
    draws.push(...between.filter((x) => x > low && x < high));
  }
  return draws;
}

/** A value between two of the column's own, so that hardly any two rows tie. */
function spread({ values, column, whole }: Group, random: Random): Value {
  if (column.type === "text") return random.pick(sharedTexts(column));
  if (column.type === "flag" || values.length === 0) return null;
  const [a, b] = [random.pick(values), random.pick(values)];
  const value = a + (b - a) * random.next();
  return whole ? Math.round(value) : value;
}

const shared = new WeakMap<TextColumn, (string | null)[]>();

/** A few of the column's texts, so that staged rows have peers. */
function sharedTexts(column: TextColumn): (string | null)[] {
  let texts = shared.get(column);
  if (texts === undefined) {
    const found = new Set<string>();
    for (const text of column.values) if (text !== null && found.size < OTHER_TEXTS) found.add(text);
    texts = found.size === 0 ? [null] : [...found];
    shared.set(column, texts);
  }
  return texts;
}
