import { stream } from "../../pipeline/base/random.js";
import type { Value } from "../../sources/conditions.js";
import type { Catalog } from "../../sources/table.js";
import type { Scene } from "./compare-run.js";
import { type World, worldOf } from "./perturb.js";
import { type Group, groupsOf } from "./perturb-groups.js";
import { stagedCells } from "./perturb-staged.js";
import type { Program } from "./program.js";

/** Worlds as programs over one table see them: shuffled rows, shared by all comparisons, then rows staged for these programs. */
export class Stage {
  private readonly groups: readonly Group[];

  /** @param key names the staging's own random stream under the seed */
  constructor(
    private readonly programs: readonly Program[],
    private readonly catalog: Catalog,
    private readonly seed: string,
    private readonly key: string,
  ) {
    const asks = programs.map((p) => ({ where: p.where, needs: needsOf(p, "selected") }));
    this.groups = groupsOf(this.tableOf(programs[0]!.table), asks);
  }

  /** World `number`, from 1. */
  scene(number: number): Scene {
    const { table } = this.programs[0]!;
    const world = worldOf(this.tableOf(table), this.seed, number);
    const random = stream(this.seed, "staged", this.key, number);
    const columns = new Map<string, Value[]>();
    for (const [id, cells] of stagedCells(this.groups, this.programs.length, random)) {
      columns.set(id, [...world.column(id).slice(0, world.staged), ...cells]);
    }
    const there = (link: string) => this.linkedWorld(world, link, number);
    const links = new Map<string, (number | null)[]>();
    for (const { follow } of this.programs) {
      if (follow === undefined || links.has(follow)) continue;
      const whole = rowsKnown(there(follow), this.neededOver(follow));
      const rows = world.link(follow, this.catalog);
      // A staged row leads to one with figures: an answer that is missing for both tells nothing.
      links.set(
        follow,
        rows.map((row, i) => (i < world.staged || whole.length === 0 ? row : random.pick(whole))),
      );
    }
    return {
      rows: world.rows,
      column: (id) => columns.get(id)!,
      link: (name) => links.get(name)!,
      linked: (link, column) => there(link).column(column),
    };
  }

  private tableOf(id: string) {
    return this.catalog.tables.get(id)!;
  }

  private linkedWorld(world: World, link: string, number: number): World {
    return worldOf(this.tableOf(world.table.card.links[link]!.to), this.seed, number);
  }

  private neededOver(link: string): string[] {
    return this.programs.flatMap((p) => (p.follow === link ? needsOf(p, "followed") : []));
  }
}

/** Columns that must be known for somebody to be chosen and an answer to be had. */
function needsOf({ select, compute }: Program, of: "selected" | "followed"): string[] {
  const read = Object.values(compute.inputs).flatMap((ref) => (ref.of === of ? [ref.column] : []));
  return of === "selected" ? [select.column, ...read] : read;
}

function rowsKnown(world: World, columns: readonly string[]): number[] {
  const cells = columns.map((c) => world.column(c));
  const all = Array.from({ length: world.rows }, (_, row) => row);
  return all.filter((row) => cells.every((c) => c[row] !== null));
}
