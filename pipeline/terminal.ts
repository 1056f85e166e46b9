import { visible } from "./base/render.js";
import type { CallCounts, Counts, Listener, RunEvent } from "./events.js";
import { amountOf, amountText, atto } from "./models/price.js";

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

/** "980 tokens", "12.4 k tokens", "1.2 M tokens". */
export function tokensText(tokens: number): string {
  if (tokens < 10_000) return counted(tokens, "token");
  const [size, unit] = tokens < 1e6 ? [1e3, "k"] : tokens < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(tokens / size).toFixed(1)} ${unit} tokens`;
}

/** Rows of cells in columns of equal width, indented. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, c) => width(c));
  return rows.map((row) => `  ${row.map((cell, c) => cell.padEnd(widths[c]!)).join("  ")}`.trimEnd());
}

/** "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

const REDRAW_MS = 100;
/** Without a terminal, a stage that is long at work says so as often as this. */
const ALIVE_EVERY_MS = 60_000;
/** Shorter waits are told on a terminal only, where the next line takes them away; others now and then. */
const LONG_WAIT = 30;
const WAITS_TOLD_EVERY_MS = 300_000;

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** What the redrawn line shows of the stage at work. */
interface AtWork {
  readonly instance: string;
  readonly started: number;
  readonly total: number;
  done: number;
}

/**
 * Shows a run's progress: on a terminal one line redrawn (stage, rows, rate, calls, cost, time left) under lines that stay;
 * elsewhere plain lines that stay.
 */
export class Progress {
  #started: number;
  #drawn = 0;
  #status = false;
  #stage: AtWork | undefined;
  #latest: Of<"round"> | undefined;
  #waiting: { readonly until: number; readonly text: string } | undefined;
  /** When a wait for an endpoint was last told in a line that stays. */
  readonly #waitTold = new Map<string, number>();
  readonly #calls = new Map<string, CallCounts>();
  /** Calls whose line was printed, by instance. */
  readonly #told = new Map<string, number>();
  #lastLine: number;

  constructor(private readonly io: Io) {
    this.#started = io.now();
    this.#lastLine = this.#started;
  }

  readonly listen: Listener = (event) => {
    if (this.io.quiet) return;
    const now = this.io.now();
    this.#note(event, now);
    for (const line of this.#linesOf(event, now)) this.#print(line);
    if (this.io.live) this.#redraw(event, now);
  };

  /** Takes the redrawn line away. */
  end(): void {
    if (this.#status) this.io.err("\r\u001b[2K");
    this.#status = false;
  }

  #note(event: RunEvent, now: number): void {
    if (event.type === "stage_start")
      this.#stage = { instance: event.instance, started: now, total: event.rows, done: 0 };
    if (event.type === "rows" && this.#stage?.instance === event.instance) this.#stage.done = event.done;
    if (event.type === "calls") this.#calls.set(event.instance, event);
    if (event.type === "round") this.#latest = event;
  }

  #linesOf(event: RunEvent, now: number): string[] {
    if (event.type === "waiting") return this.#wait(event, now);
    const line = lineOf(event, (now - this.#started) / 1000);
    const calls = event.type === "stage_end" ? this.#callsOf(event.instance) : undefined;
    const total = event.type === "end" ? this.#totalOfCalls() : undefined;
    return [line, calls, total, this.#alive(event, now)].filter((text) => text !== undefined);
  }

  /** A line now and then while a stage is at work, where nothing is redrawn. */
  #alive(event: RunEvent, now: number): string | undefined {
    const due = (event.type === "rows" || event.type === "calls") && now - this.#lastLine >= ALIVE_EVERY_MS;
    if (this.io.live || !due || this.#stage === undefined) return undefined;
    return [...this.#rowsPart(this.#stage, now), ...this.#lastPart(this.#stage, now)].join("  ");
  }

  /** What all stages together asked in this run. */
  #totalOfCalls(): string | undefined {
    const all = [...this.#calls.values()];
    const last = all.at(-1);
    if (last === undefined) return undefined;
    const sum = (of: "replayed" | "kept" | "failed" | "retried" | "in_flight" | "tokens"): number =>
      all.reduce((total, counts) => total + counts[of], 0);
    const costs = all.map(({ cost }) => cost);
    const cost = costs.includes(null) ? null : amountOf(costs.reduce((total, c) => total + atto(c!), 0n));
    const counts = {
      ...last,
      replayed: sum("replayed"),
      kept: sum("kept"),
      failed: sum("failed"),
      retried: sum("retried"),
      in_flight: 0,
      tokens: sum("tokens"),
      cost,
    };
    return `models: ${callsText(counts)}`;
  }

  /** A batch is waited for all day, half a minute at a time: without a terminal that is a line every five minutes. */
  #wait({ seconds, endpoint, why }: Of<"waiting">, now: number): string[] {
    const text = `waiting ${duration(seconds)} for ${endpoint}: ${why}`;
    const until = now + seconds * 1000;
    if (until > (this.#waiting?.until ?? 0)) this.#waiting = { until, text };
    const told = this.#waitTold.get(endpoint) ?? Number.NEGATIVE_INFINITY;
    if (this.io.live || seconds < LONG_WAIT || now - told < WAITS_TOLD_EVERY_MS) return [];
    this.#waitTold.set(endpoint, now);
    return [text];
  }

  /** The line of a stage's calls, where there are new ones. */
  #callsOf(instance: string): string | undefined {
    const counts = this.#calls.get(instance);
    if (counts === undefined) return undefined;
    const all = counts.replayed + counts.kept + counts.failed;
    if (all === this.#told.get(instance)) return undefined;
    this.#told.set(instance, all);
    return `${instance}: ${callsText(counts)}`;
  }

  #print(line: string): void {
    this.end();
    // An endpoint's words are in it, and must not act on the terminal.
    this.io.err(`${visible(line)}\n`);
    this.#lastLine = this.io.now();
  }

  #redraw(event: RunEvent, now: number): void {
    if (!["stage_start", "rows", "calls", "waiting"].includes(event.type)) return;
    if (this.#stage === undefined || now - this.#drawn < REDRAW_MS) return;
    this.#drawn = now;
    const line = [...this.#rowsPart(this.#stage, now), ...this.#lastPart(this.#stage, now)].join("  ");
    const shown = visible(line).slice(0, Math.max(20, this.io.columns - 1));
    this.io.err(`\r\u001b[2K${shown}`);
    this.#status = true;
  }

  #rowsPart({ instance, started, total, done }: AtWork, now: number): string[] {
    const parts = [instance];
    if (total > 0) parts.push(`${grouped(done)} of ${counted(total, "row")}`);
    if (done === 0) return parts;
    const rate = (done * 1000) / Math.max(1, now - started);
    return [...parts, `${rateText(rate)} rows/s`, `${duration((total - done) / rate)} left`];
  }

  #lastPart({ instance }: AtWork, now: number): string[] {
    const waiting = this.#waiting !== undefined && this.#waiting.until > now ? this.#waiting.text : undefined;
    if (waiting !== undefined) return [`| ${waiting}`];
    const calls = this.#calls.get(instance);
    if (calls !== undefined) return [`| ${callsText(calls)}`];
    const towards = this.#towards(now);
    return towards === undefined ? [] : [towards];
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

function rateText(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate));
}

/** "4,800 calls, 3,100 replayed, 64 in flight, 1.2 M tokens, 0.84 of 5.00 USD". */
export function callsText(counts: CallCounts): string {
  const { replayed, kept, failed, retried, in_flight, tokens } = counts;
  const parts = [counted(replayed + kept + failed + in_flight, "call")];
  const some = (n: number, what: string): void => {
    if (n > 0) parts.push(`${grouped(n)} ${what}`);
  };
  some(replayed, "replayed");
  some(in_flight, "in flight");
  some(retried, "tried again");
  some(failed, "failed");
  if (kept > 0) parts.push(tokensText(tokens), moneyText(counts));
  return parts.join(", ");
}

/** With a cap, what all stages and runs have spent of it; else what this stage and run have. */
function moneyText({ cost, total_cost, cap, currency }: CallCounts): string {
  if (cap !== null && total_cost !== null)
    return `${amountText(atto(total_cost))} of ${amountText(atto(cap))} ${currency}`;
  return cost === null ? "cost unknown" : `${amountText(atto(cost))} ${currency}`;
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
    case "note":
      return event.message;
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
