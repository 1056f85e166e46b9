import {
  AsyncByteQueue,
  type RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  type Schema,
} from "apache-arrow";
import {
  Compression,
  Table,
  transformParquetStream,
  type RecordBatch as WasmBatch,
  WriterPropertiesBuilder,
  writeParquet,
} from "parquet-wasm";
import { OutFile } from "./out-file.js";

/** Where batches of a pool go. Batches of one pool share a schema; `close` gives hash and size of the file. */
export interface Sink {
  write(batch: RecordBatch): Promise<void>;
  close(): Promise<{ sha256: string; bytes: number }>;
  /** Lets go of the file when the pool cannot be completed. */
  abort(): void;
}

/** Arrow's writer queues what it writes until somebody reads it; this queue is a file. */
class FileQueue extends AsyncByteQueue {
  constructor(private readonly file: OutFile) {
    super();
  }
  override write(chunk: Uint8Array): void {
    this.file.write(chunk);
  }
  override close(): void {}
}

/** An Arrow IPC file, one record batch per batch written. */
export class ArrowSink implements Sink {
  readonly #file: OutFile;
  readonly #writer: RecordBatchFileWriter;

  constructor(path: string, schema: Schema) {
    this.#file = new OutFile(path);
    this.#writer = new RecordBatchFileWriter();
    this.#writer.reset(new FileQueue(this.#file), schema);
  }

  async write(batch: RecordBatch): Promise<void> {
    this.#writer.write(batch);
  }

  async close(): Promise<{ sha256: string; bytes: number }> {
    this.#writer.finish();
    return { sha256: this.#file.close(), bytes: this.#file.bytes };
  }

  abort(): void {
    this.#file.close();
  }
}

/**
 * A row group is closed after so many compressed bytes or rows. Snappy shrinks text to no less than a twentieth, so none holds
 * more than 100 MB (usually 10): loaders that read a group at once stay small, and nested columns stay far below the 2 GB at
 * which pyarrow fails to convert them. The dictionary is bounded too, as it hides what a group unfolds to.
 */
const ROW_GROUP_BYTES = 4 * 2 ** 20;
const ROW_GROUP_ROWS = 10_000;
const DICTIONARY_BYTES = 128 * 2 ** 10;
/** Says nothing of versions, so that an upgrade of a library changes bytes only where it changes the encoding. */
const CREATED_BY = "taskmill";

function properties() {
  return new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setMaxRowGroupBytes(ROW_GROUP_BYTES)
    .setMaxRowGroupSize(ROW_GROUP_ROWS)
    .setDictionaryPageSizeLimit(DICTIONARY_BYTES)
    .setCreatedBy(CREATED_BY)
    .build();
}

/** A Parquet file: batches stream through the encoder, which holds one row group at a time. */
export class ParquetSink implements Sink {
  readonly #file: OutFile;
  readonly #queue = new TransformStream<WasmBatch, WasmBatch>();
  readonly #writer = this.#queue.writable.getWriter();
  #encoded: Promise<void> | undefined;

  constructor(
    path: string,
    private readonly schema: Schema,
  ) {
    this.#file = new OutFile(path);
  }

  async write(batch: RecordBatch): Promise<void> {
    this.#encoded ??= this.#encode();
    const table = Table.fromIPCStream(streamOf(batch));
    // A failed encoder stops reading: waiting for it to take the batch would be waiting for ever.
    for (const part of table.recordBatches()) await Promise.race([this.#writer.write(part), this.#encoded]);
    table.free();
  }

  async close(): Promise<{ sha256: string; bytes: number }> {
    if (this.#encoded === undefined)
      this.#file.write(writeParquet(Table.fromIPCStream(streamOf(this.schema)), properties()));
    await this.#writer.close();
    await this.#encoded;
    return { sha256: this.#file.close(), bytes: this.#file.bytes };
  }

  abort(): void {
    this.#encoded?.catch(() => {});
    this.#writer.abort().catch(() => {});
    this.#file.close();
  }

  async #encode(): Promise<void> {
    const encoded: ReadableStream<Uint8Array> = await transformParquetStream(
      this.#queue.readable,
      properties(),
    );
    for await (const chunk of encoded) this.#file.write(chunk);
  }
}

/** One batch, or a schema without rows, as an Arrow IPC stream. */
function streamOf(content: RecordBatch | Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  if ("fields" in content) writer.reset(undefined, content);
  else writer.write(content);
  writer.finish();
  return writer.toUint8Array(true);
}
