/** Why one request gave no page: one sentence without a full stop. */
export class FetchFault extends Error {
  override readonly name = "FetchFault";

  constructor(
    message: string,
    readonly details: {
      /** Whether another try may do better. */
      readonly passing: boolean;
      readonly status?: number;
      /** Seconds that the server asks for. */
      readonly retryAfter?: number;
      readonly hint?: string;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For what is the same at every try. */
export function lasting(message: string, hint?: string): FetchFault {
  return new FetchFault(message, hint === undefined ? { passing: false } : { passing: false, hint });
}

/** For what may be better at the next try. */
export function passing(message: string, hint?: string): FetchFault {
  return new FetchFault(message, hint === undefined ? { passing: true } : { passing: true, hint });
}
