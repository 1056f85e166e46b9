import type OpenAI from "openai";
import { toFile } from "openai";
import { z } from "zod";
import { LONGEST, linesIn, openEndpoint, refusing, tooLong } from "./endpoint.js";
import type { Role } from "./role.js";
import { ProviderError } from "./transport.js";

/** How a job stands. `over`: nothing more will come of it. */
export interface JobState {
  readonly status: string;
  readonly over: boolean;
  readonly done: number;
  readonly total: number;
  /** Files of results, those of requests with errors last. */
  readonly files: readonly string[];
  /** Of a job that failed as a whole: the endpoint's code and words. */
  readonly code: string;
  readonly message: string;
}

const OVER: readonly string[] = ["completed", "failed", "expired", "cancelled"];
/** The member of a job's metadata that holds its mark. */
const MARK = "taskmill";
/** How many of the endpoint's latest jobs are looked through for one whose answer a crash swallowed. */
const LOOKED_THROUGH = 1000;
/** Of what an endpoint says of a job so much is kept. */
const LONGEST_WORDS = 600;

/** The SDK's types are a promise that nobody checks. */
const named = z.looseObject({ id: z.string().min(1).max(1000) });
const words = z
  .unknown()
  .transform((value) => (typeof value === "string" ? value.slice(0, LONGEST_WORDS) : ""));
const count = z.number().nonnegative().catch(0);
const jobState = z.looseObject({
  status: z.string().max(40),
  errors: z
    .looseObject({ data: z.array(z.looseObject({ code: words, message: words })).nullish() })
    .nullish(),
  request_counts: z.looseObject({ completed: count, failed: count, total: count }).nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
});

/** The files and batches of an OpenAI-compatible endpoint. Errors are those of the SDK; nothing is tried twice here. */
export class BatchApi {
  readonly #client: OpenAI;

  constructor(role: Pick<Role, "spec" | "key">) {
    this.#client = openEndpoint(role, role.spec.limits.timeout * 1000, bounded);
  }

  /** Uploads requests, one a line. @returns the file's id */
  async upload(lines: readonly string[], signal: AbortSignal): Promise<string> {
    const file = await toFile(Buffer.from(`${lines.join("\n")}\n`), "batch.jsonl", {
      type: "application/jsonl",
    });
    return read(named, await this.#client.files.create({ file, purpose: "batch" }, { signal: own(signal) }))
      .id;
  }

  /** Makes a job of an uploaded file. @returns its id */
  async create(file: string, mark: string): Promise<string> {
    const job = await this.#client.batches.create({
      input_file_id: file,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { [MARK]: mark },
    });
    return read(named, job).id;
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
    const job = read(jobState, await this.#client.batches.retrieve(id, { signal: own(signal) }));
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
    yield* linesIn(await this.#client.files.content(file, { signal: own(signal) }));
  }
}

/** Path of a file of results, which may be of any length: its reader bounds each of its lines. */
const RESULTS = /\/files\/[^/?]+\/content$/;

/** The SDK's own reading of bodies has no bound. */
const bounded: typeof fetch = async (url, init) => {
  const response = await refusing(url, init);
  if (response.body === null || RESULTS.test(String(url))) return response;
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      length += piece.length;
      if (length <= LONGEST) out.enqueue(piece);
      else out.error(tooLong());
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
};

/** @throws ProviderError `malformed` for what is not said as the API says it */
function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const where = path.join(".") || "the answer";
  throw new ProviderError("malformed", `what it says of a batch is not whole: ${where}: ${message}`, 200);
}

/** The SDK leaves its listener on the signal of each request, and the run's signal would gather thousands of them. */
function own(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal]);
}
