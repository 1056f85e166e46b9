import { join } from "node:path";
import type { Json } from "../../pipeline/base/canonical.js";
import { type Problem, TaskmillError } from "../../pipeline/base/errors.js";
import type { Pool, RowOf } from "../schema/index.js";
import { writeTable } from "../write.js";
import type { Conversation } from "./conversation.js";
import type { Facts, RlExporter, SftExporter } from "./exporter.js";
import { jsonLine, type Writable } from "./json-text.js";
import { LinesFile } from "./lines.js";
import type { Loss } from "./losses.js";
import type { Prompt } from "./prompt.js";
import { Proof, type Proven } from "./proof/proof.js";

type Row = Readonly<Record<string, Writable | undefined>>;

/** Writes the rows of one split into `file` below `dir`. */
async function writeRows(
  dir: string,
  file: string,
  format: SftExporter["format"],
  rows: AsyncIterable<Row>,
): Promise<void> {
  if (format !== "jsonl") return writeTable(dir, file, format, rows as AsyncIterable<RowOf<Pool>>);
  const lines = new LinesFile(join(dir, file));
  try {
    for await (const row of rows) lines.add(jsonLine(row));
  } finally {
    lines.close();
  }
}

export interface LossCount {
  readonly name: string;
  readonly how: string;
  readonly rows: number;
  readonly accepted: boolean;
}

export interface SftOptions {
  /** Losses that the user accepts. */
  readonly accept: ReadonlySet<string>;
  /** Families to prove with, in place of the exporter's. */
  readonly templates?: readonly string[];
  readonly signal: AbortSignal;
}

/** Writes conversations: counts what the target has no place for, and renders every row as its reader will. */
export class SftWriter {
  readonly #proof: Proof;
  readonly #counts = new Map<Loss, number>();
  #first: string | undefined;

  /** @throws TaskmillError (usage) for unknown templates */
  constructor(
    private readonly exporter: SftExporter,
    private readonly options: SftOptions,
  ) {
    const names = options.templates ?? exporter.templates;
    this.#proof = new Proof(names, exporter.mask, options.templates !== undefined);
    for (const loss of exporter.losses) this.#counts.set(loss, 0);
  }

  async write(dir: string, file: string, rows: AsyncIterable<Conversation>): Promise<void> {
    await writeRows(dir, file, this.exporter.format, this.#rows(rows));
  }

  async *#rows(rows: AsyncIterable<Conversation>): AsyncGenerator<Row> {
    for await (const conversation of rows) {
      this.options.signal.throwIfAborted();
      const lost = this.exporter.losses.filter((loss) => loss.touches(conversation));
      for (const loss of lost) this.#count(loss, conversation);
      const granted = new Set(lost.map(({ name }) => name).filter((name) => this.options.accept.has(name)));
      const row = this.exporter.row(conversation);
      // Read back from its text: what is proven is what is written.
      const view = this.exporter.view(JSON.parse(jsonLine(row)) as Record<string, Json>);
      this.#proof.check(conversation, view, granted);
      yield row;
    }
  }

  #count(loss: Loss, { where }: Conversation): void {
    this.#counts.set(loss, this.#counts.get(loss)! + 1);
    if (loss.consent && !this.options.accept.has(loss.name)) this.#first ??= where;
  }

  /** After the last row. @throws TaskmillError (verification) for losses that nobody accepted, and rows that fail a check */
  close(): { losses: LossCount[]; proven: Proven[] } {
    const { exporter, options } = this;
    const lost = [...this.#counts].filter(([, rows]) => rows > 0);
    const refused = lost.filter(([loss]) => loss.consent && !options.accept.has(loss.name));
    const problems: Problem[] = refused.map(([loss, rows]) => ({
      code: "loss",
      message: `${exporter.name} has no place for ${loss.name}, which ${rows} rows have (first: ${this.#first}): ${loss.how}`,
      hint: `--accept-loss ${loss.name} exports all the same, and says so in the export`,
    }));
    const all = [...problems, ...this.#proof.problems()];
    if (all.length > 0) throw new TaskmillError("verification", all);
    return {
      losses: lost.map(([{ name, how, consent }, rows]) => ({ name, how, rows, accepted: consent })),
      proven: this.#proof.proven(),
    };
  }
}

/** Writes prompts of one split. */
export async function writePrompts(
  exporter: RlExporter,
  facts: Facts,
  dir: string,
  file: string,
  prompts: AsyncIterable<Prompt>,
  signal: AbortSignal,
): Promise<void> {
  async function* rows(): AsyncGenerator<Row> {
    for await (const prompt of prompts) {
      signal.throwIfAborted();
      yield exporter.row(prompt, facts);
    }
  }
  await writeRows(dir, file, exporter.format, rows());
}
