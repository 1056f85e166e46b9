import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import type { Downloaded } from "./download.js";
import { writeWhole } from "./part.js";
import type { Records } from "./records.js";
import type { FetchSpec } from "./spec.js";

/** What is known of how a snapshot was downloaded; `sources lock` copies it into the lock. */
const receiptSchema = z.strictObject({
  sha256: z.string(),
  bytes: z.number(),
  records: z.number().nullable(),
  pages: z.number(),
  url: z.string(),
  method: z.enum(["GET", "POST"]),
  /** When the first and the last page came, ISO, UTC. */
  retrieved: z.strictObject({ from: z.string(), to: z.string() }),
  /** Of a snapshot of one page. */
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  release: z.string().optional(),
  notes: z.array(z.string()),
});
export type Receipt = z.infer<typeof receiptSchema>;

export function receiptOf(
  { url, method }: FetchSpec,
  made: { sha256: string; bytes: number; records: Records | undefined; notes: readonly string[] },
  { pages }: Downloaded,
): Receipt {
  const times = pages.map((page) => page.retrieved).sort();
  const [page] = pages;
  const { etag, last_modified } = pages.length === 1 ? page! : { etag: undefined, last_modified: undefined };
  return {
    sha256: made.sha256,
    bytes: made.bytes,
    records: made.records?.count ?? null,
    pages: pages.length,
    url,
    method,
    retrieved: { from: times[0]!, to: times.at(-1)! },
    etag,
    last_modified,
    release: page?.release,
    notes: [...made.notes],
  };
}

export async function writeReceipt(folder: string, receipt: Receipt): Promise<void> {
  await writeWhole(join(folder, "receipt.json"), `${canonicalJson(receipt)}\n`);
}

export async function readReceipt(folder: string): Promise<Receipt | undefined> {
  try {
    return receiptSchema.safeParse(JSON.parse(await readFile(join(folder, "receipt.json"), "utf8"))).data;
  } catch {
    return undefined;
  }
}
