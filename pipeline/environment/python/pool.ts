import { availableParallelism } from "node:os";
import pLimit from "p-limit";

/** A session as the pool sees it. */
export interface Pooled {
  /** Whether it holds processes. */
  readonly alive: boolean;
  /** Gives its processes up; it builds itself again when it is next used. */
  rest(): Promise<void>;
}

/** Interpreters alive at once; each takes some 10 MB when it does nothing. */
const ALIVE = 64;
/** Cells at work at once. More would share the processors, and time limits would come to depend on what else runs. */
const RUNNING = Math.max(4, 2 * availableParallelism());

/** Sessions of one process: how many are alive, and how many at work. */
export class SessionPool {
  readonly #turns;
  /** Alive and not at work, the one that waited longest first. */
  readonly #idle = new Set<Pooled>();

  constructor(
    private readonly alive = ALIVE,
    running = RUNNING,
  ) {
    this.#turns = pLimit(Math.min(alive, running));
  }

  /** Lets a session work when it is its turn. */
  turn<T>(session: Pooled, work: () => Promise<T>): Promise<T> {
    return this.#turns(async () => {
      this.#idle.delete(session);
      try {
        await this.#makeRoom();
        return await work();
      } finally {
        if (session.alive) this.#idle.add(session);
      }
    });
  }

  forget(session: Pooled): void {
    this.#idle.delete(session);
  }

  async #makeRoom(): Promise<void> {
    for (const session of this.#idle) {
      if (this.#idle.size + this.#turns.activeCount <= this.alive) return;
      this.#idle.delete(session);
      await session.rest();
    }
  }
}
