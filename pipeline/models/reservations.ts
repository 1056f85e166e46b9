import type { Usage } from "../../stages/model.js";
import type { Asker } from "./call.js";
import type { ModelSpec } from "./spec.js";

/** What a call may cost, held back until its end is known. */
export interface Reservation {
  /** The try ended and may be billed: counts what it used; an unknown figure counts as the worst case. */
  settle(usage: Usage): void;
  /** The try was not billed. */
  release(): void;
}

/** The part of a budget that the client needs. */
export interface Reservations {
  /** @param worst tokens. @throws TaskmillError `budget` when the call could break a cap. */
  reserve(
    asker: Asker,
    spec: ModelSpec,
    worst: { readonly input: number; readonly output: number },
  ): Reservation;
}
