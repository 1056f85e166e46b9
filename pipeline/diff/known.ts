import type { OwnAdapters } from "../../sources/adapters/adapter.js";
import { canonicalJson, type Json } from "../base/canonical.js";
import type { ManifestInstance } from "../manifest.js";
import type { Reloaded } from "../verify/sources.js";
import type { Bench } from "./bench.js";
import type { Cause } from "./cause.js";
import { settingsText } from "./cause.js";
import { type CellRef, cellChanges, sourcesOf } from "./cells.js";
import { type Asking, type Formulas, formulaSettings } from "./formulas.js";
import { type Setting, settingsBetween } from "./made.js";
import type { Side } from "./side.js";

/** What is known of both datasets as wholes: how their making differs, and their sources, loaded when first asked for. */
export class Known {
  readonly settings: readonly Setting[];
  readonly #loaded = new Map<Side["name"], Promise<Reloaded>>();
  readonly #tables: ReadonlySet<string>;

  constructor(
    readonly bench: Bench,
    readonly formulas: Formulas,
    private readonly adapters: OwnAdapters,
  ) {
    const { a, b } = bench;
    this.settings = [...settingsBetween(a.manifest, b.manifest), ...formulas.settings()];
    const hashes = new Map(b.manifest.sources.map(({ id, table }) => [id, table]));
    const changed = a.manifest.sources.filter(({ id, table }) => hashes.has(id) && hashes.get(id) !== table);
    this.#tables = new Set(changed.map(({ id }) => id));
  }

  of(part: Setting["part"], name?: string): Setting[] {
    return this.settings.filter((s) => s.part === part && (name === undefined || s.of === name));
  }

  /** Tables among those given that both have, and that are not the same data read the same way. */
  changedTables(tables: Iterable<string>): string[] {
    return [...tables].filter((id) => this.#tables.has(id));
  }

  sources(side: Side): Promise<Reloaded> {
    let loaded = this.#loaded.get(side.name);
    if (loaded === undefined) {
      loaded = sourcesOf(side, this.adapters);
      this.#loaded.set(side.name, loaded);
    }
    return loaded;
  }

  /** The cells among those given that differ; the sources are not looked at where they are the same. */
  async cells(refs: readonly CellRef[]): Promise<Cause[]> {
    const { a, b } = this.bench;
    const suspect = refs.filter(({ table }) => this.#tables.has(table));
    if (suspect.length === 0) return [];
    const [left, right] = [await this.sources(a), await this.sources(b)];
    const cells = cellChanges(suspect, left.catalog, right.catalog);
    if (cells.length === 0) return [];
    const tables = [...new Set(cells.map(({ table }) => table))].sort();
    return [{ code: "cells_changed", text: `cells that it rests on changed in ${tables.join(", ")}`, cells }];
  }

  /** That a source changed, though no cell that the row itself rests on need have. */
  source(tables: Iterable<string>): Cause[] {
    return this.changedTables(tables)
      .sort()
      .map((id) => {
        const settings = this.of("source", id);
        const what = settings.map(({ path }) => path.split(".")[0]!);
        return {
          code: "source_changed",
          text: `source ${id} changed (${[...new Set(what)].join(", ") || "its loading"})`,
          settings,
        };
      });
  }

  /** Changes of stage instances: of one, or of all that a predicate takes. */
  stages(takes: (instance: string, stage: string | undefined) => boolean): Cause[] {
    const kinds = new Map<string, string>();
    for (const { manifest } of [this.bench.a, this.bench.b])
      for (const { id, stage } of manifest.stages) kinds.set(id, stage);
    const names = [...new Set(this.of("stage").map((s) => s.of))].filter((id) => takes(id, kinds.get(id)));
    return names.map((id) => this.#stage(id));
  }

  #stage(id: string): Cause {
    const settings = this.of("stage", id);
    const [only] = settings;
    if (settings.length === 1 && only!.path === "") {
      const side = only!.a === null ? "B" : "A";
      return { code: "stage_missing", text: `only ${side} has a stage ${id}`, settings };
    }
    return { code: "settings_changed", text: `stage ${id} changed: ${settingsText(settings)}`, settings };
  }

  seed(): Cause[] {
    const settings = this.of("seed");
    return settings.length === 0
      ? []
      : [{ code: "seed_changed", text: `the seed changed: ${settingsText(settings)}`, settings }];
  }

  /** Roles of models, and what they are recorded to have said. */
  models(): Cause[] {
    const roles = this.of("model");
    const settings = [...roles, ...this.of("recordings")];
    if (settings.length === 0) return [];
    const names = [...new Set(roles.map((s) => s.of))].join(", ");
    const text = roles.length > 0 ? `models changed: ${names}` : "other calls to models are recorded";
    return [{ code: "model_changed", text, settings }];
  }

  /** That the formula which a program asks is defined otherwise. */
  formula(program: Asking): Cause[] {
    const name = this.formulas.nameOf(program);
    return formulaCause(name, this.of("formula", name));
  }

  /** The same of a row that both have: each brings its own definition. */
  formulaOf(program: Asking, a: string, b: string): Cause[] {
    const name = this.formulas.nameOf(program);
    return formulaCause(name, formulaSettings(name, a, b));
  }

  taskmill(): Cause[] {
    const settings = this.of("taskmill");
    if (settings.length === 0) return [];
    return [
      { code: "taskmill_changed", text: `made by another version: ${settingsText(settings)}`, settings },
    ];
  }

  async close(): Promise<void> {
    for (const loaded of this.#loaded.values())
      await loaded.then(
        ({ database }) => database.close(),
        () => {},
      );
  }
}

function formulaCause(name: string, settings: readonly Setting[]): Cause[] {
  if (settings.length === 0) return [];
  return [{ code: "formula_changed", text: `formula ${name} changed: ${settingsText(settings)}`, settings }];
}

export function instanceIn({ manifest }: Side, id: string): ManifestInstance | undefined {
  return manifest.stages.find((stage) => stage.id === id);
}

/** An item of a list in a stage's params, by its id. */
export function itemIn(instance: ManifestInstance | undefined, list: string, id: string): Json | undefined {
  const items = (instance?.params as Readonly<Record<string, Json>> | null | undefined)?.[list];
  if (!Array.isArray(items)) return undefined;
  return (items as readonly Json[]).find((item) => (item as { readonly id?: Json } | null)?.id === id);
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
