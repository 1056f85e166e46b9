import { DataType } from "apache-arrow";
import { failArrow, openArrow } from "../../adapters/arrow.js";
import type { Snapshot } from "../../snapshot.js";
import type { Layout } from "./layout.js";

/** The columns of an Arrow file or stream that hold one value each, by its schema. */
export async function arrowLayout(snapshot: Snapshot): Promise<Layout> {
  try {
    const { schema } = await openArrow(snapshot);
    const nested = schema.fields.filter((f) => isNested(f.type)).map((f) => f.name);
    const fields = schema.fields.filter((f) => !nested.includes(f.name)).map(({ name }) => ({ name }));
    const left = nested.length === 0 ? [] : [`left out, as they are nested: ${nested.join(", ")}`];
    return { read: { format: "arrow" }, fields, said: ["format: Arrow (its first bytes say so)", ...left] };
  } catch (cause) {
    return failArrow(snapshot, cause);
  }
}

function isNested(type: DataType): boolean {
  return (
    DataType.isStruct(type) ||
    DataType.isList(type) ||
    DataType.isFixedSizeList(type) ||
    DataType.isMap(type) ||
    DataType.isUnion(type)
  );
}
