import {
  type AsyncRecordBatchStreamReader,
  CompressionType,
  compressionRegistry,
  type RecordBatch,
  type RecordBatchFileReader,
  RecordBatchReader,
  type Schema,
} from "apache-arrow";
import { Decompress } from "fzstd";
import { TaskmillError } from "../../pipeline/base/errors.js";
import type { FormatOf } from "../format.js";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { wholeBytes } from "../text.js";
import { type Adapter, type RawRecord, unknownFields } from "./adapter.js";
import { type ArrowCell, arrowCell, roomOf } from "./arrow-cell.js";
import { ArrowFault } from "./arrow-fault.js";
import { checkArrowFile, checkedMessages, isArrowFile } from "./arrow-frames.js";
import { unpackLz4 } from "./lz4.js";

/** A file has its list of contents at its end and is read as a whole; a stream one message at a time. In bytes. */
const MAX_FILE = 512 * 2 ** 20;
const MAX_BUFFER = 2 ** 30;
/** Records handed on at a time. */
const SLICE = 8192;

/** Arrow's IPC format, file or stream, plain or packed with zstd or LZ4. Values arrive as DuckDB writes them as text, whole and exact. */
export const arrow: Adapter<FormatOf<"arrow">> = {
  format: "arrow",
  async *read({ snapshot, wanted }) {
    let record = 0;
    try {
      const reader = await openArrow(snapshot);
      const cells = cellsOf(reader.schema, wanted, snapshot.name);
      for await (const batch of reader) {
        checkRows(batch);
        for (let row = 0; row < batch.numRows; row += SLICE) {
          const end = Math.min(batch.numRows, row + SLICE);
          yield { records: readRows(batch, cells, row, end, record), turnedAway: [] };
          record += end - row;
        }
      }
    } catch (error) {
      failArrow(snapshot, error);
    }
  },
};

/** A reader that has read the schema, and the dictionaries that stand before all batches. */
export async function openArrow(
  snapshot: Snapshot,
): Promise<AsyncRecordBatchStreamReader | RecordBatchFileReader> {
  compressionRegistry.set(CompressionType.ZSTD, { decode: unzstd });
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: (packed) => unpackLz4(packed, MAX_BUFFER) });
  const reader = await RecordBatchReader.from(await checkedSource(snapshot));
  await reader.open();
  // A reader of nothing has no schema, whatever its type says.
  if ((reader.schema as Schema | undefined) === undefined) throw new ArrowFault("it has no schema");
  return reader;
}

async function checkedSource(snapshot: Snapshot): Promise<AsyncIterable<Uint8Array>> {
  for await (const head of snapshot.bytes()) {
    if (!isArrowFile(head)) break;
    const bytes = await wholeBytes(snapshot, MAX_FILE);
    checkArrowFile(bytes);
    return once(bytes);
  }
  return checkedMessages(snapshot);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function cellsOf(schema: Schema, wanted: readonly string[], file: string): ArrowCell[] {
  const missing: string[] = [];
  const cells = wanted.map((field) => {
    const cell = arrowCell(schema.fields, field, file);
    if (cell === undefined) missing.push(field);
    return cell!;
  });
  if (missing.length > 0) {
    unknownFields(
      missing,
      schema.fields.map((f) => f.name),
      file,
    );
  }
  return cells;
}

/** A batch may claim any number of rows; its columns must have room for them. */
function checkRows(batch: RecordBatch): void {
  const room = Math.max(...batch.data.children.map(roomOf).filter((n) => n !== Number.POSITIVE_INFINITY), 0);
  if (batch.numRows > room) throw new ArrowFault(`a batch claims ${batch.numRows} rows and has ${room}`);
}

function readRows(
  batch: RecordBatch,
  cells: readonly ArrowCell[],
  from: number,
  to: number,
  before: number,
): RawRecord[] {
  const columns = batch.data.children;
  return Array.from({ length: to - from }, (_, i) => ({
    record: before + i + 1,
    fields: cells.map((cell) => cell(columns, from + i)),
  }));
}

/** A buffer packed with zstd, which may unpack to so much only. */
function unzstd(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  const stream = new Decompress((chunk, final) => {
    length += chunk.length;
    if (length > MAX_BUFFER) throw new ArrowFault(`a buffer unpacks to more than ${MAX_BUFFER} bytes`);
    if (chunk.length > 0) parts.push(chunk.slice());
    ended = final === true;
  });
  stream.push(packed, true);
  if (!ended) throw new ArrowFault("a packed buffer ends too early");
  return Buffer.concat(parts);
}

/** What went wrong while reading, in words of ours: the library's own are about its insides. */
export function failArrow(snapshot: Snapshot, cause: unknown): never {
  if (cause instanceof TaskmillError) throw cause;
  const what = cause instanceof ArrowFault ? excerpt(cause.message, 200) : "its bytes are damaged";
  sourceError("bad_arrow", `${snapshot.name} cannot be read as Arrow: ${what}`, { cause });
}
