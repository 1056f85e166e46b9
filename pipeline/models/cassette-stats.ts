import { excerpt } from "../../sources/problems.js";
import { fail } from "../base/errors.js";
import { counted, grouped } from "../terminal.js";
import type { Asker, CassetteRecord, Intent } from "./call.js";
import { intentsBeside, scanIntents } from "./cassette.js";
import type { LogEvent } from "./cassette-events.js";
import { Ledger, Sums, type Took, tookOf } from "./cassette-ledger.js";
import { withPlain } from "./cassette-lines.js";
import type { CassetteFile } from "./cassette-place.js";
import { scanLog, scanShipped } from "./cassette-read.js";

/** Whose calls are summed up together. */
interface Whose {
  /** Null in a shipped cassette, which does not say who asked. */
  readonly instance: string | null;
  readonly role: string | null;
  /** Null for pruned calls, of which only the sums are left. */
  readonly model: string | null;
}

export interface CassetteStats {
  readonly path: string;
  readonly format: CassetteFile["format"];
  readonly bytes: number;
  /** Distinct calls that can be replayed. */
  readonly calls: number;
  /** Of the records, how many are answers of tools. */
  readonly observations: number;
  /** Records that a later one with the same key replaces. */
  readonly superseded: number;
  /** Lines that cannot be read. */
  readonly torn: number;
  /** All that was paid for, superseded and pruned calls included. */
  readonly groups: readonly (Whose & Took)[];
  /** Sent, with no end known: possibly billed. `again`: whether a record of the same call is there by now. */
  readonly pending: readonly (Intent & { readonly again: boolean })[];
}

/** Adds up a cassette. @throws TaskmillError (source) */
export function statsOf({ path, format }: CassetteFile): Promise<CassetteStats> {
  return withPlain(path, false, async (file) => {
    const groups = new Sums<Whose>();
    const ledger = new Ledger();
    const keys = new Set<string>();
    let torn = 0;
    let records = 0;
    let observations = 0;
    const onDamage = (): void => void torn++;
    const onRecord = (record: CassetteRecord, asker?: Asker): void => {
      keys.add(record.key);
      records++;
      if ("tool" in record) {
        observations++;
        return;
      }
      const { instance = null, role = null } = asker ?? {};
      groups.add({ instance, role, model: record.identity.model }, tookOf(record.reply.usage));
    };
    const onEvent = (event: LogEvent): void => {
      ledger.add(event);
      if (event.event === "end") onRecord(event, event.asker);
      if (event.event === "observed") onRecord(event);
      if (event.event !== "spent") return;
      const { instance, role, calls, unknown, usage } = event;
      groups.add({ instance, role, model: null }, { calls, unknown, usage });
    };
    if (format === "shipped") {
      const header = await scanShipped(file, (record) => onRecord(record), onDamage);
      if (header === undefined && records === 0) fail("source", "no_cassette", `${path} is no cassette`);
    } else {
      await scanIntents(intentsBeside(path), (event) => ledger.add(event), onDamage);
      const { lines } = await scanLog(file, onEvent, onDamage);
      if (lines === torn && lines > 0) fail("source", "no_cassette", `${path} is no cassette`);
    }
    return {
      path,
      format,
      bytes: (await file.stat()).size,
      calls: keys.size,
      observations,
      superseded: records - keys.size,
      torn,
      groups: groups.list(),
      pending: ledger.pending().map(({ id: _id, ...intent }) => ({ ...intent, again: keys.has(intent.key) })),
    };
  });
}

/** Most possibly billed calls that the text lists. */
const LISTED = 20;

export function statsText(stats: CassetteStats): string {
  const { path, format, calls, observations, superseded, torn, bytes, groups, pending } = stats;
  const lines = [
    `${path} (${format === "log" ? "log of a run" : "ships with a dataset"})`,
    `  ${counted(calls, "call")} to replay${observations === 0 ? "" : ` (${counted(observations, "tool call")} among them)`}, ${counted(superseded, "replaced record")}, ${counted(torn, "line")} torn or damaged, ${counted(bytes, "byte")}`,
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

function groupText({ instance, role, model, calls, unknown, usage }: Whose & Took): string {
  const who = instance === null ? "" : `${excerpt(instance)}: ${excerpt(role ?? "")} `;
  const { input, cached_input, output, reasoning } = usage;
  const tokens = `${grouped(input)} tokens in (${grouped(cached_input)} from the prompt cache), ${grouped(output)} out (${grouped(reasoning)} of reasoning)`;
  const silent = unknown === 0 ? "" : `; of ${counted(unknown, "call")} the endpoint did not say`;
  return `  ${who}${model === null ? "pruned" : `(${excerpt(model)})`}: ${counted(calls, "call")}, ${tokens}${silent}`;
}
