import { completeClasses } from "../../sources/catalog.js";
import { type FilterLimits, judgeConditions } from "../filter.js";
import {
  askedAndGiven,
  assess,
  type ComputeLimits,
  placesOf,
  type WrongChoice,
  wrongChoices,
} from "../program/assess.js";
import { type ChooseLimits, choose, isSame, MIN_MEMBERS } from "../program/choose.js";
import { incompleteness } from "../program/completeness.js";
import { type Computation, computationOf } from "../program/computation.js";
import type { DrawnScene, Member } from "../program/draw.js";
import { programOf } from "../program/drawn-program.js";
import { extendName, nameOfText } from "../program/identity.js";
import { PROGRAM_VERSION, type Program } from "../program/program.js";
import type { OpenSpace } from "../program/space.js";
import { indexOf } from "../program/table-index.js";
import { judgeSelection } from "../select.js";

export interface Limits {
  readonly filter: FilterLimits;
  readonly select: ChooseLimits;
  readonly compute: ComputeLimits;
}

/**
 * The checks of filter, select and compute on drawn programs, with the reasons of those stages. `quick` is the hot loop: all that
 * is to be said about conditions, completeness and selections. `thorough` takes on the few that survive it.
 */
export class Judge {
  private readonly computations: (Computation | undefined)[] = [];
  /** Whether cards alone can say anything against conditions of this space. */
  private readonly cardsMayRefuse: boolean;
  private judgedOf = -1;
  private sceneReason: string | undefined;

  constructor(
    private readonly open: OpenSpace,
    private readonly limits: Limits,
  ) {
    this.cardsMayRefuse = cardsMayRefuse(open);
  }

  /** The first reason against a program that its conditions and selections give, or undefined. */
  quick(drawn: DrawnScene, member: Member): string | undefined {
    const { open, limits } = this;
    const { ask, select, other } = member;
    if (this.cardsMayRefuse) {
      const refused = judgeConditions(open.table.card, programOf(open, drawn, member));
      if (refused !== undefined) return refused.reason;
    }
    const refused = this.scene() ?? this.cardsOnSelection(drawn, member);
    if (refused !== undefined) return refused;
    if (ask.members) {
      const unfit = this.members();
      if (unfit !== undefined) return unfit;
    }
    if (select === undefined) return undefined;
    const { near_threshold } = limits.select;
    const reason = open.choice.refuse(select.at, select.order, select.rank, near_threshold);
    if (reason !== undefined || other === undefined) return reason;
    const { choice, scene } = other.own ? open.second() : open;
    const unfit = other.own ? this.tooFewOrMany(scene) : undefined;
    if (unfit !== undefined) return unfit;
    const second = choice.refuse(other.at, other.order, other.rank, near_threshold);
    if (second !== undefined) return second;
    const same =
      choice.row(other.at, other.order, other.rank) === open.choice.row(select.at, select.order, select.rank);
    return same ? "same_entity" : undefined;
  }

  /**
   * The first reason that what is computed gives against a program that `quick` let pass; else the program.
   * @param answers names (see identity.ts) of what has been asked about whom; a program that passes adds its own
   */
  thorough(
    drawn: DrawnScene,
    member: Member,
    answers: Set<number>,
  ): { readonly reason: string } | { readonly program: Program } {
    const { open, limits } = this;
    const answer = this.answerName(drawn, member);
    if (answers.has(answer)) return { reason: "repeated_answer" };
    const program = programOf(open, drawn, member);
    const computation = this.computationFor(member, program);
    if (askedAndGiven(program, computation) !== undefined) return { reason: "asked_and_given" };
    const found = this.isPlain(member, computation)
      ? this.plainPlaces(member, computation)
      : this.placesOf(program, computation);
    if ("reason" in found) return found;
    const assessed = assess(computation, program.compute.digits, found.places, found.wrong, limits.compute);
    if ("reason" in assessed) return { reason: assessed.reason };
    answers.add(answer);
    return { program };
  }

  /** What is wrong with the present conjunction, whatever is selected under it. */
  private scene(): string | undefined {
    const { scene } = this.open;
    if (this.judgedOf !== scene.generation) {
      this.judgedOf = scene.generation;
      this.sceneReason = this.judgeScene();
    }
    return this.sceneReason;
  }

  /** The filter's limits; thresholds are taken at face value in these counts. */
  private tooFewOrMany(scene: OpenSpace["scene"]): string | undefined {
    const { table } = this.open;
    const { min_candidates, max_candidates } = this.limits.filter;
    const faceCount = scene.near ? indexOf(table).holding(scene.where).count() : undefined;
    if (faceCount === undefined ? !scene.hasAtLeast(min_candidates) : faceCount < min_candidates)
      return "too_few_candidates";
    if (table.rows > max_candidates && (faceCount ?? scene.count()) > max_candidates)
      return "too_many_candidates";
    return undefined;
  }

  private judgeScene(): string | undefined {
    const { scene, table } = this.open;
    const unfit = this.tooFewOrMany(scene);
    if (unfit !== undefined) return unfit;
    const lack = incompleteness(table, completeClasses(table), { where: scene.where });
    return lack === undefined ? undefined : "incomplete_catalogue";
  }

  /** What cards say against a selection beyond what they say of the whole scene. */
  private cardsOnSelection(drawn: DrawnScene, member: Member): string | undefined {
    const { open } = this;
    const more = member.other?.own === true || member.peers.length > 0;
    if (!more && open.table.card.cutoffs.length === 0) return undefined;
    return judgeSelection(open.table, programOf(open, drawn, member), open.catalog)?.reason;
  }

  /** The rules of `choose` for figures of all candidates, as far as they do not look at values. */
  private members(): string | undefined {
    const { scene } = this.open;
    const count = scene.count();
    if (count < MIN_MEMBERS) return "too_few_candidates";
    if (count > this.limits.select.max_members) return "too_many_members";
    if (!scene.certain && scene.possible.some((word, w) => word !== scene.definite[w]))
      return "uncertain_member";
    const idle = scene.outside().some(({ whole }) => whole.few.count === 0);
    return idle ? "decorative_condition" : undefined;
  }

  /** What `choose` and `wrongChoices` find for an entity that the scene has chosen, links followed. */
  private plainPlaces(
    { select, ask }: Member,
    computation: Computation,
  ): { places: WrongChoice["places"]; wrong: WrongChoice[] } | { reason: string } {
    const { choice, table } = this.open;
    const { at, order, rank } = select!;
    const selected = choice.row(at, order, rank);
    if (ask.path.length > 0) {
      const followed = computation.followedRow(selected);
      if (followed === undefined) return { reason: "broken_link" };
      if (isSame(table, selected, computation.path!.tables.at(-1)!, followed))
        return { reason: "same_entity" };
    }
    const wrong = choice.wrongRows(at, order, rank);
    return { places: { selected }, wrong: wrong.map(({ how, row }) => ({ how, places: { selected: row } })) };
  }

  /** Whether the scene has chosen all that the program chooses, and no step stays within its table. */
  private isPlain({ peers, ask, other }: Member, { path }: Computation): boolean {
    if (peers.length > 0 || ask.members || other !== undefined) return false;
    return path?.tables.every((to, i) => to !== (path.tables[i - 1] ?? this.open.table)) ?? true;
  }

  private placesOf(
    program: Program,
    { path }: Computation,
  ): { places: WrongChoice["places"]; wrong: WrongChoice[] } | { reason: string } {
    const chosen = choose(program, this.open.catalog, this.limits.select);
    if ("reason" in chosen) return { reason: chosen.reason };
    return { places: placesOf(chosen), wrong: wrongChoices(chosen, path) };
  }

  private computationFor({ ask, peers }: Member, program: Program): Computation {
    const { catalog } = this.open;
    if (peers.length > 0) return computationOf(catalog, program, ask.formula);
    this.computations[ask.number] ??= computationOf(catalog, program, ask.formula);
    return this.computations[ask.number]!;
  }

  /** Names what is asked about whom. */
  private answerName(drawn: DrawnScene, { ask, select, other, peers }: Member): number {
    const { choice, second } = this.open;
    let name = ask.number;
    if (ask.members) name = extendName(name, drawn.name);
    if (select !== undefined) name = extendName(name, choice.row(select.at, select.order, select.rank));
    if (other !== undefined) {
      const from = other.own ? second().choice : choice;
      name = extendName(name, from.row(other.at, other.order, other.rank));
    }
    for (const { column, order } of peers) name = extendName(name, nameOfText(`${column} ${order}`));
    return name;
  }
}

/** Whether the table's card says anything against any condition of the space; else no program need be asked about. */
function cardsMayRefuse({ table, conditions, classes }: OpenSpace): boolean {
  const { card } = table;
  if (Object.values(card.columns).some((c) => c.kind !== undefined)) return true;
  const columns = [
    ...conditions.map((c) => c.column),
    ...classes.flatMap((where) => where.map((c) => c.condition.column)),
  ];
  const probe: Program = {
    version: PROGRAM_VERSION,
    table: table.id,
    where: columns.map((column) => ({ column, op: "eq", value: "" })),
    compute: { formula: "", inputs: {}, unit: "1", digits: 2 },
  };
  return judgeConditions(card, probe) !== undefined;
}
