import type { Usage } from "../../stages/model.js";
import type { Asker } from "./call.js";
import type { Fault } from "./transport.js";

/**
 * What happens to calls, for progress lines; nothing of it reaches an output. A call that is not recorded yet makes one
 * `asked`, then for each try a `sent` that ends in one of `retried`, `kept` or `failed`. So calls in flight are
 * `sent` − `retried` − `kept` − `failed`, and `failed` with `sent: false` is a call that was given up between two tries.
 */
export type CallEvent =
  /** Answered from the cassette: costs nothing. */
  | ({ readonly type: "replayed" } & Asker)
  /** Not recorded: it is going to be sent, once limits let it. */
  | ({ readonly type: "asked" } & Asker)
  /** A try goes out. */
  | ({ readonly type: "sent" } & Asker)
  /** A try failed; the call waits for its next one. */
  | ({ readonly type: "retried"; readonly fault: Fault } & Asker)
  /** A call is over and on disk. */
  | ({ readonly type: "kept"; readonly usage: Usage } & Asker)
  /** A call is given up. `sent`: this ends a try. `fault` is undefined when the run stopped before the call had a chance. */
  | ({ readonly type: "failed"; readonly fault: Fault | undefined; readonly sent: boolean } & Asker)
  /** An endpoint is left alone for a while. */
  | {
      readonly type: "waiting";
      readonly endpoint: string;
      /** Milliseconds since the epoch, by the client's clock. */
      readonly until: number;
      readonly seconds: number;
      readonly why: string;
    };

export type OnCallEvent = (event: CallEvent) => void;
