import type { Random } from "../../pipeline/base/random.js";
import type { Program } from "../program/program.js";
import type { RejectedItem } from "../stage.js";

/** Rejected candidates kept as samples, per reason and block. */
const SAMPLES = 100;

/** A rejected candidate; its program is only written out if it stays in the sample. */
interface Rejected {
  readonly ref: string;
  readonly program: (() => Program) | undefined;
}

interface Entry {
  count: number;
  readonly random: Random;
  readonly kept: Rejected[];
}

/** Exact counts and a seeded reservoir sample (algorithm R) of what was turned away, by reason. */
export class Tally {
  private readonly byReason = new Map<string, Entry>();

  constructor(private readonly open: (reason: string) => Random) {}

  /** @param rejected is only asked for if the candidate enters the sample */
  reject(reason: string, rejected: () => Rejected): void {
    let entry = this.byReason.get(reason);
    if (entry === undefined) {
      entry = { count: 0, random: this.open(reason), kept: [] };
      this.byReason.set(reason, entry);
    }
    entry.count++;
    const place = entry.kept.length < SAMPLES ? entry.kept.length : entry.random.int(entry.count);
    if (place < SAMPLES) entry.kept[place] = rejected();
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.byReason].map(([reason, { count }]) => [reason, count]).sort());
  }

  samples(): RejectedItem[] {
    return [...this.byReason.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([reason, { kept }]) =>
        kept.map(({ ref, program }) => ({
          ref,
          reason,
          evidence: (program === undefined ? null : { program: program() }) as RejectedItem["evidence"],
        })),
      );
  }
}
