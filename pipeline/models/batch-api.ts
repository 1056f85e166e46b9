import OpenAI, { toFile } from "openai";
import type { Batch } from "openai/resources/batches";
import type { Role } from "./role.js";

/** How a job stands. `over`: nothing more will come of it. */
export interface JobState {
  readonly status: Batch["status"];
  readonly over: boolean;
  readonly done: number;
  readonly total: number;
  /** Files of results, those of requests with errors last. */
  readonly files: readonly string[];
  /** Of a job that failed as a whole: the endpoint's code and words. */
  readonly code: string;
  readonly message: string;
}

const OVER: readonly Batch["status"][] = ["completed", "failed", "expired", "cancelled"];
/** The member of a job's metadata that holds its mark. */
const MARK = "taskmill";
/** How many of the endpoint's latest jobs are looked through for one whose answer a crash swallowed. */
const LOOKED_THROUGH = 1000;

/** The files and batches of an OpenAI-compatible endpoint. Errors are those of the SDK; nothing is tried twice here. */
export class BatchApi {
  readonly #client: OpenAI;

  constructor({ spec, key }: Pick<Role, "spec" | "key">) {
    this.#client = new OpenAI({
      baseURL: spec.base_url,
      // Nothing is read from the environment: the config says what is used.
      apiKey: key ?? "none",
      organization: null,
      project: null,
      defaultHeaders: key === undefined ? { Authorization: null } : {},
      maxRetries: 0,
      timeout: spec.limits.timeout * 1000,
      logLevel: "off",
    });
  }

  /** Uploads requests, one a line. @returns the file's id */
  async upload(lines: readonly string[], signal: AbortSignal): Promise<string> {
    const file = await toFile(Buffer.from(`${lines.join("\n")}\n`), "batch.jsonl", {
      type: "application/jsonl",
    });
    return (await this.#client.files.create({ file, purpose: "batch" }, { signal: own(signal) })).id;
  }

  /** Makes a job of an uploaded file. @returns its id */
  async create(file: string, mark: string): Promise<string> {
    const job = await this.#client.batches.create({
      input_file_id: file,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { [MARK]: mark },
    });
    return job.id;
  }

  /** The job with this mark, if the endpoint has it. */
  async find(mark: string, signal: AbortSignal): Promise<string | undefined> {
    let seen = 0;
    for await (const job of this.#client.batches.list({ limit: 100 }, { signal: own(signal) })) {
      if (job.metadata?.[MARK] === mark) return job.id;
      if (++seen >= LOOKED_THROUGH) return undefined;
    }
    return undefined;
  }

  async state(id: string, signal: AbortSignal): Promise<JobState> {
    const job = await this.#client.batches.retrieve(id, { signal: own(signal) });
    const first = job.errors?.data?.[0];
    return {
      status: job.status,
      over: OVER.includes(job.status),
      done: (job.request_counts?.completed ?? 0) + (job.request_counts?.failed ?? 0),
      total: job.request_counts?.total ?? 0,
      files: [job.output_file_id, job.error_file_id].filter((file) => typeof file === "string"),
      code: first?.code ?? "",
      message: first?.message ?? "",
    };
  }

  /** Lines of a file of results. They are taken off the network one by one: there may be hundreds of megabytes of them. */
  async *lines(file: string, signal: AbortSignal): AsyncGenerator<string> {
    const { body } = await this.#client.files.content(file, { signal: own(signal) });
    if (body === null) return;
    let rest = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      // By newlines alone: a line of JSON may hold other separators (U+2028), at which readline would cut it.
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
    if (rest !== "") yield rest;
  }
}

/** The SDK leaves its listener on the signal of each request, and the run's signal would gather thousands of them. */
function own(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal]);
}
