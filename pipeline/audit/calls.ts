import { join } from "node:path";
import { z } from "zod";
import { CASSETTE } from "../finish.js";
import type { CallRecord, RecordedReply } from "../models/call.js";
import { openPlain } from "../models/cassette-lines.js";
import { misnamed, scanShipped } from "../models/cassette-read.js";
import type { Dataset, Entry } from "./dataset.js";
import type { Sample } from "./evidence.js";
import type { AuditFinding } from "./finding.js";
import { type Grade, gradeRecorded } from "./grade.js";

/** A sample of the ledger with what the audit itself makes of the recorded reply; undefined where there is none to the row's question. */
export interface Judged {
  readonly sample: Sample;
  readonly grade: Grade | undefined;
  readonly reply: Pick<RecordedReply, "finish" | "text"> | undefined;
}

/** The samples of an entry in their order. */
export type JudgedEntries = ReadonlyMap<Entry, readonly Judged[]>;

export interface Regraded {
  readonly judged: JudgedEntries;
  readonly findings: readonly AuditFinding[];
}

type Slot = { -readonly [K in keyof Judged]: Judged[K] };
interface Claim {
  readonly entry: Entry;
  readonly slot: Slot;
  /** Whether the question was to be asked by itself. */
  readonly closed: boolean;
  /** The call was met, and said so if it is another one. */
  met: boolean;
}

/** A call that asks a question by itself, and that no evidence names. */
interface Stray {
  readonly key: string;
  readonly question: string;
  readonly system: string;
  readonly reply: Pick<RecordedReply, "finish" | "text">;
}

/** Grades every sample of the ledger anew from the recorded calls, in one pass over them. @throws TaskmillError (source) for an odd file. */
export async function regrade(dataset: Dataset): Promise<Regraded> {
  const pass = new Pass(dataset);
  const file = await openPlain(join(dataset.dir, CASSETTE), true);
  if (file !== undefined) {
    try {
      await scanShipped(
        file,
        (record) => "tool" in record || pass.look(record),
        ({ line, why }) => pass.say("call_unreadable", CASSETTE, `line ${line}: ${why}`),
      );
    } finally {
      await file.close();
    }
  }
  return pass.end();
}

const models = z.object({
  models: z.record(
    z.string(),
    z.looseObject({ base_url: z.string(), endpoint: z.string().optional(), model: z.string() }),
  ),
});

class Pass {
  private readonly findings: AuditFinding[] = [];
  private readonly claims = new Map<string, Claim[]>();
  private readonly judged = new Map<Entry, Slot[]>();
  private readonly questions = new Map<string, Entry>();
  private readonly strays: Stray[] = [];
  /** System prompts of the closed-book calls that evidence names. */
  private readonly systems = new Set<string>();
  private readonly roles: z.infer<typeof models>["models"];

  constructor(dataset: Dataset) {
    const parsed = models.safeParse(dataset.manifest.config.resolved);
    this.roles = parsed.success ? parsed.data.models : {};
    for (const entry of dataset.entries) this.claim(entry);
  }

  say(code: string, where: string, message: string): void {
    this.findings.push({ code, where, message });
  }

  private claim(entry: Entry): void {
    const { probe, solve } = entry.evidence;
    const kept = probe ?? solve;
    if (kept === undefined) return;
    const slots = kept.samples.map((sample): Slot => ({ sample, grade: undefined, reply: undefined }));
    this.judged.set(entry, slots);
    if (probe !== undefined && entry.question !== undefined)
      this.questions.set(entry.question.question, entry);
    const seen = new Set<string>();
    for (const slot of slots) {
      const { call } = slot.sample;
      if (seen.has(call))
        this.say("call_repeated", entry.id, `two samples of ${entry.instance} are one call, ${short(call)}`);
      seen.add(call);
      const claims = this.claims.get(call) ?? [];
      claims.push({ entry, slot, closed: solve?.mode !== "open_book", met: false });
      this.claims.set(call, claims);
    }
  }

  look(record: CallRecord): void {
    const claims = this.claims.get(record.key);
    const why = misnamed(record);
    if (why !== undefined) {
      this.say("call_misnamed", CASSETTE, `call ${short(record.key)}: ${why}`);
      return;
    }
    const asked = askedIn(record);
    if (claims === undefined) this.strayed(record, asked);
    else for (const claim of claims) this.judge(claim, record, asked);
  }

  private judge(claim: Claim, record: CallRecord, asked: AskedText): void {
    const { entry, slot, closed } = claim;
    const { question } = entry;
    claim.met = true;
    if (question === undefined) return;
    const wrong = this.otherCall(slot.sample, record, question.question, asked, closed);
    if (wrong !== undefined) {
      this.say("other_call", entry.id, `sample ${slot.sample.sample} of ${slot.sample.role}: ${wrong}`);
      return;
    }
    if (closed && entry.evidence.probe !== undefined) this.systems.add(asked.system);
    slot.reply = { finish: record.reply.finish, text: record.reply.text };
    slot.grade = gradeRecorded(record.reply, question);
    if (slot.grade.outcome !== slot.sample.outcome) {
      const is = `${slot.grade.outcome} (${slot.grade.reason})`;
      const said = `${slot.sample.outcome} (${slot.sample.reason})`;
      const which = `sample ${slot.sample.sample} of ${slot.sample.role} in ${entry.instance}`;
      this.say("graded_otherwise", entry.id, `${which} is ${is}; its evidence says ${said}`);
    }
  }

  /** Why a recorded call is not the one that a sample says it is. */
  private otherCall(
    { role, model, sample }: Sample,
    { identity }: CallRecord,
    question: string,
    asked: AskedText,
    closed: boolean,
  ): string | undefined {
    const spec = this.roles[role];
    if (identity.model !== model || (spec !== undefined && spec.model !== "" && spec.model !== model))
      return `the call was to ${identity.model}, not ${model}`;
    if (identity.sample !== sample) return `the call is draw ${identity.sample}`;
    if (closed ? asked.user !== question || asked.messages > 2 : !asked.user.endsWith(question))
      return "the call asks something other than the row's question";
    return undefined;
  }

  private strayed({ key, identity, reply }: CallRecord, { user, system, messages }: AskedText): void {
    if (messages > 2 || identity.response_format !== null || !this.questions.has(user)) return;
    this.strays.push({ key, question: user, system, reply: { finish: reply.finish, text: reply.text } });
  }

  end(): Regraded {
    for (const [call, claims] of this.claims) {
      for (const { entry, met } of claims) {
        if (met || entry.question === undefined) continue;
        this.say(
          "call_missing",
          entry.id,
          `${entry.instance} names call ${short(call)}, which is not recorded`,
        );
      }
    }
    for (const stray of this.strays) {
      // A solve from the question alone asks with a prompt of its own; what the probe asked, its evidence has to name.
      if (!this.systems.has(stray.system)) continue;
      const entry = this.questions.get(stray.question)!;
      const { outcome } = gradeRecorded(stray.reply, entry.question!);
      this.say(
        "draw_not_named",
        entry.id,
        `call ${short(stray.key)} asks its question from memory and is ${outcome}; no evidence names it`,
      );
    }
    return { judged: this.judged, findings: this.findings };
  }
}

interface AskedText {
  readonly system: string;
  /** The last message. */
  readonly user: string;
  readonly messages: number;
}

const message = z.looseObject({ role: z.string(), content: z.string() });

function askedIn({ identity }: CallRecord): AskedText {
  const all = z.array(message).safeParse(identity.messages);
  if (!all.success) return { system: "", user: "", messages: 0 };
  const system = all.data.find(({ role }) => role === "system")?.content ?? "";
  return { system, user: all.data.at(-1)?.content ?? "", messages: all.data.length };
}

function short(call: string): string {
  return call.slice(0, 12);
}
