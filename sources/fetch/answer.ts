import type { Card } from "../card.js";
import type { FetchSpec } from "./spec.js";

/** What each page of a download is. */
export type Answer = "csv" | "json" | "ndjson" | "file";

export function answerOf({ snapshot: { read } }: Card, { answer }: FetchSpec): Answer {
  if (answer !== undefined) return answer;
  if (read.format === "csv") return "csv";
  return read.format === "json" || read.format === "ndjson" ? "json" : "file";
}

/** Whether the snapshot is the server's very answer, or records put together anew. */
export function keepOf({ keep, paging }: FetchSpec): "answer" | "records" {
  return keep ?? (paging === undefined ? "answer" : "records");
}
