import type { FormatOf } from "../format.js";
import { textLines } from "../lines.js";
import type { Adapter, RawBatch } from "./adapter.js";
import { PathReader, readRecord } from "./json.js";

/** One JSON object a line; blank lines are passed over. */
export const ndjson: Adapter<FormatOf<"ndjson">> = {
  format: "ndjson",
  async *read({ snapshot, options, wanted }) {
    const take = new PathReader(wanted);
    let record = 0;
    for await (const lines of textLines(snapshot, options.encoding)) {
      const records = lines
        .filter(({ text }) => text.trim() !== "")
        .map((line) => readRecord(line, ++record, take, snapshot));
      yield { records, turnedAway: [] } satisfies RawBatch;
    }
    take.finish(record, snapshot.name);
  },
};
