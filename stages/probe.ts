import { z } from "zod";
import type { Gate } from "../datasets/admission.js";
import type { Problem } from "../pipeline/base/errors.js";
import { expectedSchema } from "../verifiers/answer/schema.js";
import { blindGuess } from "../verifiers/chance.js";
import { dropRule, dropText, gradedOf, knownBy, rightsNeeded } from "../verifiers/drop-rule.js";
import type { ProbeEvidence, SampleEvidence } from "./evidence.js";
import { promptText } from "./prompts.js";
import { type Asked, askedOf, gradable, type QuestionRow, questionRow } from "./question.js";
import { draw, inOrder } from "./screen/ask.js";
import { FAMOUS_FACTS } from "./screen/facts.js";
import { type Guess, guessedBy, naiveGuesses } from "./screen/guesses.js";
import { rolesCalls } from "./screen/plan.js";
import { closedBook, powerOf } from "./screen/power.js";
import { subjectOf } from "./screen/subject.js";
import { evidenceJson, withGate } from "./screen/verdict.js";
import { defineStage, type Outcome, type StageContext } from "./stage.js";

const plantedFact = z.strictObject({ question: z.string().min(1), expected: expectedSchema });

const params = z.strictObject({
  /** Models to ask, without tools. A row passes when each of them has been asked in full. */
  roles: z.array(z.string().min(1)).min(1),
  /** Samples of each role. */
  k: z.number().int().min(1).max(200).default(4),
  /** How many of one role's samples must be right for the row to go. */
  drop: dropRule.default("any"),
  /** Ask no further once the row is known by heart. Samples are taken one by one then, in their order. */
  early_stop: z.boolean().default(true),
  /** Further samples of a role, at most, in place of those that hold no answer or none that can be judged. */
  spare: z.number().int().min(0).max(200).default(0),
  /** Well-known facts asked beforehand: `true` for the bundled ones, or some of one's own. A role that fails them has no power. */
  plant: z.union([z.boolean(), z.array(plantedFact).min(5)]).default(true),
  /** Share of the planted facts that a role has to know. */
  min_power: z.number().gt(0).max(1).default(0.6),
  /** In place of the bundled system prompt. */
  prompt: z.string().min(1).optional(),
});
type Params = z.infer<typeof params>;
type Context = StageContext<Params>;

/** Drops what a model answers from memory: nothing is learnt from looking up what is known. */
export const probe = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "probe",
  version: 1,
  summary: "asks models without tools, several times, and drops what they know by heart",
  mode: "row",
  params,
  takes: "question",
  gives: "same",
  gate: "closed_book",
  input: questionRow,
  output: questionRow,
  reasons: { known_by_heart: "a model without tools gave the right answer" },
  roles: (p) => p.roles,
  calls: (p) => rolesCalls(p.roles, p.k + p.spare).map((call) => ({ ...call, once: factsOf(p).length })),
  check: checkParams,
  async run(row, context): Promise<Outcome<QuestionRow>> {
    const asked = askedOf(row);
    const guesses = asked.kind === "table" ? naiveGuesses(asked.row, context.catalog) : [];
    const { parts, power } = await readiness(context);
    const samples = await new Sampling(asked, guesses, context).all(parts);
    const { k, drop } = context.params;
    const known = knownBy(samples, drop, k);
    const evidence = {
      k,
      drop: dropText(drop),
      samples,
      parts: parts.map((part) => afterwards(part, samples, k, known !== undefined)),
      ...(power.length === 0 ? {} : { power }),
      ...(guesses.length === 0 ? {} : { guesses }),
      ...blindOf(asked, context),
    };
    if (known === undefined) return { out: { ...withGate(row, gateOf(evidence, drop)), probe: evidence } };
    const shown = evidenceJson({ by: known, ...subjectOf(asked, context.catalog), probe: evidence });
    return { reject: { reason: "known_by_heart", evidence: shown } };
  },
});

/** The gate of a row that no role knows: passed if each role has been asked in full, else what is missing. */
function gateOf({ k, parts }: { k: number; parts: readonly Part[] }, drop: Params["drop"]): Gate {
  const missing = parts.filter(({ ran }) => !ran);
  if (missing.length > 0) {
    const why = missing.map((p) => `${p.role}: ${p.why}`).join("; ");
    return { gate: "closed_book", status: "not_run", why };
  }
  const asked = parts.map((p) => `${p.role} (${p.model})`).join(", ");
  return {
    gate: "closed_book",
    status: "passed",
    why: `${rightsText(drop, k)} of ${k} samples right: ${asked}`,
  };
}

function rightsText(drop: Params["drop"], k: number): string {
  const needed = rightsNeeded(drop, k);
  return needed === 1 ? "none" : `fewer than ${needed}`;
}

function blindOf(asked: Asked, { catalog }: Context): { blind?: number } {
  const blind = blindGuess(gradable(asked, catalog).expected);
  return blind === 0 ? {} : { blind };
}

type Part = NonNullable<ProbeEvidence["parts"]>[number];

function factsOf({ plant }: Params) {
  return plant === true ? FAMOUS_FACTS : plant === false ? [] : plant;
}

/** Which roles can be asked: those that have an endpoint and know famous facts. */
async function readiness({ params, models }: Context): Promise<{
  parts: Part[];
  power: NonNullable<ProbeEvidence["power"]>;
}> {
  const facts = factsOf(params);
  const system = systemOf(params);
  const power: NonNullable<ProbeEvidence["power"]> = [];
  const parts: Part[] = [];
  for (const role of params.roles) {
    const model = models.identity(role)?.model ?? null;
    if (model === null) {
      parts.push({ role, model, ran: false, why: "no model is configured" });
      continue;
    }
    if (facts.length > 0) {
      const { right, asked } = await powerOf(models, role, system, facts);
      power.push({ role, right, asked });
      if (right < params.min_power * asked) {
        parts.push({ role, model, ran: false, why: `no power: knew ${right} of ${asked} famous facts` });
        continue;
      }
    }
    parts.push({ role, model, ran: true, why: "" });
  }
  return { parts, power };
}

/** A part counts as run when it has as many graded samples as were asked for. */
function afterwards(part: Part, samples: readonly SampleEvidence[], k: number, known: boolean): Part {
  if (!part.ran) return part;
  const graded = gradedOf(samples, part.role);
  if (graded >= k) return { ...part, why: `${graded} samples` };
  if (known) return { ...part, why: `${graded} samples, then the row was known by heart` };
  return {
    ...part,
    ran: false,
    why: `only ${graded} of ${k} samples could be graded${lost(part.role, samples)}`,
  };
}

/** " (2 truncated, 1 unreadable)". */
function lost(role: string, samples: readonly SampleEvidence[]): string {
  const counts = new Map<string, number>();
  for (const s of samples) {
    if (s.role !== role || s.outcome === "right" || s.outcome === "wrong") continue;
    counts.set(s.reason, (counts.get(s.reason) ?? 0) + 1);
  }
  return counts.size === 0 ? "" : ` (${[...counts].map(([what, n]) => `${n} ${what}`).join(", ")})`;
}

/** Takes the samples of one row, role by role. */
class Sampling {
  private readonly messages;
  private readonly graded;

  constructor(
    private readonly asked: Asked,
    private readonly guesses: readonly Guess[],
    private readonly context: Context,
  ) {
    this.messages = closedBook(systemOf(context.params), asked.row.question);
    this.graded = gradable(asked, context.catalog);
  }

  /** The samples of all roles that can be asked, in the config's order. */
  async all(parts: readonly Part[]): Promise<SampleEvidence[]> {
    const samples: SampleEvidence[] = [];
    for (const { role, ran } of parts) {
      if (!ran) continue;
      samples.push(...(await this.of(role)));
      if (this.context.params.early_stop && this.known(samples)) break;
    }
    return samples;
  }

  private known(samples: readonly SampleEvidence[]): boolean {
    const { drop, k } = this.context.params;
    return knownBy(samples, drop, k) !== undefined;
  }

  /** The k samples of a role, then spares until k are graded: which ones depends on outcomes in their order, never on time. */
  private async of(role: string): Promise<SampleEvidence[]> {
    const { k, spare, early_stop } = this.context.params;
    const samples: SampleEvidence[] = [];
    if (!early_stop)
      samples.push(...(await inOrder(Array.from({ length: k }, (_, i) => this.take(role, i)))));
    while (samples.length < k + spare) {
      if (samples.length >= k && gradedOf(samples, role) >= k) break;
      if (early_stop && this.known(samples)) break;
      samples.push(await this.take(role, samples.length));
    }
    return samples;
  }

  private async take(role: string, sample: number): Promise<SampleEvidence> {
    const { models } = this.context;
    const { question, id } = this.asked.row;
    const asking = { role, row: id, question, messages: this.messages, graded: this.graded };
    const { evidence } = await draw(models, asking, sample);
    const judged = evidence.outcome === "right" || evidence.outcome === "wrong";
    if (this.asked.kind === "problem" || evidence.answer === null || !judged) return evidence;
    const chance = guessedBy(this.asked.row, this.guesses, evidence.answer, this.graded.language);
    return chance.length === 0 ? evidence : { ...evidence, chance };
  }
}

function systemOf({ prompt }: Params): string {
  return prompt ?? promptText("probe");
}

function checkParams({ roles, k, drop }: Params): Problem[] {
  const problems: Problem[] = [];
  if (rightsNeeded(drop, k) > k) {
    problems.push({
      code: "impossible_drop",
      message: `no row has ${rightsNeeded(drop, k)} right samples of ${k}`,
      hint: "raise `k` or lower `drop.at_least`",
      path: ["drop", "at_least"],
    });
  }
  const twice = roles.findIndex((role, i) => roles.indexOf(role) !== i);
  if (twice >= 0) {
    problems.push({
      code: "repeated_role",
      message: `the role \`${roles[twice]}\` is named twice`,
      hint: "raise `k` for more samples of one role",
      path: ["roles", twice],
    });
  }
  return problems;
}
