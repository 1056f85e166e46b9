import { z } from "zod";
import type { Json } from "../pipeline/base/canonical.js";
import { type BenchmarkText, benchmarkTexts, endingOf } from "./contamination/benchmark.js";
import { Phrases } from "./contamination/boilerplate.js";
import { NearDuplicates } from "./contamination/near-duplicates.js";
import { ownPhrases } from "./contamination/own-phrases.js";
import { Pool } from "./contamination/pool.js";
import { CLOSE, type Match, Screen } from "./contamination/screen.js";
import type { ContaminationEvidence } from "./evidence.js";
import { type QuestionRow, questionRow } from "./question.js";
import { withGate } from "./screen/verdict.js";
import { defineStage, type RejectedItem, type StageContext, type StageFile } from "./stage.js";

const share = z.number().min(0).max(1);

const against = z.strictObject({
  /** Relative to the config: .parquet, .jsonl, .ndjson, .csv or .tsv, packed or not. */
  file: z
    .string()
    .min(1)
    .refine(
      (f) => endingOf(f) !== undefined,
      "a file whose name ends in .parquet, .jsonl, .ndjson, .csv or .tsv",
    ),
  /** Columns or JSON paths that hold the text, read as one text. */
  columns: z.array(z.string().min(1)).min(1).max(16).default(["question"]),
});

const params = z.strictObject({
  against: z.array(against).max(64).default([]),
  /** Texts of fewer than 13 words: the share of a question's runs of 3 words that make a text a copy of it. */
  containment: share.default(0.75),
  /** The Jaccard index of runs of 3 words from which a text is a reworded copy. */
  jaccard: z.number().min(CLOSE).max(1).default(0.4),
  /** The largest share of a question's meaningful words that a reworded copy may lack. */
  missing_words: share.default(0.25),
  /**
   * A text that shares a run of 13 words but less than this share of a question's numbers, or of its names, is another question of
   * one template, and no copy. 0: any shared run is one.
   */
  shared_specifics: share.default(0.6),
  /** Phrases that never count as overlap. */
  boilerplate: z.array(z.string().min(1)).max(1000).default([]),
  /** A run of 13 words is boilerplate once so many earlier rows hold it. */
  common_in_pool: z.number().int().min(1).default(20),
  /** A run of 13 words is boilerplate if so many different texts of the files hold it. */
  common_in_files: z.number().int().min(2).default(10),
  /** The Jaccard index from which two wordings within the pool are nearly the same; 1 keeps all but equal ones. */
  near_duplicate: share.default(0.85),
});
type Params = z.infer<typeof params>;
type Context = StageContext<Params>;

const GATE = "contamination";
const SHOWN = 1000;

/** Keeps what no named benchmark holds, and the first of what is nearly the same within the pool. */
export const decontaminate = defineStage<Params, QuestionRow, QuestionRow>({
  kind: "decontaminate",
  version: 1,
  summary: "rejects questions that overlap with texts of named files, and near-duplicates within the pool",
  mode: "set",
  params,
  takes: "question",
  gives: "same",
  gate: GATE,
  leaves: "contamination",
  input: questionRow,
  output: questionRow,
  files: (p) => [...new Set(p.against.map((a) => a.file))],
  reasons: {
    exact_match: "a text of a named file has the same words",
    shared_ngram: "a text of a named file shares a run of 13 words that is no boilerplate",
    contained: "a text of a named file holds nearly all of it",
    similar: "a text of a named file is a reworded copy",
    near_duplicate: "hardly a word, and no number or name, differs from a question that came before",
    near_duplicate_program:
      "a task that came before asks the same of the same entity, chosen from the same candidates",
  },
  async run(rows, context) {
    const files = atHand(context);
    // Without the files the decision cannot be taken again: what the rows say of it stands.
    if (files === undefined) return { out: rows, rejected: [] };
    return new Decontamination(rows, context, files).run();
  },
});

interface Named {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly columns: readonly string[];
}

/** The files in the order of the config, or undefined if one is not on this machine. */
function atHand({ params, files }: Context): Named[] | undefined {
  const named = params.against.map(({ file, columns }) => ({ name: file, columns, at: files.get(file) }));
  const present = named.filter(
    (n): n is typeof n & { at: StageFile & { path: string } } => n.at?.path !== undefined,
  );
  if (present.length < named.length) return undefined;
  return present.map(({ name, columns, at }) => ({ name, columns, path: at.path, sha256: at.sha256 }));
}

class Decontamination {
  private readonly texts: number[];
  private readonly pool: Pool;
  private readonly phrases: Phrases;
  private readonly screen: Screen;

  constructor(
    private readonly rows: readonly QuestionRow[],
    private readonly context: Context,
    private readonly files: readonly Named[],
  ) {
    const { params } = context;
    this.texts = files.map(() => 0);
    this.phrases = new Phrases([...params.boilerplate, ...ownPhrases(context.catalog)]);
    this.pool = new Pool(
      rows.map((r) => r.question),
      this.phrases,
      params.common_in_pool,
      params.containment,
    );
    this.screen = new Screen(this.pool, this.phrases, params);
  }

  async run(): Promise<{ out: QuestionRow[]; rejected: RejectedItem[] }> {
    const seen = this.files.map(() => new Set<number>());
    await this.each((text, i) => {
      this.texts[i]!++;
      if (this.screen.count(text)) seen[i]!.add(text.record);
    });
    const worth = (i: number) => seen[i]!.size > 0;
    await this.each((text, i) => {
      if (seen[i]!.has(text.record)) this.screen.look(this.files[i]!.name, text);
    }, worth);
    const near = new NearDuplicates(this.context.params.near_duplicate);
    const out: QuestionRow[] = [];
    const rejected: RejectedItem[] = [];
    this.rows.forEach((row, i) => {
      const rejection = this.contaminated(row, i) ?? this.doubled(row, i, near);
      if (rejection !== undefined) rejected.push(rejection);
      else {
        near.add(row, this.pool.rows[i]!);
        out.push(this.passed(row, i));
      }
    });
    return { out, rejected };
  }

  /** All texts of all files that are worth it, one at a time. */
  private async each(
    visit: (text: BenchmarkText, file: number) => void,
    worth: (file: number) => boolean = () => true,
  ): Promise<void> {
    for (const [i, { name, path, columns }] of this.files.entries()) {
      if (!worth(i)) continue;
      for await (const text of benchmarkTexts(name, path, columns)) {
        if (text.record % 1024 === 0) this.context.signal?.throwIfAborted();
        visit(text, i);
      }
    }
  }

  private contaminated(row: QuestionRow, i: number): RejectedItem | undefined {
    const match = this.screen.matches.get(i);
    if (match?.reason === undefined) return undefined;
    const { reason, file, record, jaccard, containment, text, overlap } = match;
    return {
      ref: row.id,
      reason,
      evidence: {
        question: row.question.slice(0, SHOWN),
        file,
        record,
        text,
        jaccard,
        containment,
        ...(overlap === undefined ? {} : { overlap }),
        contamination: this.evidence(match) as unknown as Json,
      },
    };
  }

  private doubled(row: QuestionRow, i: number, near: NearDuplicates): RejectedItem | undefined {
    const double = near.of(row, this.pool.rows[i]!);
    if (double === undefined) return undefined;
    const { reason, first, jaccard } = double;
    const evidence = {
      question: row.question.slice(0, SHOWN),
      first,
      jaccard: Math.round(jaccard * 1e4) / 1e4,
      contamination: this.evidence(this.screen.matches.get(i)) as unknown as Json,
    };
    return { ref: row.id, reason, evidence };
  }

  private passed(row: QuestionRow, i: number): QuestionRow {
    const none = this.files.length === 0;
    const texts = this.texts.reduce((a, b) => a + b, 0);
    const files = `${this.files.length} ${this.files.length === 1 ? "file" : "files"}`;
    const out = withGate(row, {
      gate: GATE,
      status: none ? "not_run" : "passed",
      why: none ? "no files to compare with are named" : `no copy among ${texts} texts of ${files}`,
    });
    return { ...out, contamination: this.evidence(this.screen.matches.get(i)) };
  }

  private evidence(closest: Match | undefined): ContaminationEvidence {
    return {
      files: this.files.map(({ name, sha256 }, i) => ({ name, sha256, texts: this.texts[i]! })),
      closest: closest
        ? {
            name: closest.file,
            record: closest.record,
            jaccard: closest.jaccard,
            containment: closest.containment,
            text: closest.text,
          }
        : null,
    };
  }
}
