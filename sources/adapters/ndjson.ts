import type { SnapshotFormat } from "../card.js";
import { decodedText } from "../text.js";
import type { Adapter, RawBatch, RawRecord } from "./adapter.js";
import { PathReader, readRecord } from "./json.js";

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
        if (text.trim() !== "") records.push(readRecord({ text, line }, ++record, take, snapshot));
      }
      yield { records, turnedAway: [] } satisfies RawBatch;
    }
    take.finish(record, snapshot.name);
  },
};

async function* wholeLines(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let open = "";
  for await (const chunk of chunks) {
    const lines = (open + chunk).split("\n");
    open = lines.pop()!;
    yield lines;
  }
  if (open !== "") yield [open];
}
