import type { Condition } from "../../sources/card.js";
import type { DrawnScene, DrawnSelect, Member } from "./draw.js";
import { PROGRAM_VERSION, type Program, type Select, type Step } from "./program.js";
import type { OpenSpace } from "./space.js";

/** The program of a member, as the stages that follow know it. */
export function programOf(open: OpenSpace, scene: DrawnScene, member: Member): Program {
  const { ask, select, other } = member;
  const { second } = scene;
  const where = [...scene.where];
  const wanted = select === undefined ? undefined : selectOf(open, select);
  const peers = [...member.peers];
  const follow = ask.path.map(
    (step): Step => (typeof step === "string" ? step : { ...step, select: peers.shift()! }),
  );
  const rival =
    other === undefined
      ? undefined
      : { where: [...(other.own ? second!.where : scene.where)], select: selectOf(open, other) };
  const derive = derivedIn(
    open,
    [...where, ...(rival?.where ?? [])],
    [wanted, rival?.select, ...peersHere(follow)],
  );
  return {
    version: PROGRAM_VERSION,
    table: open.table.id,
    ...(derive === undefined ? {} : { derive }),
    where,
    ...(wanted === undefined ? {} : { select: wanted }),
    ...(follow.length === 0 ? {} : { follow }),
    ...(rival === undefined ? {} : { other: rival }),
    compute: {
      formula: ask.formula.id,
      inputs: ask.inputs,
      unit: ask.formula.output.unit,
      digits: ask.formula.digits,
    },
  };
}

/** Selections of peers in the program's own table: before the first link. */
function peersHere(follow: readonly Step[]): Select[] {
  const link = follow.findIndex((step) => typeof step === "string");
  return follow
    .slice(0, link < 0 ? follow.length : link)
    .flatMap((step) => (typeof step === "string" ? [] : [step.select]));
}

function selectOf({ select }: OpenSpace, { at, order, rank }: DrawnSelect): Select {
  return { column: select[at]!, order, rank };
}

/** The derived columns that a program names; undefined when it names none. */
function derivedIn(
  { derive }: OpenSpace,
  where: readonly Condition[],
  selects: readonly (Select | undefined)[],
): Program["derive"] {
  const named = new Set([...where, ...selects].map((n) => n?.column));
  const used = Object.entries(derive).filter(([id]) => named.has(id));
  return used.length === 0 ? undefined : Object.fromEntries(used);
}
