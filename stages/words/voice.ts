import type { Random } from "../../pipeline/base/random.js";

/** How one question speaks: every choice is drawn from the seeded stream and kept, so that a wording can be explained. */
export class Voice {
  readonly style: Record<string, string> = {};
  /** Set before the names of slots, so that choices for a second entity do not hide those for the first. */
  private prefix = "";

  constructor(
    private readonly random: Random,
    /** Unit symbols ("km") or words ("kilometres"), the same throughout a question. */
    readonly units: "symbols" | "words",
    /** How many thousands are parted: "10,000" or "10 000" (narrow no-break space). */
    readonly group: "," | "\u202f",
    /** Large round numbers as "5 million" or "5 × 10⁶". */
    readonly large: "words" | "powers",
    /** Significant figures as "three" or "3". */
    readonly counts: "words" | "digits",
  ) {
    this.style.units = units;
    this.style.numbers = `${group === "," ? "comma" : "space"}-${large}-${counts}`;
  }

  /** One of some ways of saying the same; the number of the way taken is noted under `slot`. */
  pick<T>(slot: string, ways: readonly T[]): T {
    const i = this.random.int(ways.length);
    this.note(slot, String(i + 1));
    return ways[i]!;
  }

  /** One of some named ways. */
  named<T extends string>(slot: string, names: readonly T[]): T {
    const name = names[this.random.int(names.length)]!;
    this.note(slot, name);
    return name;
  }

  note(slot: string, choice: string): void {
    this.style[this.prefix + slot] = choice;
  }

  /** Speaks of another part of the program: the same voice, its choices noted apart. */
  within<T>(part: string, speak: () => T): T {
    const { prefix } = this;
    this.prefix = `${part}.`;
    const said = speak();
    this.prefix = prefix;
    return said;
  }

  /** True once in `n`, on average. */
  seldom(n: number): boolean {
    return this.random.int(n) === 0;
  }
}

/** Draws the traits that hold for a whole question. */
export function openVoice(random: Random): Voice {
  const seldom = (n: number) => random.int(n) === 0;
  return new Voice(
    random,
    seldom(3) ? "words" : "symbols",
    seldom(5) ? "\u202f" : ",",
    seldom(2) ? "words" : "powers",
    seldom(4) ? "digits" : "words",
  );
}
