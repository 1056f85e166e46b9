import type { FetchEvent } from "../sources/fetch/events.js";
import { visible } from "./base/render.js";
import { counted, duration, grouped, type Io } from "./terminal.js";

const REDRAW_MS = 100;
/** Shorter waits are shown on a terminal only, where the next line takes them away. */
const LONG_WAIT = 5;

type PageEvent = Extract<FetchEvent, { type: "page" }>;

/** Shows a download: on a terminal one line redrawn (pages, records, rate, time left); elsewhere only what is out of the ordinary. */
export class FetchProgress {
  readonly #started: number;
  #drawn = Number.NEGATIVE_INFINITY;
  #status = false;
  /** What earlier downloads left says nothing of the speed of this one. */
  #kept = { pages: 0, records: 0 };
  #told = false;

  constructor(private readonly io: Io) {
    this.#started = io.now();
  }

  readonly listen = (event: FetchEvent): void => {
    if (this.io.quiet) return;
    if (event.type === "page") this.#page(event);
    else if (event.type === "wait")
      this.#line(`waiting ${duration(event.seconds)}: ${event.why}`, event.seconds >= LONG_WAIT);
    else if (event.type === "retry") {
      const what = event.page === 0 ? "the number of records" : `page ${event.page}`;
      this.#line(`${what} again in ${duration(event.seconds)}: ${event.why}`, true);
    } else this.#line(event.message, true);
  };

  /** Takes the redrawn line away. */
  end(): void {
    if (this.#status) this.io.err("\r\u001b[2K");
    this.#status = false;
  }

  #page(event: PageEvent): void {
    if (event.how === "kept") this.#kept = { pages: event.done, records: event.records };
    else if (!this.#told && this.#kept.pages > 0) {
      this.#told = true;
      this.#line(`goes on with ${counted(this.#kept.pages, "page")} that an earlier download left`, true);
    }
    const now = this.io.now();
    if (!this.io.live || now - this.#drawn < REDRAW_MS) return;
    this.#drawn = now;
    this.#draw(progressText(event, this.#kept, (now - this.#started) / 1000));
  }

  #line(text: string, stays: boolean): void {
    if (stays) {
      this.end();
      this.io.err(`${visible(text)}\n`);
    } else if (this.io.live) this.#draw(text);
  }

  #draw(text: string): void {
    this.io.err(`\r\u001b[2K${visible(text).slice(0, Math.max(20, this.io.columns - 1))}`);
    this.#status = true;
  }
}

/** "12 of 40 pages  5,800 of 20,000 records  310 records/s  46 s left". */
export function progressText(
  { done, pages, records, total }: PageEvent,
  kept: { pages: number; records: number },
  seconds: number,
): string {
  const parts = [
    pages === undefined ? counted(done, "page") : `${grouped(done)} of ${counted(pages, "page")}`,
  ];
  if (records > 0)
    parts.push(
      total === undefined ? counted(records, "record") : `${grouped(records)} of ${counted(total, "record")}`,
    );
  const rate = (records - kept.records) / Math.max(seconds, 0.001);
  if (rate > 0) parts.push(`${grouped(Math.round(rate))} records/s`);
  const pace = (done - kept.pages) / Math.max(seconds, 0.001);
  if (pages !== undefined && pages > done && pace > 0) parts.push(`${duration((pages - done) / pace)} left`);
  return parts.join("  ");
}
