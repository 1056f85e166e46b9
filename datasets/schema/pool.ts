import type { Fields, Kind, ValueOf } from "./kinds.js";

/** One column of a pool. */
export interface Column<K extends Kind = Kind> {
  readonly kind: K;
  /** What it holds, for people: units, form, where it comes from. */
  readonly about: string;
  /**
   * Whether it may hold hidden targets (the entity, the answer, what leads to them). No hidden column may be rendered into
   * a model's context; `emit` searches all others for hidden targets by machine.
   */
  readonly hidden: boolean;
}

export interface Pool<C extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>> {
  readonly name: string;
  readonly about: string;
  readonly columns: C;
}

/** A row of a pool, as writers take and readers give it. */
export type RowOf<P> = P extends Pool<infer C> ? { readonly [K in keyof C]: ValueOf<C[K]["kind"]> } : never;

export function open<K extends Kind>(kind: K, about: string): Column<K> {
  return { kind, about, hidden: false };
}

export function hidden<K extends Kind>(kind: K, about: string): Column<K> {
  return { kind, about, hidden: true };
}

export function definePool<C extends Readonly<Record<string, Column>>>(
  name: string,
  about: string,
  columns: C,
): Pool<C> {
  return { name, about, columns };
}

/** The columns as the fields of a struct: what a whole row is. */
export function fieldsOf(pool: Pool): Fields {
  return Object.fromEntries(Object.entries(pool.columns).map(([name, { kind }]) => [name, kind]));
}

/** Splits of every pool, in this order. */
export const SPLITS = ["train", "validation", "test"] as const;
export type Split = (typeof SPLITS)[number];
