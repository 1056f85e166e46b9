/** An expression that cannot be read, and where. The parser throws it to itself alone; outside it is a value. */
export class Refusal extends Error {
  constructor(
    readonly why: string,
    /** Index into the text that was read. */
    readonly at: number,
  ) {
    super(why);
  }
}
