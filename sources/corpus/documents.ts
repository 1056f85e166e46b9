import { basename } from "node:path";
import { ownAddress } from "./address.js";
import type { Document } from "./corpus.js";
import type { CorpusFile } from "./files.js";
import { jsonLines } from "./json-lines.js";
import { readPage } from "./page.js";
import { parquetRows } from "./parquet-rows.js";
import { documentOf } from "./row.js";

/** All documents of files, in order, one at a time. @throws TaskmillError (source) with file, row and field */
export async function* documentsOf(
  files: readonly CorpusFile[],
  signal: AbortSignal,
): AsyncGenerator<Document> {
  for (const file of files) {
    signal.throwIfAborted();
    if (file.kind !== "parquet" && file.kind !== "jsonl") {
      yield await readPage(file, file.kind);
      continue;
    }
    const rows = file.kind === "parquet" ? parquetRows(file.path) : jsonLines(file.path);
    let row = 0;
    for await (const { fields, where } of rows) {
      signal.throwIfAborted();
      row++;
      const name = file.name === "" ? String(row) : `${file.name}/${row}`;
      yield documentOf(fields, `${basename(file.path)}, ${where}`, ownAddress(file.corpus, name));
    }
  }
}
