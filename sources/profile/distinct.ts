/**
 * Counts distinct texts in eight bytes each: a table of 53-bit hashes. Two texts of a column of a million share a hash with a
 * chance of about 1 in 20,000 (birthday bound n²/2⁵⁴), which is good enough for a profile and for nothing else.
 */
export class DistinctCounter {
  private slots = new Float64Array(256);
  private used = 0;
  /** Whether counting was given up: a column of free text or measurements need not be counted to the end. */
  full = false;

  constructor(private readonly max = 2_000_000) {}

  get count(): number {
    return this.used;
  }

  /** Adds a text; says whether it is new, as far as that is still known. */
  add(text: string): boolean {
    if (this.full) return false;
    const hash = hash53(text) + 1;
    if (!insert(this.slots, hash)) return false;
    this.used++;
    if (this.used >= this.max) this.full = true;
    else if (this.used * 2 > this.slots.length) this.grow();
    return true;
  }

  private grow(): void {
    const next = new Float64Array(this.slots.length * 2);
    for (const hash of this.slots) if (hash !== 0) insert(next, hash);
    this.slots = next;
  }
}

function insert(slots: Float64Array, hash: number): boolean {
  const mask = slots.length - 1;
  for (let at = (hash | 0) & mask; ; at = (at + 1) & mask) {
    if (slots[at] === hash) return false;
    if (slots[at] !== 0) continue;
    slots[at] = hash;
    return true;
  }
}

/** Two multiply-and-xor streams of 32 bits (the finaliser of MurmurHash3, public domain), joined to 53. */
function hash53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x85ebca6b);
    b = Math.imul(b ^ code, 0xc2b2ae35);
  }
  a = mix(a ^ (b >>> 13));
  b = mix(b ^ (a >>> 13));
  return (a & 0x1fffff) * 2 ** 32 + (b >>> 0);
}

function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
