import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One request of a job, as it was handed in. */
export interface Request {
  readonly custom_id: string;
  readonly body: Record<string, unknown>;
}

/** What a job becomes: lines of its two files, and its last status. */
export interface JobEnd {
  readonly status?: string;
  readonly output?: readonly unknown[];
  readonly errors?: readonly unknown[];
  readonly failure?: { code: string; message: string };
}

export interface Job {
  readonly id: string;
  readonly requests: readonly Request[];
  readonly metadata: unknown;
  polls: number;
}

/** A server of files and batches whose jobs end as a test says, odd ends included. */
export class BatchServer {
  readonly jobs: Job[] = [];
  /** Method and path of each request. */
  readonly paths: string[] = [];
  readonly authorizations = new Set<string | undefined>();
  /** Polls until a job is over. */
  polls = 1;
  /** Answers in place of the server's own: a status, or `hang up` before any answer, which still does what was asked for. */
  odd: (method: string, path: string) => number | "hang up" | undefined = () => undefined;
  end: (job: Job) => JobEnd = (job) => ({ output: job.requests.map((r) => answer(r.custom_id)) });
  readonly #files = new Map<string, string>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer(async (req, res) => {
    const path = (req.url ?? "").replace(/\?.*/, "");
    this.paths.push(`${req.method} ${path}`);
    this.authorizations.add(req.headers.authorization);
    const { status, body } = await this.#answer(req, path);
    const odd = this.odd(req.method ?? "", path);
    if (odd === "hang up") return void req.socket.destroy();
    if (odd !== undefined) {
      res.writeHead(odd, { "content-type": "application/json" });
      return void res.end(JSON.stringify({ error: { message: `made to say ${odd}` } }));
    }
    res.writeHead(status, { "content-type": "application/json" });
    res.end(typeof body === "string" ? body : JSON.stringify(body));
  });

  async start(): Promise<this> {
    this.#server.on("connection", (s) => {
      this.#sockets.add(s);
      s.once("close", () => this.#sockets.delete(s));
    });
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  count(path: string): number {
    return this.paths.filter((p) => p === path).length;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(req: IncomingMessage, path: string): Promise<{ status: number; body: unknown }> {
    const [, , kind, id, what] = path.split("/");
    if (req.method === "POST" && kind === "files")
      return { status: 200, body: { id: await this.#upload(req) } };
    if (req.method === "POST" && kind === "batches")
      return { status: 200, body: this.#view(await this.#create(req)) };
    if (kind === "files" && what === "content") return { status: 200, body: this.#files.get(id!) ?? "" };
    if (kind === "batches" && id === undefined)
      return { status: 200, body: { data: this.jobs.map((j) => this.#view(j)), has_more: false } };
    const job = this.jobs.find((j) => j.id === id);
    if (job === undefined) return { status: 404, body: { error: { message: "no such batch" } } };
    job.polls++;
    return { status: 200, body: this.#view(job) };
  }

  async #upload(req: IncomingMessage): Promise<string> {
    const form = await new Response(new Uint8Array(await bytesOf(req)), {
      headers: { "content-type": req.headers["content-type"]! },
    }).formData();
    if (form.get("purpose") !== "batch") throw new Error("purpose is batch");
    const id = `file-${this.#files.size}`;
    this.#files.set(id, await (form.get("file") as Blob).text());
    return id;
  }

  async #create(req: IncomingMessage): Promise<Job> {
    const { input_file_id, endpoint, metadata } = JSON.parse((await bytesOf(req)).toString("utf8"));
    if (endpoint !== "/v1/chat/completions") throw new Error("another endpoint");
    const lines = this.#files.get(input_file_id)!.trimEnd().split("\n");
    const job = {
      id: `batch_${this.jobs.length}`,
      requests: lines.map((l) => JSON.parse(l)),
      metadata,
      polls: 0,
    };
    this.jobs.push(job);
    return job;
  }

  #view(job: Job): unknown {
    const counts = { total: job.requests.length, completed: 0, failed: 0 };
    const base = { id: job.id, object: "batch", metadata: job.metadata, request_counts: counts };
    if (job.polls < this.polls) return { ...base, status: "in_progress" };
    const { status = "completed", output, errors, failure } = this.end(job);
    return {
      ...base,
      status,
      output_file_id: this.#results(`${job.id}-output`, output),
      error_file_id: this.#results(`${job.id}-errors`, errors),
      errors: failure === undefined ? null : { data: [failure] },
    };
  }

  #results(id: string, lines: readonly unknown[] | undefined): string | null {
    if (lines === undefined) return null;
    this.#files.set(id, lines.map((l) => (typeof l === "string" ? l : JSON.stringify(l))).join("\n"));
    return id;
  }
}

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A good answer to a request, as it stands in an output file. */
export function answer(custom_id: string, content = `about ${custom_id.slice(0, 4)}`): unknown {
  const message = { role: "assistant", content };
  const usage = { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } };
  const body = { model: "m-served", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
  return { custom_id, response: { status_code: 200, body }, error: null };
}
