import { z } from "zod";
import type { IngestReason } from "../sources/table.js";
import { defineStage, type Row } from "./stage.js";

/** A table as the graph sees it. */
const tableRow = z.object({
  id: z.string(),
  hash: z.string(),
  rows: z.number(),
});

/** Why records and cells did not become data, for reports. */
const INGEST_REASONS: Readonly<Record<IngestReason, string>> = {
  unreadable_value: "a text that is no value of the column's declared type and form",
  implausible_value: "a value outside the column's plausible range",
  excluded_value: "a cell that the card declares wrong or unconfirmed",
  duplicate_key: "records that share their key: none of them can be told from the others",
  missing_key: "a record without key",
  ragged_row: "a row with more or fewer fields than the header",
  bad_quote: "a row with a quote where none may stand",
  not_kept: "a record outside the rows that the card keeps",
};

/**
 * Where the sources' tables enter the graph. The run loads them before any stage runs (`sources/load.ts`), as plans and
 * checks need them; this stage lists what is there, in the order of their ids. The counts of its records are the loader's.
 */
export const ingest = defineStage({
  kind: "ingest",
  version: 1,
  mode: "source",
  summary: "reads the sources' snapshots through their cards into tables",
  params: z.strictObject({}),
  takes: "tables",
  gives: "tables",
  output: tableRow,
  reasons: INGEST_REASONS,
  run(block, { catalog }) {
    const tables = block === 0 ? [...catalog.tables.values()] : [];
    const out: (Row & z.infer<typeof tableRow>)[] = tables
      .map(({ id, hash, rows }) => ({ id, hash, rows }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return { out, rejected: [], created: out.length, more: false };
  },
});
