import type { Json } from "../pipeline/base/canonical.js";
import type { Observation } from "./environment.js";
import type { Reply } from "./model.js";

/** A recorded call: what was asked, as it was sent, and what came. */
export interface Recorded {
  /** Chat messages as sent, the system prompt first. */
  readonly messages: readonly Json[];
  /** Tools as sent. */
  readonly tools: readonly Json[];
  readonly reply: Reply;
}

/** What a run has recorded, by the names that evidence gives: conversations are written from it. */
export interface Recordings {
  call(name: string): Recorded | undefined;
  observation(name: string): Observation | undefined;
}
