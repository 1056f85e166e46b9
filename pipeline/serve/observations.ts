import type { ObservationStore } from "../environment/environment.js";
import type { ObservationRecord } from "../models/call.js";
import type { FileCassette } from "../models/cassette.js";
import { Cache } from "./cache.js";

type Recorded = ObservationRecord["observation"];

/** Characters of observations that are kept. */
const KEPT = 128_000_000;
/** Of one that says little: addresses and names take memory too. */
const LEAST = 1000;

/**
 * Observations of agents that are not ours: in memory, so that nothing is written into a dataset and nothing grows without end. What the
 * dataset has recorded is answered from there, and so is what somebody asked before: agents that ask the same get the same, and a search
 * that costs money is paid for once as long as the server runs.
 */
export class ServedObservations implements ObservationStore {
  /** No recording says what the tools stood for: they run here. */
  readonly shipped = [];
  readonly #kept = new Cache<Recorded>(KEPT);

  constructor(private readonly dataset: FileCassette | undefined) {}

  observation(key: string): Recorded | undefined {
    return this.#kept.get(key) ?? this.dataset?.observation(key);
  }

  async observed({ key, observation }: ObservationRecord): Promise<void> {
    this.#kept.set(key, observation, LEAST + observation.text.length);
  }

  use(): void {}
}
