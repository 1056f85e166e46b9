import { EXIT_CODES, fail } from "../base/errors.js";
import { visible } from "../base/render.js";
import type { Io } from "../terminal.js";
import { count, defineCommand } from "./command.js";

interface Args {
  readonly path: string;
  readonly host: string;
  readonly port: number;
  readonly "token-variable"?: string;
  readonly only?: "score" | "tools";
  readonly stdio: boolean;
  readonly sessions: number;
  readonly idle: number;
  readonly corpus?: readonly string[];
  readonly plugin?: string;
}

/** A token that can be guessed is none. */
const SHORTEST_TOKEN = 16;

export const serve = defineCommand<Args>({
  usage: "serve <path>",
  summary: "answer trainers and agents: rewards and tools over HTTP, and tools as an MCP server",
  positionals: { path: "a run directory, or a config" },
  options: {
    host: { value: "HOST", describe: "where to listen (default: 127.0.0.1); others need --token-variable" },
    port: { value: "N", describe: "the port (default: 8440); 0 takes a free one" },
    "token-variable": {
      value: "NAME",
      describe: "environment variable with the token that every request must bring",
    },
    only: { value: "PART", describe: "score or tools: leave out the other; agents should not reach score" },
    stdio: { describe: "an MCP server on stdin and stdout, without HTTP" },
    sessions: { value: "N", describe: "agents' sessions at the same time (default: 256)" },
    idle: { value: "SECONDS", describe: "end a session after so long without a call (default: 900)" },
    corpus: { value: "PATH,...", describe: "bundled corpora, files or folders, in place of the config's" },
    plugin: { value: "FILE", describe: "as for the run that made it" },
  },
  examples: [
    ["serve runs/astro", "POST /score for trainers, /sessions and /mcp for agents"],
    ["serve runs/astro --only tools --port 0 --json", "for programs: the first line on stdout says where"],
    ["serve configs/astro-agents.yaml --stdio", "for an agent that starts its MCP servers itself"],
    ["serve runs/astro --host 0.0.0.0 --token-variable TASKMILL_TOKEN", "for other machines"],
  ],
  exits: [0, 1, 2, 130],
  args: (z) => {
    const path = z.string().min(1);
    return z.strictObject({
      path,
      host: path.default("127.0.0.1"),
      port: z
        .string()
        .regex(/^\d{1,5}$/, "it takes a number from 0 to 65535")
        .transform(Number)
        .refine((port) => port <= 65_535, "it takes a number from 0 to 65535")
        .default(8440),
      "token-variable": z
        .string()
        .regex(
          /^[A-Za-z_][A-Za-z0-9_]*$/,
          "it takes the name of an environment variable, not the token itself",
        )
        .optional(),
      only: z.enum(["score", "tools"]).optional(),
      stdio: z.boolean().default(false),
      sessions: count(z).default(256),
      idle: count(z).default(900),
      corpus: path.transform((paths) => paths.split(",").filter((p) => p !== "")).optional(),
      plugin: path.optional(),
    });
  },
  async run(args, io) {
    const { path, stdio, plugin, corpus, only } = args;
    const token = tokenIn(args["token-variable"]);
    const { registryOf } = await import("../index.js");
    const registry = await registryOf({ plugins: plugin === undefined ? [] : [plugin] });
    const shared = { registry, corpus, signal: io.signal, onInternal: (e: unknown) => tell(e, io) };
    if (stdio) {
      if (only === "score" || io.json)
        fail(
          "usage",
          "stdio_is_mcp",
          "--stdio serves tools over MCP: it goes with neither --only score nor --json",
        );
      const { serveMcpStdio } = await import("../serve/serve.js");
      await serveMcpStdio(path, shared);
      return io.signal.aborted ? EXIT_CODES.interrupted : 0;
    }
    const { serve } = await import("../serve/serve.js");
    const { host, port, sessions, idle } = args;
    const serving = await serve(path, { ...shared, host, port, token, only, sessions, idle });
    const { close, ...where } = serving;
    if (io.json) io.out(`${JSON.stringify(where)}\n`);
    else io.err(startLine(where));
    await aborted(io.signal);
    await close();
    return EXIT_CODES.interrupted;
  },
});

function startLine({
  name,
  url,
  score,
  tools,
}: {
  name: string;
  url: string;
  score: boolean;
  tools: readonly string[];
}) {
  const parts = [...(score ? ["/score"] : []), ...(tools.length > 0 ? ["/tools", "/sessions", "/mcp"] : [])];
  return `serving ${visible(name)} at ${url} (${parts.join(", ")}); Ctrl-C ends it\n`;
}

function tokenIn(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const token = process.env[variable] ?? "";
  if (token === "")
    fail("usage", "no_token", `the variable ${variable} is not set`, `export ${variable}=...`);
  if (token.length < SHORTEST_TOKEN || !/^[\x21-\x7e]{1,4096}$/.test(token)) {
    const message = `the token in ${variable} is shorter than ${SHORTEST_TOKEN} characters, or holds others than visible ASCII`;
    fail("usage", "weak_token", message, "draw one: openssl rand -hex 32");
  }
  return token;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** What a client is told of as an internal error. */
function tell(error: unknown, io: Io): void {
  const debug = process.env.TASKMILL_DEBUG === "1" && error instanceof Error ? error.stack : undefined;
  io.err(`pipeline serve: ${debug ?? (error instanceof Error ? error.message : String(error))}\n`);
}
