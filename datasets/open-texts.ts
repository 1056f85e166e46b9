import type { Kind, Pool } from "./schema/index.js";

/** A text in a row of a pool, outside its hidden columns. */
export interface OpenText {
  /** e.g. `prompt[0].content`. */
  readonly where: string;
  readonly text: string;
}

/** Every text that a row shows outside its hidden columns: what has to be searched for hidden targets. */
export function openTexts(pool: Pool, row: Readonly<Record<string, unknown>>): OpenText[] {
  return Object.entries(pool.columns)
    .filter(([, column]) => !column.hidden)
    .flatMap(([name, { kind }]) => textsIn(kind, row[name], name));
}

function textsIn({ shape }: Kind, value: unknown, where: string): OpenText[] {
  if (value === null) return [];
  switch (shape.type) {
    case "text":
    case "json":
      return [{ where, text: value as string }];
    case "list":
      return (value as readonly unknown[]).flatMap((item, i) => textsIn(shape.item, item, `${where}[${i}]`));
    case "struct":
      return Object.entries(shape.fields).flatMap(([name, kind]) =>
        textsIn(kind, (value as Record<string, unknown>)[name], `${where}.${name}`),
      );
    default:
      return [];
  }
}
