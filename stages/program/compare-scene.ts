import { stream } from "../../pipeline/base/random.js";
import type { Value } from "../../sources/conditions.js";
import type { Catalog } from "../../sources/table.js";
import { type Scene, walkTo } from "./compare-walk.js";
import { type World, worldOf } from "./perturb.js";
import { type Asks, type Group, groupsOf } from "./perturb-groups.js";
import { stagedCells } from "./perturb-staged.js";
import type { InputRef, Program, Step } from "./program.js";

/** Worlds as programs over one table see them: shuffled rows, shared by all comparisons, then rows staged for these programs. */
export class Stage {
  private readonly groups: readonly Group[];
  private readonly asks: readonly Asks[];

  /**
   * @param catalog with the derived columns of all programs
   * @param key names the staging's own random stream under the seed
   */
  constructor(
    private readonly programs: readonly Program[],
    private readonly catalog: Catalog,
    private readonly seed: string,
    private readonly key: string,
  ) {
    this.asks = programs.flatMap(asksOf);
    this.groups = groupsOf(catalog.tables.get(programs[0]!.table)!, this.asks);
  }

  /** World `number`, from 1. */
  scene(number: number): Scene {
    const { table } = this.programs[0]!;
    const world = worldOf(this.catalog.tables.get(table)!, this.seed, number);
    const random = stream(this.seed, "staged", this.key, number);
    const columns = new Map<string, Value[]>();
    for (const [id, cells] of stagedCells(this.groups, this.asks.length, random)) {
      columns.set(id, [...world.column(id).slice(0, world.staged), ...cells]);
    }
    const links = new Map<string, (number | null)[]>();
    for (const { follow } of this.programs) {
      const [link] = follow ?? [];
      if (typeof link !== "string" || links.has(link)) continue;
      const whole = this.rowsWithFigures(link, this.sceneOf(world, number).beyond(link));
      const rows = world.link(link, this.catalog);
      // A staged row leads to one with figures: an answer that is missing for both tells nothing.
      links.set(
        link,
        rows.map((row, i) => (i < world.staged || whole.length === 0 ? row : random.pick(whole))),
      );
    }
    const plain = this.sceneOf(world, number);
    return {
      ...plain,
      column: (id) => columns.get(id) ?? plain.column(id),
      link: (name) => links.get(name) ?? plain.link(name),
    };
  }

  /** A world without staged rows. */
  private sceneOf(world: World, number: number): Scene {
    const { card } = world.table;
    return {
      rows: world.rows,
      column: (id) => world.column(id),
      link: (name) => world.link(name, this.catalog),
      beyond: (name) => {
        const there = this.catalog.tables.get(card.links[name]!.to)!;
        return this.sceneOf(worldOf(there, this.seed, number), number);
      },
    };
  }

  /** Rows beyond a first link from which each program that takes it comes to figures. */
  private rowsWithFigures(link: string, there: Scene): number[] {
    const asked = this.programs.filter((p) => p.follow?.[0] === link);
    const comes = ({ follow, compute }: Program, row: number) => {
      const end = walkTo(follow!.slice(1), there, row);
      return (
        end !== undefined &&
        columnsOf(compute, "followed").every((c) => end.scene.column(c)[end.row] !== null)
      );
    };
    const rows = Array.from({ length: there.rows }, (_, row) => row);
    return rows.filter((row) => asked.every((p) => comes(p, row)));
  }
}

/** What a program asks of the columns of its own table: one set of conditions for each entity, and what must be known of it. */
function asksOf({ where, select, follow = [], other, compute }: Program): Asks[] {
  const own = [
    ...(select === undefined ? [] : [select.column]),
    ...columnsOf(compute, "selected"),
    ...columnsOf(compute, "candidates"),
    ...columnsOf(compute, "other"),
    ...peersNeeds(follow, compute),
  ];
  const first = { where, needs: own };
  return other === undefined ? [first] : [first, { where: other.where, needs: [other.select.column] }];
}

/** Columns that steps among the table's own rows need: the shared text, the one that decides, and those read at the end. */
function peersNeeds(follow: readonly Step[], compute: Program["compute"]): string[] {
  const linked = follow.findIndex((step) => typeof step === "string");
  const steps = follow.slice(0, linked < 0 ? follow.length : linked);
  const needs = steps.flatMap((step) => (typeof step === "string" ? [] : [step.peers, step.select.column]));
  return follow.length > 0 && linked < 0 ? [...needs, ...columnsOf(compute, "followed")] : needs;
}

function columnsOf({ inputs }: Program["compute"], of: InputRef["of"]): string[] {
  return Object.values(inputs).flatMap((ref) => (ref.of === of ? [ref.column] : []));
}
