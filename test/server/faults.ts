import { stream } from "../../pipeline/base/random.js";
import type { ServedRequest } from "./request.js";

/** Faults that pass: the same request, sent again, gets its reply. */
export const PASSING = [
  /** 429 without a word on when to come back. */
  "rate",
  /** 429 with `Retry-After` in seconds. */
  "rate_retry_after",
  /** 429 with `Retry-After` as a date in the past. */
  "rate_retry_date",
  "server_500",
  "server_502_html",
  "server_503",
  /** The reply comes, late. */
  "slow",
  /** The connection is reset before any byte of the reply. */
  "reset",
  /** The connection is reset behind the headers. */
  "reset_after_headers",
  /** Half of the reply, then the end: with SSE a stream without its last events. */
  "cut",
  /** As `cut`, but ended in good order: nothing but the content tells. */
  "cut_quietly",
  "invalid_json",
  "empty_body",
  /** 200 with an error in the body (with SSE: as an event). */
  "error_body",
  "empty_choices",
  "null_content",
  "no_finish",
] as const;

/** Faults that stay, whoever asks and how often. */
export const LASTING = [
  "auth",
  "forbidden",
  "quota",
  "payment",
  "model",
  "bad_request",
  "hang",
  "retry_after_600",
] as const;

/** Replies that are whole, but not what one expects. */
export const ODD = [
  "context_length",
  "filter",
  "filter_400",
  "refusal",
  "truncated",
  /** Half a JSON text, `finish_reason: stop`. */
  "wrong_schema",
  "duplicate_tool_ids",
  "empty_tool_ids",
  /** Arguments as an object instead of JSON text. */
  "object_arguments",
  /** `finish_reason: tool_calls` with arguments that end in the middle. */
  "cut_arguments",
  "no_usage",
  /** Token counts of zero or with a detail larger than the whole. */
  "odd_usage",
  "unicode",
  "huge",
  /** Thoughts in `reasoning_content`. */
  "reasoning",
  /** Thoughts in `<think>` at the head of the content. */
  "inline_reasoning",
  /** A reply that names another model and has members nobody knows. */
  "strange_members",
] as const;

export type FaultName = (typeof PASSING)[number] | (typeof LASTING)[number] | (typeof ODD)[number];

/** Which fault a request meets at which try, if any; `attempt` counts from 0. */
export type FaultPlan = (request: ServedRequest, attempt: number) => FaultName | undefined;

/**
 * Each try meets a fault with probability `share`, drawn from (seed, request, try), but never more than `most` in a row, so that a
 * client with more tries than that loses nothing.
 */
export function seededFaults(
  seed: string,
  share: number,
  { kinds = PASSING, most = 5 }: { kinds?: readonly FaultName[]; most?: number } = {},
): FaultPlan {
  return ({ key }, attempt) => {
    if (attempt >= most) return undefined;
    const random = stream(seed, "fault", key, attempt);
    return random.next() < share ? random.pick(kinds) : undefined;
  };
}

/** Every request, every time. */
export function always(fault: FaultName): FaultPlan {
  return () => fault;
}

/** These in turn on the first tries of each request, then none. */
export function first(...faults: readonly FaultName[]): FaultPlan {
  return (_request, attempt) => faults[attempt];
}
