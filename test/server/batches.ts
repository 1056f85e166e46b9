import type { ServerResponse } from "node:http";
import { z } from "zod";
import { compareText, sha256 } from "../../pipeline/base/canonical.js";
import { json } from "./respond.js";

/** `/v1/files` and `/v1/batches`: a batch walks on by one status with each poll. */

const WALK = ["validating", "in_progress", "finalizing", "completed"] as const;

export interface BatchAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What becomes of a batch, by how many came before: `failed` at validation, or `expired` with the requests that `lost` names undone. */
export type BatchPlan = (nth: number) => "completed" | "failed" | "expired";

/** Answers one line of a batch; undefined if the line expired. */
export type LineAnswer = (body: unknown, expires: boolean) => Promise<BatchAnswer | undefined>;

const line = z.looseObject({
  custom_id: z.string().min(1),
  method: z.literal("POST"),
  url: z.literal("/v1/chat/completions"),
  body: z.unknown(),
});

const order = z.looseObject({
  input_file_id: z.string(),
  endpoint: z.literal("/v1/chat/completions"),
  completion_window: z.literal("24h"),
});

interface Job {
  readonly id: string;
  readonly input: string;
  readonly end: "completed" | "failed" | "expired";
  step: number;
  cancelled: boolean;
  counts: { total: number; completed: number; failed: number };
  output?: string;
  errors?: string;
}

export class Batches {
  readonly #files = new Map<string, string>();
  readonly #jobs: Job[] = [];
  /** Lines of all batches, as they came. */
  lines = 0;

  constructor(
    private readonly plan: BatchPlan,
    private readonly answer: LineAnswer,
  ) {}

  get jobs(): number {
    return this.#jobs.length;
  }

  /** @returns whether the path is one of ours. */
  async handle(
    method: string,
    path: string,
    body: Buffer,
    type: string,
    res: ServerResponse,
  ): Promise<boolean> {
    const parts = path.split("/").slice(2);
    if (parts[0] === "files") await this.#filesRoute(method, parts, body, type, res);
    else if (parts[0] === "batches") await this.#batchesRoute(method, parts, body, res);
    else return false;
    return true;
  }

  async #filesRoute(
    method: string,
    parts: string[],
    body: Buffer,
    type: string,
    res: ServerResponse,
  ): Promise<void> {
    if (method === "POST" && parts.length === 1) {
      const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
      const file = form.get("file");
      if (!(file instanceof Blob) || form.get("purpose") !== "batch")
        return missing(res, 400, "file and purpose=batch");
      const text = await file.text();
      return json(res, 200, this.#store(text));
    }
    const text = this.#files.get(parts[1] ?? "");
    if (text === undefined) return missing(res, 404, "No such File object");
    if (method === "DELETE") {
      this.#files.delete(parts[1]!);
      return json(res, 200, { id: parts[1], object: "file", deleted: true });
    }
    if (parts[2] === "content") {
      res.writeHead(200, { "content-type": "application/octet-stream" });
      res.end(text);
      return;
    }
    return json(res, 200, fileObject(parts[1]!, text));
  }

  async #batchesRoute(method: string, parts: string[], body: Buffer, res: ServerResponse): Promise<void> {
    if (method === "POST" && parts.length === 1) return this.#create(body, res);
    if (method === "GET" && parts.length === 1)
      return json(res, 200, {
        object: "list",
        data: this.#jobs.map((job) => this.#view(job)),
        has_more: false,
      });
    const job = this.#jobs.find(({ id }) => id === parts[1]);
    if (job === undefined) return missing(res, 404, "No such Batch object");
    if (method === "POST" && parts[2] === "cancel") {
      job.cancelled = true;
      return json(res, 200, this.#view(job));
    }
    await this.#advance(job);
    return json(res, 200, this.#view(job));
  }

  #create(body: Buffer, res: ServerResponse): void {
    const parsed = order.safeParse(JSON.parse(body.toString("utf8")));
    const input = parsed.success ? this.#files.get(parsed.data.input_file_id) : undefined;
    if (!parsed.success || input === undefined) {
      missing(res, 400, "no such input file, or another window");
      return;
    }
    const lines = input.split("\n").filter((l) => l.trim() !== "");
    const total = lines.length;
    this.lines += total;
    const nth = this.#jobs.length;
    const ids = new Set(lines.map((l) => (JSON.parse(l) as { custom_id?: unknown }).custom_id));
    const job: Job = {
      id: `batch_${nth}`,
      input,
      // The real endpoint refuses ids that repeat in the same way.
      end: ids.size < total ? "failed" : this.plan(nth),
      step: 0,
      cancelled: false,
      counts: { total, completed: 0, failed: 0 },
    };
    this.#jobs.push(job);
    json(res, 200, this.#view(job));
  }

  async #advance(job: Job): Promise<void> {
    if (job.cancelled || job.step >= WALK.length - 1) return;
    job.step = job.end === "failed" ? WALK.length - 1 : job.step + 1;
    if (job.step === WALK.length - 1 && job.end !== "failed") await this.#work(job);
  }

  /** Answers all lines; they stand in the output in an order of their own. */
  async #work(job: Job): Promise<void> {
    const output: string[] = [];
    const errors: string[] = [];
    for (const [i, text] of job.input.split("\n").entries()) {
      if (text.trim() === "") continue;
      const { custom_id, body } = line.parse(JSON.parse(text));
      const answer = await this.answer(body, job.end === "expired" && i % 2 === 1);
      const head = { id: `batch_req_${job.id}_${i}`, custom_id };
      if (answer === undefined)
        errors.push(
          JSON.stringify({
            ...head,
            response: null,
            error: { code: "batch_expired", message: "not in time" },
          }),
        );
      else {
        const response = { status_code: answer.status, request_id: `r${i}`, body: answer.body };
        (answer.status === 200 ? output : errors).push(JSON.stringify({ ...head, response, error: null }));
      }
    }
    job.counts = { ...job.counts, completed: output.length, failed: errors.length };
    output.sort((a, b) => compareText(sha256(a), sha256(b)));
    if (output.length > 0) job.output = this.#store(`${output.join("\n")}\n`).id;
    if (errors.length > 0) job.errors = this.#store(`${errors.join("\n")}\n`).id;
  }

  #store(text: string): ReturnType<typeof fileObject> {
    const id = `file-${this.#files.size}-${sha256(text).slice(0, 8)}`;
    this.#files.set(id, text);
    return fileObject(id, text);
  }

  #view(job: Job): unknown {
    const over = job.step === WALK.length - 1;
    return {
      id: job.id,
      object: "batch",
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      created_at: 1700000000,
      status: job.cancelled ? "cancelled" : over ? job.end : WALK[job.step],
      errors:
        over && job.end === "failed"
          ? {
              object: "list",
              data: [{ code: "invalid_file", message: "line 1 is no request", line: 1, param: null }],
            }
          : null,
      output_file_id: job.output ?? null,
      error_file_id: job.errors ?? null,
      request_counts: job.counts,
    };
  }
}

function fileObject(id: string, text: string) {
  return {
    id,
    object: "file",
    bytes: Buffer.byteLength(text),
    created_at: 1700000000,
    filename: "batch.jsonl",
    purpose: "batch",
    status: "processed",
  };
}

function missing(res: ServerResponse, status: number, message: string): void {
  json(res, status, { error: { message, type: "invalid_request_error", code: null } });
}
