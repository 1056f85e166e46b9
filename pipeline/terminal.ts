import type { Counts, Listener, RunEvent } from "./events.js";

/** Where a verb writes. Results go to `out`, everything else to `err`. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether `err` is a terminal: progress may be redrawn there. */
  readonly live: boolean;
  readonly color: { readonly out: boolean; readonly err: boolean };
  readonly columns: number;
  readonly signal: AbortSignal;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** 1,234,567 */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "3 rows", "1 row". */
export function counted(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

const REDRAW_MS = 100;

/**
 * Shows a run's progress: on a terminal one line redrawn (stage, rows, rate, time left) under lines that stay; elsewhere
 * plain lines that stay.
 */
export class Progress {
  #started: number;
  #stageStarted = 0;
  #drawn = 0;
  #status = false;
  #latest: Extract<RunEvent, { type: "round" }> | undefined;

  constructor(private readonly io: Io) {
    this.#started = io.now();
  }

  readonly listen: Listener = (event) => {
    if (this.io.quiet) return;
    if (event.type === "stage_start") this.#stageStarted = this.io.now();
    if (event.type === "round") this.#latest = event;
    const line = lineOf(event, (this.io.now() - this.#started) / 1000);
    if (line !== undefined) this.#print(line);
    if (this.io.live) this.#redraw(event);
  };

  /** Takes the redrawn line away. */
  end(): void {
    if (this.#status) this.io.err("\r\u001b[2K");
    this.#status = false;
  }

  #print(line: string): void {
    this.end();
    this.io.err(`${line}\n`);
  }

  #redraw(event: RunEvent): void {
    const now = this.io.now();
    if (event.type !== "stage_start" && event.type !== "rows") return;
    if (now - this.#drawn < REDRAW_MS) return;
    this.#drawn = now;
    const done = event.type === "rows" ? event.done : 0;
    const total = event.type === "rows" ? event.total : event.rows;
    const rate = (done * 1000) / Math.max(1, now - this.#stageStarted);
    const parts = [event.instance];
    if (total > 0) parts.push(`${grouped(done)} of ${counted(total, "row")}`);
    if (done > 0)
      parts.push(`${grouped(Math.round(rate))} rows/s`, `${duration((total - done) / rate)} left`);
    const towards = this.#towards(now);
    if (towards !== undefined) parts.push(towards);
    this.io.err(`\r\u001b[2K${parts.join("  ").slice(0, Math.max(20, this.io.columns - 1))}`);
    this.#status = true;
  }

  /** How far the whole run is. */
  #towards(now: number): string | undefined {
    const round = this.#latest;
    if (round === undefined || round.accepted === null || round.target === null || round.accepted === 0)
      return undefined;
    const left = ((now - this.#started) / 1000) * (round.target / round.accepted - 1);
    return `| ${grouped(round.accepted)} of ${grouped(round.target)} accepted, about ${duration(left)} left`;
  }
}

/** The lines that stay. */
function lineOf(event: RunEvent, seconds: number): string | undefined {
  switch (event.type) {
    case "run":
      return `${event.name}: ${event.instances.join(" → ")}`;
    case "ingest":
      return `ingest ${event.source}: ${counted(event.rows, "row")}`;
    case "stage_end":
      return event.block === null
        ? `${event.instance}: ${countsText(event.counts)}${event.cached ? " (cached)" : ""}`
        : undefined;
    case "round":
      return roundText(event, seconds);
    case "write":
      return `wrote ${event.file}`;
    default:
      return undefined;
  }
}

function roundText(event: Extract<RunEvent, { type: "round" }>, seconds: number): string {
  const of = event.budget === null ? "" : ` of ${grouped(event.budget)}`;
  const perSecond = Math.round(event.candidates / Math.max(seconds, 0.5));
  const rate = perSecond > 0 ? `, ${grouped(perSecond)}/s` : "";
  const target = event.target === null ? "" : ` of ${grouped(event.target)}`;
  const accepted = event.accepted === null ? "" : `; ${grouped(event.accepted)}${target} accepted`;
  return `block ${event.block}: ${grouped(event.candidates)}${of} ${event.candidates === 1 && of === "" ? "candidate" : "candidates"}${rate}${accepted}`;
}

/** "1,200 in, 1,100 out, 100 rejected (over_share 90, over_target 10)". */
export function countsText(counts: Counts): string {
  const rejected = Object.entries(counts.rejected).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const sum = rejected.reduce((total, [, n]) => total + n, 0);
  const came = counts.created > 0 ? `${grouped(counts.created)} made` : `${grouped(counts.in)} in`;
  if (sum === 0) return `${came}, ${grouped(counts.out)} out`;
  const reasons = rejected.slice(0, 3).map(([reason, n]) => `${reason} ${grouped(n)}`);
  if (rejected.length > 3) reasons.push("...");
  return `${came}, ${grouped(counts.out)} out, ${grouped(sum)} rejected (${reasons.join(", ")})`;
}
