import type { Server } from "node:http";
import { fail } from "../base/errors.js";
import { Guard, isLoopback } from "./guard.js";
import { addressOf, listen, type Patience, shut } from "./http.js";
import { McpEndpoint } from "./mcp-http.js";
import { serveStdio } from "./mcp-stdio.js";
import { openServed, type Served, type ServedOptions } from "./served.js";
import { type SessionLimits, Sessions } from "./sessions.js";
import { Truths } from "./truths.js";

/** The half that is served: rewards for trainers, or tools for agents. */
export type Part = "score" | "tools";

export interface ServeOptions extends Omit<ServedOptions, "tools">, SessionLimits {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Who does not send it is refused; without one, only this machine is let in. */
  readonly token?: string;
  readonly only?: Part;
  readonly patience?: Patience;
  /** Told of faults of our own. */
  readonly onInternal: (error: unknown) => void;
}

export interface Serving {
  readonly name: string;
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Whether `POST /score` is there. */
  readonly score: boolean;
  /** Names of the tools that agents are given. */
  readonly tools: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves a run directory or a config over HTTP until it is closed.
 * @throws TaskmillError (usage) for an address beyond this machine without a token, or one that cannot be listened on
 */
export async function serve(path: string, options: ServeOptions): Promise<Serving> {
  const { host, port, token, only, patience, onInternal } = options;
  const loopback = isLoopback(host);
  if (!loopback && token === undefined) needToken(host);
  const served = await openServed(path, { ...options, tools: only !== "score" });
  const sessions = new Sessions(served.environment, options);
  let server: Server;
  try {
    const parts = {
      truths: only === "tools" ? undefined : new Truths(served.rows),
      sessions: only === "score" ? undefined : sessions,
      mcp: only === "score" ? undefined : new McpEndpoint(sessions, onInternal),
    };
    const guard = new Guard(loopback, token);
    server = await listen({ parts, guard, patience, onInternal }, host, port);
  } catch (error) {
    await served.close();
    throw error;
  }
  return {
    name: served.name,
    ...addressOf(server),
    score: only !== "tools",
    tools: served.environment.tools.map(({ name }) => name),
    close: async () => {
      await Promise.all([shut(server), sessions.closeAll()]);
      await served.close();
    },
  };
}

function needToken(host: string): never {
  const message = `others than this machine would reach a server at ${host}`;
  fail("usage", "no_token", message, "name a variable that holds a token: --token-variable NAME");
}

/** Serves the tools as an MCP server on stdin and stdout, for one client; resolves when it has gone. @throws TaskmillError */
export async function serveMcpStdio(
  path: string,
  options: Omit<ServedOptions, "tools"> & { readonly onInternal: (error: unknown) => void },
): Promise<void> {
  const served: Served = await openServed(path, { ...options, tools: true });
  try {
    if (served.environment.tools.length === 0)
      fail("usage", "no_environment", `the config of ${path} has no \`environment\`: there are no tools`);
    const sessions = new Sessions(served.environment, { sessions: 1, idle: Number.POSITIVE_INFINITY });
    await serveStdio(sessions, options.signal, options.onInternal);
  } finally {
    await served.close();
  }
}
