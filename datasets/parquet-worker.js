// Decodes Parquet files in a thread of its own; see parquet.ts. Asked for a row group by its number, or for the schema by -1, it posts
// an Arrow stream. What it cannot decode ends it.
import { openAsBlob } from "node:fs";
import { parentPort } from "node:worker_threads";
import { ParquetFile } from "parquet-wasm";

/** The file that was asked about last: one is read from front to back. */
let last = { path: undefined, file: undefined };

parentPort.on("message", async ({ path, group }) => {
  if (group < 0 || path !== last.path) {
    last.file?.free();
    last = { path: undefined, file: undefined };
    last = { path, file: await ParquetFile.fromFile(await openAsBlob(path)) };
  }
  const { file } = last;
  const part = group < 0 ? file.schema() : await file.read({ rowGroups: [group] });
  const bytes = part.intoIPCStream();
  parentPort.postMessage({ bytes, groups: file.metadata().numRowGroups() }, [bytes.buffer]);
});
