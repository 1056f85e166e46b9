import { groundTruthOf, type Rewarded } from "../../datasets/ground-truth.js";
import type { Row } from "../../stages/stage.js";
import type { GroundTruth } from "../../verifiers/reward/reward.js";
import { groundTruthSchema } from "../../verifiers/reward/schema.js";
import { canonicalJson } from "../base/canonical.js";
import { Cache } from "./cache.js";
import { isTooDeep } from "./depth.js";
import { Fault } from "./fault.js";
import { issueText } from "./issue.js";

/** Characters of ground truths that are kept parsed: a trainer asks for the same ones once for each sample of a group. */
const KEPT = 16_000_000;
/** A short one takes memory of its own. */
const LEAST = 1000;

/** Tasks of a dataset by id, their ground truths as text: parsed, those of a large dataset would take several times the memory. */
type Tasks = ReadonlyMap<string, string>;

/** Ground truths, parsed once: the reward keeps what it makes of one as long as it meets the same object. */
export class Truths {
  readonly #parsed = new Cache<GroundTruth>(KEPT);
  #tasks: Promise<Tasks> | undefined;

  /** @param rows of the dataset that is served, read when first asked for a task; undefined where there is none */
  constructor(private readonly rows: (() => AsyncIterable<Row>) | undefined) {}

  /** @throws Fault for what is no ground truth */
  given(truth: unknown): GroundTruth {
    const text = typeof truth === "string" ? truth : canonicalJson(truth);
    return this.#parsed.get(text) ?? this.#parse(text);
  }

  /** @throws Fault for a task that is not in the dataset */
  async ofTask(id: string): Promise<GroundTruth> {
    const text = (await this.#all()).get(id);
    if (text === undefined)
      throw new Fault(404, "unknown_task", "task_id: no task of the dataset has this id");
    return this.given(text);
  }

  #parse(text: string): GroundTruth {
    const value = jsonOf(text);
    if (isTooDeep(value)) throw new Fault(400, "bad_ground_truth", "ground_truth: it is nested too deeply");
    const { data, error } = groundTruthSchema.safeParse(value);
    if (data === undefined) throw new Fault(400, "bad_ground_truth", `ground_truth: ${issueText(error!)}`);
    this.#parsed.set(text, data, Math.max(LEAST, text.length));
    return data;
  }

  #all(): Promise<Tasks> {
    const { rows } = this;
    if (rows === undefined)
      throw new Fault(
        400,
        "no_dataset",
        "task_id: a config is served, which has no tasks yet: send `ground_truth`",
      );
    if (this.#tasks === undefined) {
      const reading = read(rows());
      // What failed once may have been a run that was just then moving its files into place.
      reading.catch(() => {
        this.#tasks = undefined;
      });
      this.#tasks = reading;
    }
    return this.#tasks;
  }
}

async function read(rows: AsyncIterable<Row>): Promise<Tasks> {
  const tasks = new Map<string, string>();
  for await (const row of rows) tasks.set(row.id, canonicalJson(groundTruthOf(row as unknown as Rewarded)));
  return tasks;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault(400, "bad_ground_truth", "ground_truth: it is not JSON");
  }
}
