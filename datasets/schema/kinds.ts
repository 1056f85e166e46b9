/**
 * The vocabulary in which pools are declared. A kind says what one value is; `datasets/arrow.ts` turns it into an Arrow type,
 * `datasets/hub-features.ts` into a Hub feature, and TypeScript infers the row type from it: none of them is ever guessed
 * from data. Nothing is null unless its kind says so.
 */
export type Shape =
  | { readonly type: "text" }
  /** JSON text, as `canonicalJson` prints it. */
  | { readonly type: "json" }
  | { readonly type: "float64" }
  /** A safe integer (|n| < 2^53), stored as Arrow Int64. */
  | { readonly type: "int64" }
  | { readonly type: "bool" }
  | { readonly type: "list"; readonly item: Kind }
  | { readonly type: "struct"; readonly fields: Fields };

export interface Kind<T = unknown> {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** Never there at run time: carries the TypeScript type. */
  readonly holds?: T;
}
export type Fields = Readonly<Record<string, Kind>>;
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

const of = <T>(shape: Shape): Kind<T> => ({ shape, nullable: false });

export const text = of<string>({ type: "text" });
export const json = of<string>({ type: "json" });
export const float64 = of<number>({ type: "float64" });
export const int64 = of<number>({ type: "int64" });
export const bool = of<boolean>({ type: "bool" });

/** Items may be null only where their kind says so. */
export function list<K extends Kind>(item: K): Kind<readonly ValueOf<K>[]> {
  return of({ type: "list", item });
}

/** At least one field: Parquet has no form for an empty struct. */
export function struct<F extends Fields>(fields: F): Kind<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
  return of({ type: "struct", fields });
}

export function nullable<K extends Kind>(kind: K): Kind<ValueOf<K> | null> {
  return { ...(kind as Kind<ValueOf<K>>), nullable: true };
}
