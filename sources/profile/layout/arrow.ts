import { DataType, RecordBatchReader } from "apache-arrow";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { checkArrowFile, checkedMessages, isArrowFile } from "../../adapters/arrow-frames.js";
import { sourceError } from "../../problems.js";
import type { Snapshot } from "../../snapshot.js";
import { wholeBytes } from "../../text.js";
import { headBytes } from "./bytes.js";
import type { Layout } from "./layout.js";

/** As the adapter's. */
const MAX_FILE = 512 * 2 ** 20;

/** The columns of an Arrow file or stream that hold one value each, by its schema. */
export async function arrowLayout(snapshot: Snapshot): Promise<Layout> {
  try {
    const reader = await RecordBatchReader.from(await bytesOf(snapshot));
    await reader.open();
    const nested = reader.schema.fields.filter((f) => isNested(f.type)).map((f) => f.name);
    const fields = reader.schema.fields.filter((f) => !nested.includes(f.name)).map(({ name }) => ({ name }));
    const left = nested.length === 0 ? [] : [`left out, as they are nested: ${nested.join(", ")}`];
    return { read: { format: "arrow" }, fields, said: ["format: Arrow (its first bytes say so)", ...left] };
  } catch (cause) {
    if (cause instanceof TaskmillError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    return sourceError("bad_arrow", `${snapshot.name} cannot be read as Arrow: ${message}`, { cause });
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

async function bytesOf(snapshot: Snapshot): Promise<AsyncIterable<Uint8Array>> {
  if (!isArrowFile(await headBytes(snapshot, 4096))) return checkedMessages(snapshot);
  const bytes = await wholeBytes(snapshot, MAX_FILE);
  checkArrowFile(bytes);
  return (async function* () {
    yield bytes;
  })();
}
