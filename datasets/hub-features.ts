import type { Kind, Pool } from "./schema/index.js";

/** A pool's columns as the Hub's `dataset_info.features` writes them. JSON text is a `string`: older loaders know no other. */
export function hubFeatures(pool: Pool): object[] {
  return Object.entries(pool.columns).map(([name, { kind }]) => ({ name, ...feature(kind) }));
}

function feature({ shape }: Kind): object {
  switch (shape.type) {
    case "text":
    case "json":
      return { dtype: "string" };
    case "list":
      return { list: listed(shape.item) };
    case "struct":
      return { struct: Object.entries(shape.fields).map(([name, kind]) => ({ name, ...feature(kind) })) };
    default:
      return { dtype: shape.type };
  }
}

/** Items of a list stand without the word `struct` or `dtype` before them. */
function listed(item: Kind): unknown {
  const inner = feature(item) as { dtype?: string; struct?: object[]; list?: unknown };
  return inner.dtype ?? inner.struct ?? inner;
}
