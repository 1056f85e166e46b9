import { stat } from "node:fs/promises";
import { excerpt } from "../../sources/problems.js";
import { fail } from "../base/errors.js";
import { counted, grouped } from "../terminal.js";
import type { CallRecord, Intent } from "./call.js";
import { addUsage, Ledger, NOTHING, type TokenSums } from "./cassette-ledger.js";
import { openPlain } from "./cassette-lines.js";
import type { CassetteFile } from "./cassette-place.js";
import { scanLog, scanShipped } from "./cassette-read.js";

/** Calls of one kind. */
interface Group {
  /** Null in a shipped cassette, which does not say who asked. */
  readonly instance: string | null;
  readonly role: string | null;
  /** Null for pruned calls, of which only the sums are left. */
  readonly model: string | null;
  readonly calls: number;
  /** Calls of which the endpoint said neither input nor output tokens. */
  readonly unknown: number;
  readonly usage: TokenSums;
}

export interface CassetteStats {
  readonly path: string;
  readonly format: CassetteFile["format"];
  readonly bytes: number;
  /** Distinct calls that can be replayed. */
  readonly calls: number;
  /** Records that a later one with the same key replaces. */
  readonly superseded: number;
  /** Lines that cannot be read. */
  readonly torn: number;
  /** All that was paid for, superseded and pruned calls included. */
  readonly groups: readonly Group[];
  /** Sent, with no end known: possibly billed. `again`: whether a record of the same call is there by now. */
  readonly pending: readonly (Intent & { readonly again: boolean })[];
}

/** Adds up a cassette. @throws TaskmillError (source) */
export async function statsOf({ path, format }: CassetteFile): Promise<CassetteStats> {
  const file = await openPlain(path, false);
  if (file === undefined) fail("source", "no_cassette", `there is no ${path}`);
  const groups = new Groups();
  const ledger = new Ledger();
  const keys = new Set<string>();
  let torn = 0;
  let records = 0;
  const onRecord = ({ key }: CallRecord): void => {
    keys.add(key);
    records++;
  };
  try {
    if (format === "shipped") {
      const header = await scanShipped(
        file,
        (record) => {
          onRecord(record);
          groups.add(null, null, record);
        },
        () => torn++,
      );
      if (header === undefined && records === 0) fail("source", "no_cassette", `${path} is no cassette`);
    } else {
      const { lines } = await scanLog(
        file,
        (event) => {
          ledger.add(event);
          if (event.event === "spent") groups.pruned(event);
          if (event.event !== "end") return;
          onRecord(event);
          groups.add(event.asker.instance, event.asker.role, event);
        },
        () => torn++,
      );
      if (lines === torn && lines > 0) fail("source", "no_cassette", `${path} is no cassette`);
    }
  } finally {
    await file.close();
  }
  return {
    path,
    format,
    bytes: (await stat(path)).size,
    calls: keys.size,
    superseded: records - keys.size,
    torn,
    groups: groups.list(),
    pending: ledger.pending().map((intent) => ({ ...intent, again: keys.has(intent.key) })),
  };
}

class Groups {
  readonly #groups = new Map<string, Group>();

  add(instance: string | null, role: string | null, { identity, reply: { usage } }: CallRecord): void {
    const unknown = usage.input === null && usage.output === null ? 1 : 0;
    this.#add({ instance, role, model: identity.model, calls: 1, unknown, usage: addUsage(NOTHING, usage) });
  }

  pruned({ instance, role, calls, unknown, usage }: Omit<Group, "model">): void {
    this.#add({ instance, role, model: null, calls, unknown, usage });
  }

  #add(more: Group): void {
    const name = JSON.stringify([more.instance, more.role, more.model]);
    const before = this.#groups.get(name) ?? { ...more, calls: 0, unknown: 0, usage: NOTHING };
    this.#groups.set(name, {
      ...before,
      calls: before.calls + more.calls,
      unknown: before.unknown + more.unknown,
      usage: addUsage(before.usage, more.usage),
    });
  }

  /** In code-unit order of their names. */
  list(): Group[] {
    return [...this.#groups.keys()].sort().map((name) => this.#groups.get(name)!);
  }
}

/** Most possibly billed calls that the text lists. */
const LISTED = 20;

export function statsText(stats: CassetteStats): string {
  const { path, format, calls, superseded, torn, bytes, groups, pending } = stats;
  const lines = [
    `${path} (${format === "log" ? "log of a run" : "ships with a dataset"})`,
    `  ${counted(calls, "call")} to replay, ${counted(superseded, "replaced record")}, ${counted(torn, "line")} torn or damaged, ${counted(bytes, "byte")}`,
    ...groups.map(groupText),
  ];
  if (pending.length > 0) {
    lines.push(`  ${counted(pending.length, "call")} possibly billed: sent, and no end is known`);
    for (const { instance, role, row, model, again } of pending.slice(0, LISTED)) {
      const [i, r, m, id] = [instance, role, model, row].map((name) => excerpt(name));
      lines.push(`    ${i}: ${r} (${m}) for row ${id}${again ? ", asked again since" : ""}`);
    }
    if (pending.length > LISTED)
      lines.push(`    and ${grouped(pending.length - LISTED)} more (--json has all)`);
  }
  return `${lines.join("\n")}\n`;
}

function groupText({ instance, role, model, calls, unknown, usage }: Group): string {
  const who = instance === null ? "" : `${excerpt(instance)}: ${excerpt(role ?? "")} `;
  const { input, cached_input, output, reasoning } = usage;
  const tokens = `${grouped(input)} tokens in (${grouped(cached_input)} from the prompt cache), ${grouped(output)} out (${grouped(reasoning)} of reasoning)`;
  const silent = unknown === 0 ? "" : `; of ${counted(unknown, "call")} the endpoint did not say`;
  return `  ${who}${model === null ? "pruned" : `(${excerpt(model)})`}: ${counted(calls, "call")}, ${tokens}${silent}`;
}
