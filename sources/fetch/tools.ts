import type { Card } from "../card.js";
import type { Attempts } from "./attempts.js";
import type { FetchEvent } from "./events.js";
import type { FetchClock, Gate } from "./gate.js";
import type { Secrets } from "./secrets.js";
import type { Server } from "./server.js";
import type { FetchSpec } from "./spec.js";
import type { PageStore } from "./store.js";

/** What a download works with. */
export interface Tools {
  readonly card: Card;
  readonly fetch: FetchSpec;
  /** Values of a `list`. */
  readonly list: readonly string[];
  readonly store: PageStore;
  readonly server: Server;
  readonly attempts: Attempts;
  readonly secrets: Secrets;
  readonly gate: Gate;
  readonly clock: FetchClock;
  readonly tell: (event: FetchEvent) => void;
}
