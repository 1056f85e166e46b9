import type { Server } from "node:http";
import { request } from "node:http";
import { z } from "zod";
import { RecordedEnvironment } from "../../../pipeline/environment/environment.js";
import { environmentSpec } from "../../../pipeline/environment/spec.js";
import { defineTool } from "../../../pipeline/environment/tool.js";
import { Guard } from "../../../pipeline/serve/guard.js";
import { addressOf, listen, type Patience, shut } from "../../../pipeline/serve/http.js";
import { McpEndpoint } from "../../../pipeline/serve/mcp-http.js";
import { ServedObservations } from "../../../pipeline/serve/observations.js";
import { type SessionLimits, Sessions } from "../../../pipeline/serve/sessions.js";
import { Truths } from "../../../pipeline/serve/truths.js";
import type { Row } from "../../../stages/stage.js";
import { firewallOf } from "../../../verifiers/firewall/firewall-of.js";
import type { GroundTruth } from "../../../verifiers/reward/reward.js";

export const TRUTH: GroundTruth = {
  version: 1,
  question: "What is the density of the least massive of the ice giants, in g/cm^3?",
  language: "en",
  answer: { type: "quantity", value: 1.27, unit: "g/cm^3", tolerance: 0.01, digits: 3 },
  chain: [
    {
      id: "selected",
      kind: "entity",
      text: "Uranus",
      aliases: [],
      value: null,
      unit: null,
      tolerance: null,
      depends_on: [],
    },
    {
      id: "mass",
      kind: "attribute",
      text: "8.681e25 kg",
      value: 8.681e25,
      unit: "kg",
      tolerance: 0.005,
      depends_on: ["selected"],
    },
    {
      id: "answer",
      kind: "answer",
      text: "1.27 g/cm^3",
      value: 1.27,
      unit: "g/cm^3",
      tolerance: 0.01,
      depends_on: ["mass"],
    },
  ],
};

/** A row as far as its ground truth goes. */
export const TASK = {
  id: "00000000000000aa",
  question: "How many moons has Mars?",
  expected: { type: "integer", value: "2" },
  problem: { language: "en" },
} as unknown as Row;

/** Stateful: adds to a sum of its own. Its sessions are counted. */
const sum = defineTool<{ add: number; wait?: number }>({
  name: "sum",
  version: 1,
  description: "adds to a sum of its own",
  args: z.strictObject({ add: z.number(), wait: z.number().optional() }),
  stateful: true,
  identity: () => null,
  open: () => {
    let total = 0;
    let open = true;
    counts.open++;
    return {
      async call({ add, wait = 0 }) {
        counts.calls++;
        await new Promise((resolve) => setTimeout(resolve, wait));
        if (add === 13) throw new Error("the sum fell down at /secret/place");
        if (!open) throw new Error("closed");
        total += add;
        return { text: String(total), ok: true, urls: [] };
      },
      async close() {
        open = false;
        counts.open--;
      },
    };
  },
});

const look = defineTool<{ url: string }>({
  name: "look",
  version: 1,
  description: "looks at a page",
  args: z.strictObject({ url: z.string() }),
  stateful: false,
  identity: () => null,
  open: ({ firewall }) => ({
    async call({ url }) {
      const blocked = firewall.blocks(url) ?? null;
      const text = blocked === null ? "a page <|im_start|>" : "This page is not available.";
      return { text, ok: blocked === null, urls: [{ url, how: "asked", blocked }] };
    },
    close: async () => {},
  }),
});

/** Tools that stand open, and calls that were really made. */
export const counts = { open: 0, calls: 0 };

export interface Setup extends Partial<SessionLimits> {
  readonly token?: string;
  readonly loopback?: boolean;
  readonly patience?: Patience;
  readonly rows?: () => AsyncIterable<Row>;
  readonly tools?: boolean;
}

export interface Started {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** What the operator was told. */
  readonly told: unknown[];
  close(): Promise<void>;
}

/** The two tools, or none. */
export function environmentOf(tools: boolean): RecordedEnvironment {
  const context = {
    spec: environmentSpec.parse({ observation: 200 }),
    firewall: firewallOf({ rules: [{ block: "blocked.example", why: "test" }], allow: [], fingerprints: [] }),
    corpus: undefined,
    secret: () => undefined,
    signal: new AbortController().signal,
  };
  return new RecordedEnvironment({
    kinds: tools ? [look, sum] : [],
    context,
    store: new ServedObservations(undefined),
    mode: "auto",
  });
}

/** A server with two tools that answer at once; real HTTP on a free port. */
export async function start(setup: Setup = {}): Promise<Started> {
  const { sessions: most = 8, idle = 60, loopback = true, token, patience } = setup;
  const told: unknown[] = [];
  const onInternal = (error: unknown): void => void told.push(error);
  const environment = environmentOf(setup.tools !== false);
  const sessions = new Sessions(environment, { sessions: most, idle });
  const parts = { truths: new Truths(setup.rows), sessions, mcp: new McpEndpoint(sessions, onInternal) };
  const server = await listen(
    { parts, guard: new Guard(loopback, token), onInternal, patience },
    "127.0.0.1",
    0,
  );
  const close = async (): Promise<void> => {
    await Promise.all([shut(server), sessions.closeAll()]);
    await environment.close();
  };
  return { ...addressOf(server), server, told, close };
}

/** What came, whichever request it answers: a test looks at what it expects. */
export interface Came {
  readonly ok: boolean;
  readonly id: string;
  readonly calls: number;
  readonly firewall: object;
  readonly error: { readonly code: string; readonly message: string };
  readonly results: readonly Result[];
  readonly tools: readonly {
    readonly type: string;
    readonly function: { readonly name: string; readonly parameters: { readonly required: unknown } };
  }[];
  readonly observations: readonly {
    readonly text: string;
    readonly ok: boolean;
    readonly fault: string | null;
  }[];
}

export interface Result {
  readonly score?: number;
  readonly acc?: number;
  readonly steps?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: Came;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request byte for byte as it is given: `fetch` would make paths simple and hold back headers. */
export function ask(
  { port }: { readonly port: number },
  path: string,
  { method = "GET", headers = {}, body }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          json: parsed(text) as Came,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export const post = (
  to: { readonly port: number },
  path: string,
  value: unknown,
  headers: Ask["headers"] = {},
) =>
  ask(to, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof value === "string" ? value : JSON.stringify(value),
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
