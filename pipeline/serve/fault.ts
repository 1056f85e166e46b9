import { TaskmillError } from "../base/errors.js";

/** What a request did wrong, or what kept it from being answered: a status and words for who sent it. */
export class Fault extends Error {
  override readonly name = "Fault";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export interface FaultBody {
  readonly error: { readonly code: string; readonly message: string };
}

export function bodyOf({ code, message }: Pick<Fault, "code" | "message">): FaultBody {
  return { error: { code, message } };
}

/** Any error as a client may see it: what the product says on purpose, and of all else only that it happened. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (!(error instanceof TaskmillError)) return new Fault(500, "internal", "internal error");
  const { code, message } = error.problems[0]!;
  if (error.kind === "interrupted") return new Fault(503, "ending", "the server is ending");
  return new Fault(502, code, message);
}
