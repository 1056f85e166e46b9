/** Catches what a cell writes: the beginning and the end of it, and the line that says how the cell ended. */

/** Bytes that are kept of one call, half from its beginning and half from its end. */
const KEPT = 1_000_000;
/** A status line is shorter. */
const LONGEST_LINE = 4096;

export class CellOutput {
  readonly #token: Buffer;
  /** Bytes that may belong to the token. */
  #pending: Buffer = Buffer.alloc(0);
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;
  #ended = false;
  /** What stands after the token; set once the line is there. */
  status: string | undefined;

  constructor(token: string) {
    this.#token = Buffer.from(token);
  }

  /** Bytes that the cell wrote. */
  get total(): number {
    return this.#total;
  }

  add(chunk: Buffer): void {
    if (this.status !== undefined) return;
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (!this.#ended) this.#look();
    if (this.#ended) this.#readStatus();
  }

  #look(): void {
    const at = this.#pending.indexOf(this.#token);
    this.#ended = at >= 0;
    const sure = this.#ended ? at : Math.max(0, this.#pending.length - this.#token.length + 1);
    this.#keep(this.#pending.subarray(0, sure));
    this.#pending = this.#pending.subarray(this.#ended ? at + this.#token.length : sure);
  }

  #readStatus(): void {
    const end = this.#pending.indexOf("\n");
    if (end >= 0) this.status = this.#pending.toString("utf8", 0, end);
    else if (this.#pending.length > LONGEST_LINE) this.status = "";
  }

  #keep(bytes: Buffer): void {
    this.#total += bytes.length;
    const first = bytes.subarray(0, Math.max(0, KEPT / 2 - this.#headBytes));
    this.#headBytes += first.length;
    if (first.length > 0) this.#head.push(Buffer.from(first));
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest));
    this.#tailBytes += rest.length;
    if (this.#tailBytes > KEPT) this.#trim();
  }

  #trim(): void {
    const tail = Buffer.concat(this.#tail);
    this.#tail = [Buffer.from(tail.subarray(Math.max(0, tail.length - KEPT / 2)))];
    this.#tailBytes = this.#tail[0]!.length;
  }

  /** What was kept, as text; bytes that are no UTF-8 stand as U+FFFD. */
  text(): string {
    if (!this.#ended) {
      this.#keep(this.#pending);
      this.#pending = Buffer.alloc(0);
    }
    this.#trim();
    const left = this.#total - this.#headBytes - this.#tailBytes;
    const head = Buffer.concat(this.#head);
    const tail = this.#tail[0]!;
    if (left === 0) return Buffer.concat([head, tail]).toString("utf8");
    return `${head.toString("utf8")}\n[${left} bytes are not kept]\n${tail.toString("utf8")}`;
  }
}
