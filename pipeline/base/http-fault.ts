/** Why an exchange over HTTP failed: one sentence without a full stop, in words that hold for any machine. */
export class HttpFault extends Error {
  override readonly name = "HttpFault";
  /** Whether it would be the same at every try. */
  readonly lasting: boolean;

  constructor(message: string, { lasting = false, ...options }: ErrorOptions & { lasting?: boolean } = {}) {
    super(message, options);
    this.lasting = lasting;
  }
}
