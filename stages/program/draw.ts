import type { Random } from "../../pipeline/base/random.js";
import type { Condition } from "../../sources/card.js";
import type { Ask, AskForm, AskStep } from "./asks.js";
import { lowerBound } from "./axis.js";
import type { Clause } from "./clause.js";
import { extendName, joinNames, nameOfText } from "./identity.js";
import type { Select } from "./program.js";
import type { Scene } from "./scene.js";
import type { SceneChoice } from "./scene-choice.js";
import type { OpenSpace } from "./space.js";

/** A selection inside of a scene; `at` is the place of its column among those of the space. */
export interface DrawnSelect {
  readonly at: number;
  readonly order: Select["order"];
  readonly rank: number;
}

/** A program inside of a drawn scene: cheap to make, as most of them are refused. */
export interface Member {
  readonly ask: Ask;
  readonly select: DrawnSelect | undefined;
  /** Whom each `peers` step chooses, in order. */
  readonly peers: readonly Select[];
  /** The selection of a second entity, from the first scene or from the second. */
  readonly other: (DrawnSelect & { readonly own: boolean }) | undefined;
  /** See identity.ts. */
  readonly name: number;
}

/** A conjunction with what was drawn for it. The space's scenes hold its rows until the next one is drawn. */
export interface DrawnScene {
  readonly form: AskForm;
  readonly where: readonly Condition[];
  /** Columns of conditions that were added to those given: nothing else may go by them. */
  readonly taken: ReadonlySet<string>;
  readonly name: number;
  /** The first member, for which the conditions were drawn. */
  readonly lead: Lead;
  /** Where programs have a second entity with conditions of its own: these. */
  readonly second: { readonly where: readonly Condition[]; readonly name: number } | undefined;
}

interface Lead {
  readonly ask: Ask;
  readonly select: DrawnSelect | undefined;
}

/** No question is asked to hold more conditions than this. */
const MAX_CONDITIONS = 4;
/** How many of a hundred programs narrow a class's own threshold: they ask about a part of what is completely known. */
const TIGHTER = 70;
/** Attempts to find a condition before the program does with fewer. */
const ATTEMPTS = 8;
/** Of a hundred scenes of two entities, in so many both are chosen under the same conditions. */
const SAME_CONDITIONS = 40;
/** Fewest candidates that conditions aim at: of large tables, and of those with a handful of rows. */
const LEAST_CANDIDATES = 10;
const LEAST_OF_FEW = 3;

/**
 * Draws scene number g of a space from its stream: a form, a lead (whom to select, what to ask) and conditions such that each rules
 * out the entity that would win without it and leaves some. How many they leave is drawn too, evenly on a logarithmic
 * scale. Whether all stay necessary is for the checks to say.
 * @returns undefined if the space has nothing to ask
 */
export function drawScene(open: OpenSpace, random: Random): DrawnScene | undefined {
  const drawn = drawLead(open, random);
  if (drawn === undefined) return undefined;
  const { form, lead } = drawn;
  const { ask } = lead;
  const most = ask.members ? Math.min(open.maxMembers, open.table.rows) : undefined;
  const taken = new Set<string>();
  narrow(open, open.scene, open.choice, lead, most, taken, random);
  const { where } = open.scene;
  const name = nameOf(open.scene);
  const second = ask.other ? drawSecond(open, lead, taken, random) : undefined;
  return { form, where, taken, name, lead, second };
}

/** What to ask of whom; what leaves no column to select by is drawn anew, and at last something of one entity. */
function drawLead(open: OpenSpace, random: Random): { form: AskForm; lead: Lead } | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const wanted = drawForm(open, random);
    if (wanted === undefined) return undefined;
    const isLast = attempt === ATTEMPTS - 1 && open.asks.plain.length > 0 && open.select.length > 0;
    const form = isLast ? "plain" : wanted;
    const ask = random.pick(random.pick(open.asks[form]));
    const select = ask.selects ? drawSelect(open, ask, NONE, random) : undefined;
    if (!ask.selects || select !== undefined) return { form, lead: { ask, select } };
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

function drawForm({ space, asks, select }: OpenSpace, random: Random): AskForm | undefined {
  const { compare, aggregates, hops } = space;
  const at = random.int(Math.max(100, compare + aggregates + hops));
  const drawn: AskForm =
    at < compare
      ? "compare"
      : at < compare + aggregates
        ? "aggregate"
        : at < compare + aggregates + hops
          ? "hop"
          : "plain";
  const forms = ([drawn, "plain", "hop", "compare", "aggregate"] as const).filter(
    (f) => asks[f].length > 0 && (f === drawn || f === "plain" || share(space, f) > 0),
  );
  return select.length === 0 ? forms.find((f) => f === "aggregate") : forms[0];
}

function share({ compare, aggregates, hops }: OpenSpace["space"], form: AskForm): number {
  return { plain: 100, hop: hops, compare, aggregate: aggregates }[form];
}

function drawSelect(
  open: OpenSpace,
  ask: Ask,
  taken: ReadonlySet<string>,
  random: Random,
): DrawnSelect | undefined {
  const { select, space } = open;
  // Few draws fail, and a fixed number of them keeps the stream the same for all.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const at = random.int(select.length);
    const order = random.pick(space.orders);
    const rank = random.pick(space.ranks);
    if (!taken.has(select[at]!) && !ask.reserved.has(select[at]!)) return { at, order, rank };
  }
  return undefined;
}

/** Puts the conditions of a class and as many further ones as the space wants, as far as they can be found, into a scene. */
function narrow(
  open: OpenSpace,
  scene: Scene,
  choice: SceneChoice,
  { ask, select }: Lead,
  most: number | undefined,
  taken: Set<string>,
  random: Random,
): void {
  scene.clear();
  const given = open.classes.length === 0 ? [] : random.pick(open.classes);
  for (const clause of given) addClass(scene, clause, open, random);
  const wanted = Math.min(random.pick(open.space.conditions), MAX_CONDITIONS - given.length);
  const column = select === undefined ? undefined : open.select[select.at]!;
  const makers = open.conditions;
  if (wanted <= 0 || makers.length === 0) return;
  let left = given.length === 0 ? open.table.rows : scene.count();
  const aim = drawAim(left, most, random);
  const least = (select?.rank ?? 1) + 1;
  for (let attempt = 0, found = 0; found < wanted && attempt < ATTEMPTS * wanted; attempt++) {
    const winner = select === undefined ? undefined : choice.row(select.at, select.order, select.rank);
    if (winner === -1) return;
    // Where candidates may stand near a threshold, those near which none stands are still tried first.
    const isLate = 2 * attempt >= ATTEMPTS * wanted;
    const maker = random.pick(makers);
    const share = drawShare(aim / left, wanted - found, random);
    if (maker.column === column || ask.reserved.has(maker.column)) continue;
    if (scene.clauses.some((c) => c.condition.column === maker.column)) continue;
    const clause = maker.make(random, winner, share);
    if (clause === undefined || !scene.narrow(clause, least, isLate && open.mayBeNear)) continue;
    taken.add(maker.column);
    found++;
    left = scene.few.listed ? scene.few.count : left * share;
  }
}

/** How many candidates conditions aim at: evenly on a logarithmic scale, up to half of a large table. */
function drawAim(rows: number, most: number | undefined, random: Random): number {
  const least = Math.max(LEAST_OF_FEW, Math.min(LEAST_CANDIDATES, Math.sqrt(rows) / 3));
  const top = Math.max(most ?? Math.max(rows / 2, Math.min(rows, 2 * LEAST_CANDIDATES) - 1), least);
  return least * (top / least) ** random.next();
}

/** The share that the next of so many conditions is to leave, so that all together leave `share`. */
function drawShare(share: number, conditions: number, random: Random): number {
  const part = conditions === 1 ? 1 : Math.min(1, (2 * random.next()) / conditions);
  return Math.max(0, Math.min(0.9, share ** part));
}

/** Adds a class's condition, or a narrower one at another round threshold that nobody stands near. */
function addClass(scene: Scene, clause: Clause, open: OpenSpace, random: Random): void {
  const { condition } = clause;
  const { op } = condition;
  const isBelow = op === "lt" || op === "le";
  if ((isBelow || op === "gt" || op === "ge") && random.int(100) < TIGHTER) {
    const maker = open.conditions.find((c) => c.column === condition.column);
    const { thresholds } = maker ?? { thresholds: [] };
    // They are in order: those on the inner side are the first or the last ones.
    const first = isBelow ? 0 : lowerBound(thresholds.length, (at) => thresholds[at]! <= condition.value);
    const last = isBelow
      ? lowerBound(thresholds.length, (at) => thresholds[at]! < condition.value)
      : thresholds.length;
    for (let attempt = 0; maker !== undefined && first < last && attempt < ATTEMPTS; attempt++) {
      const tighter = maker.compare(isBelow ? "lt" : "gt", first + random.int(last - first));
      if (scene.narrow(tighter, LEAST_OF_FEW)) return;
    }
  }
  scene.add(clause);
}

/** Conditions for a second entity: other values of the first one's classes where it has any, else conditions of its own. */
function drawSecond(
  open: OpenSpace,
  lead: Lead,
  taken: Set<string>,
  random: Random,
): DrawnScene["second"] | undefined {
  if (random.int(100) < SAME_CONDITIONS) return undefined;
  const { scene, choice } = open.second();
  if (!sisterScene(open, scene, random)) narrow(open, scene, choice, lead, undefined, taken, random);
  const name = nameOf(scene);
  return name === nameOf(open.scene) ? undefined : { where: scene.where, name };
}

/** "Of France" and "of Italy": the first scene's conditions with another value of one class. */
function sisterScene(open: OpenSpace, scene: Scene, random: Random): boolean {
  const { clauses } = open.scene;
  const at = clauses.findIndex(({ condition: { op } }) => op === "eq" || op === "is");
  if (at < 0) return false;
  const maker = open.conditions.find((c) => c.column === clauses[at]!.condition.column);
  const sister = maker?.make(random, undefined, 1);
  if (sister === undefined || sister.name === clauses[at]!.name) return false;
  scene.clear();
  for (const [i, clause] of clauses.entries()) scene.add(i === at ? sister : clause);
  return true;
}

function nameOf(scene: Scene): number {
  return scene.clauses.reduce((name, clause) => joinNames(name, clause.name), 0);
}

/**
 * Draws member `m` of a scene; the members of a scene are drawn in turn from one stream, the lead first. Where the scene leaves nothing
 * else to ask, it is the lead once more.
 * @returns undefined if not even the lead has a second entity to choose
 */
export function drawMember(
  open: OpenSpace,
  scene: DrawnScene,
  m: number,
  random: Random,
): Member | undefined {
  const { taken, second } = scene;
  const { ask, select } = m === 0 ? scene.lead : (drawOther(open, scene, random) ?? scene.lead);
  const drawn = ask.other ? drawSelect(open, ask, taken, random) : undefined;
  if (ask.other && drawn === undefined) return undefined;
  const other = drawn === undefined ? undefined : { ...drawn, own: second !== undefined };
  const peers = ask.path.length === 0 ? NO_PEERS : drawPeers(open, ask.path, random);
  return { ask, select, peers, other, name: nameOfMember(scene, ask, select, other, peers) };
}

const NO_PEERS: readonly Select[] = [];

function drawOther(open: OpenSpace, { form, taken }: DrawnScene, random: Random): Lead | undefined {
  const ask = random.pick(random.pick(open.asks[form]));
  for (const column of taken) if (ask.reserved.has(column)) return undefined;
  if (!ask.selects) return { ask, select: undefined };
  // A column that lacks a candidate's value selects nobody for sure: another is tried, and the first one taken if all do.
  let select: DrawnSelect | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const drawn = drawSelect(open, ask, taken, random);
    if (drawn !== undefined && open.choice.knows(drawn.at)) return { ask, select: drawn };
    select ??= drawn;
  }
  return select === undefined ? undefined : { ask, select };
}

function drawPeers({ peerSelects, space }: OpenSpace, path: readonly AskStep[], random: Random): Select[] {
  return path.flatMap((step, i) => {
    if (typeof step === "string") return [];
    const columns = peerSelects(path.slice(0, i));
    return { column: random.pick(columns), order: random.pick(space.orders), rank: 1 };
  });
}

function nameOfMember(
  { name, second }: DrawnScene,
  ask: Ask,
  select: DrawnSelect | undefined,
  other: Member["other"],
  peers: readonly Select[],
): number {
  let all = extendName(name, ask.number);
  if (select !== undefined) all = extendName(all, numberOf(select));
  if (other !== undefined) all = extendName(all, numberOf(other));
  if (other?.own === true) all = extendName(all, second!.name);
  for (const peer of peers) all = extendName(all, nameOfText(`${peer.column} ${peer.order}`));
  return all;
}

function numberOf({ at, order, rank }: DrawnSelect): number {
  return (at * 32 + rank) * 2 + Number(order === "max");
}
