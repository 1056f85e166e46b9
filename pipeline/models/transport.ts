import type { Json } from "../base/canonical.js";
import type { CallIdentity, RecordedReply } from "./call.js";

/** Why there is no reply. The first five are nobody's row: every other call would end the same way. */
export const FAULTS = [
  /** Wrong or missing key. */
  "auth",
  /** Out of credit: no waiting helps. */
  "quota",
  /** The endpoint knows no such model. */
  "model",
  /** No such address, or nothing listens there. */
  "connection",
  /** Too many requests or tokens for now. */
  "rate",
  /** The request itself is refused. */
  "bad_request",
  /** 5xx. */
  "server",
  "timeout",
  /** A 200 that is no reply: an error body, empty choices, null content, invalid JSON, a stream cut short, no finish reason. */
  "malformed",
] as const;
export type Fault = (typeof FAULTS)[number];

/** One try of a call failed. Messages hold no secret. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  constructor(
    readonly fault: Fault,
    message: string,
    readonly status?: number,
    /** Seconds that the endpoint asks to wait. */
    readonly retryAfter?: number,
    /** Somebody had taken the call before the connection broke. */
    readonly reached = false,
  ) {
    super(message);
  }
}

/** A call in the endpoint's own words. */
export interface WireCall {
  readonly key: string;
  readonly identity: CallIdentity;
  /** Body of `POST /chat/completions`. */
  readonly body: Json;
}

/** Sends one call once. @throws ProviderError */
export interface Transport {
  /**
   * Gathers calls, waits for hours and tries again by itself (batches): calls go to it at once, with no limit, timeout or retry
   * around them, and it lets go of them as soon as the signal is aborted, since it finds them again.
   */
  readonly patient?: boolean;
  send(call: WireCall, signal: AbortSignal): Promise<RecordedReply>;
}
