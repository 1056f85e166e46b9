import type { Condition } from "../../sources/card.js";
import { Bits } from "./bits.js";
import type { Clause } from "./clause.js";
import { Outside } from "./outsiders.js";
import { type Listed, listCapacity, RowSet } from "./row-set.js";
import type { TableIndex } from "./table-index.js";

/**
 * A conjunction over a table, and what every selection under it needs to know: who surely meets it, who may, and who fails one
 * condition alone. A scene is made once and then holds one conjunction after the other, so that drawing makes no garbage; it says
 * the same as `TableIndex.candidates`, which the differential tests hold it to.
 */
export class Scene implements Listed {
  readonly clauses: Clause[] = [];
  /** The rows for which all conditions surely hold. */
  definite: Uint32Array;
  /** The rows of `definite`, if they are few. */
  few: RowSet;
  /** Raised with every change, for whoever keeps figures of the present conjunction. */
  generation = 0;
  /** Whether no condition leaves anybody in doubt. */
  certain = true;

  private readonly everything: Uint32Array;
  /** Where the next conjunction goes: one of two buffers, the other of which may be `definite`. */
  private readonly buffers: readonly [Uint32Array, Uint32Array];
  private next: Uint32Array;
  private nextFew: RowSet;
  private readonly sures: Uint32Array[] = [];
  private readonly maybe: Uint32Array;
  private readonly maybeFew: RowSet;
  private readonly failing: Uint32Array;
  private readonly scratch: Uint32Array;
  private possibleOf = -1;
  private failingOf = -1;
  private readonly pool: Outside[] = [];
  private nearOf = -1;
  private isNear = false;

  constructor(readonly index: TableIndex) {
    const { rows } = index.table;
    const words = () => new Bits(rows).words;
    const capacity = listCapacity(rows);
    this.everything = Bits.full(rows).words;
    this.definite = this.everything;
    this.buffers = [words(), words()];
    this.next = this.buffers[0];
    this.maybe = words();
    this.failing = words();
    this.scratch = words();
    this.few = new RowSet(capacity);
    this.nextFew = new RowSet(capacity);
    this.maybeFew = new RowSet(capacity);
    this.few.list(this.definite);
  }

  get words(): Uint32Array {
    return this.definite;
  }

  get where(): Condition[] {
    return this.clauses.map((c) => c.condition);
  }

  /** Begins anew, without a condition. */
  clear(): void {
    this.clauses.length = 0;
    this.certain = true;
    this.definite = this.everything;
    this.few.list(this.definite);
    this.generation++;
  }

  /** Adds a condition, whatever is left. */
  add(clause: Clause): void {
    this.meet(clause);
    this.keep(clause);
  }

  /** Adds a condition if it leaves so many candidates and, unless these may, none of the present ones stands near its threshold. */
  narrow(clause: Clause, least: number, mayBeNear = false): boolean {
    if (!mayBeNear && clause.nearAmong(this.definite)) return false;
    this.meet(clause);
    const enough = this.nextFew.listed ? this.nextFew.count >= least : holdsAtLeast(this.next, least);
    if (!enough) return false;
    this.keep(clause);
    return true;
  }

  /** No condition surely fails: `definite` itself where nobody is in doubt. */
  get possible(): Uint32Array {
    if (this.certain) return this.definite;
    if (this.possibleOf !== this.generation) {
      this.possibleOf = this.generation;
      this.maybe.set(this.everything);
      this.clauses.forEach((clause, i) => {
        this.scratch.set(this.sures[i]!);
        clause.widen(this.scratch);
        for (let w = 0; w < this.maybe.length; w++) this.maybe[w]! &= this.scratch[w]!;
      });
      this.maybeFew.list(this.maybe);
    }
    return this.maybe;
  }

  /** The rows of `possible`, if they are few. */
  get possibleFew(): RowSet {
    return this.possible === this.definite ? this.few : this.maybeFew;
  }

  /** Whether some row that may be a candidate stands within its uncertainty of a threshold. */
  get near(): boolean {
    if (this.nearOf !== this.generation) {
      this.nearOf = this.generation;
      this.isNear = !this.certain && this.clauses.some((c) => c.nearAmong(this.possible));
    }
    return this.isNear;
  }

  has(row: number): boolean {
    return (this.definite[row >>> 5]! & (1 << (row & 31))) !== 0;
  }

  hasAtLeast(count: number): boolean {
    if (this.few.listed) return this.few.count >= count;
    return this.few.rows.length >= count || holdsAtLeast(this.definite, count);
  }

  /** How many candidates there are. */
  count(): number {
    return this.few.listed ? this.few.count : new Bits(this.index.table.rows, this.definite).count();
  }

  /** Whom each condition alone keeps out, in the order of the conditions. */
  outside(): readonly Outside[] {
    if (this.failingOf !== this.generation) {
      this.failingOf = this.generation;
      failingOne(this.sures, this.clauses.length, this.failing, this.everything);
      this.clauses.forEach(({ ends }, i) => {
        this.pool[i] ??= new Outside(this.failing, this.few.rows.length);
        this.pool[i].begin(this.sures[i]!, ends);
      });
    }
    return this.clauses.length === this.pool.length ? this.pool : this.pool.slice(0, this.clauses.length);
  }

  private meet(clause: Clause): void {
    const i = this.clauses.length;
    this.sures[i] ??= new Uint32Array(this.everything.length);
    const sure = this.sures[i]!;
    clause.sure(sure);
    if (i === 0) {
      this.next = sure;
      this.nextFew.list(sure);
      return;
    }
    const { definite, buffers } = this;
    this.next = definite === buffers[0] ? buffers[1] : buffers[0];
    this.nextFew.listShared(definite, sure, this.next);
  }

  private keep(clause: Clause): void {
    this.clauses.push(clause);
    this.certain = this.certain && clause.certain;
    this.definite = this.next;
    [this.few, this.nextFew] = [this.nextFew, this.few];
    this.generation++;
  }
}

/** The rows that fail exactly one of `count` conditions; `ones` and `more` carry like the digits of a sum. */
function failingOne(sures: readonly Uint32Array[], count: number, into: Uint32Array, all: Uint32Array): void {
  const [a, b, c] = sures as [Uint32Array, Uint32Array, Uint32Array];
  if (count === 0) into.fill(0);
  else if (count === 1) for (let w = 0; w < into.length; w++) into[w] = ~a[w]! & all[w]!;
  else if (count === 2) for (let w = 0; w < into.length; w++) into[w] = a[w]! ^ b[w]!;
  else if (count === 3) {
    for (let w = 0; w < into.length; w++) {
      const two = (a[w]! & b[w]!) | ((a[w]! ^ b[w]!) & c[w]!);
      into[w] = two & ~(a[w]! & b[w]! & c[w]!);
    }
  } else {
    for (let w = 0; w < into.length; w++) {
      let ones = 0;
      let more = 0;
      for (let i = 0; i < count; i++) {
        const fails = ~sures[i]![w]!;
        more |= ones & fails;
        ones |= fails;
      }
      into[w] = ones & ~more & all[w]!;
    }
  }
}

function holdsAtLeast(words: Uint32Array, count: number): boolean {
  let left = count;
  for (let w = 0; w < words.length && left > 0; w++) {
    for (let word = words[w]!; word !== 0 && left > 0; word &= word - 1) left--;
  }
  return left <= 0;
}
