import type { SnapshotFormat } from "../card.js";
import { sourceError } from "../problems.js";
import { decodedText } from "../text.js";
import type { Adapter, RawBatch, RawRecord } from "./adapter.js";
import { PathReader, readRecord } from "./json.js";

/** In characters, as for other text formats. */
const MAX_RECORD = 16 * 2 ** 20;

/** One JSON object a line; blank lines are passed over. */
export const ndjson: Adapter<Extract<SnapshotFormat, { format: "ndjson" }>> = {
  format: "ndjson",
  async *read({ snapshot, wanted }) {
    const take = new PathReader(wanted);
    let record = 0;
    let line = 0;
    for await (const lines of wholeLines(decodedText(snapshot, "utf-8"))) {
      const records: RawRecord[] = [];
      for (const text of lines) {
        line++;
        if (text.length > MAX_RECORD) {
          sourceError("too_long", `${snapshot.name}, line ${line} is longer than ${MAX_RECORD} characters`, {
            hint: "each line holds one record; for one long JSON document use `format: json`",
          });
        }
        if (text.trim() !== "") records.push(readRecord({ text, line }, ++record, take, snapshot));
      }
      yield { records, turnedAway: [] } satisfies RawBatch;
    }
    take.finish(record, snapshot.name);
  },
};

/** The lines of a text; one that is too long only as far as it takes to see that. */
async function* wholeLines(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let open = "";
  for await (const chunk of chunks) {
    if (open.length > MAX_RECORD) break;
    // A long line is put together only when its end has come.
    if (!chunk.includes("\n")) {
      open += chunk;
      continue;
    }
    const lines = (open + chunk).split("\n");
    open = lines.pop()!;
    yield lines;
  }
  if (open !== "") yield [open];
}
