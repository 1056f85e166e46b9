import { Fault } from "./fault.js";
import type { McpEndpoint } from "./mcp-http.js";
import { scoreBatch } from "./score.js";
import type { ServedSession, Sessions } from "./sessions.js";
import { callTools, openSession, toolList } from "./tools.js";
import type { Truths } from "./truths.js";

/** Which halves are served: `score` is for trainers alone, `tools` for agents. */
export interface Parts {
  readonly truths: Truths | undefined;
  readonly sessions: Sessions | undefined;
  readonly mcp: McpEndpoint | undefined;
}

/** What a path and a method stand for. */
export interface Route {
  /** Bytes of a body. */
  readonly most: number;
  readonly status?: number;
  /** @param request as the web's own type, for who wants it. @returns JSON, or a whole response */
  run(body: unknown, request: () => Request): Promise<unknown>;
}

const MB = 1_000_000;
const SCORE_BYTES = 32 * MB;
const CALL_BYTES = 4 * MB;
/** No id of ours is longer. */
const SESSION = /^\/sessions\/([0-9a-f-]{36})(\/call)?$/;

type Routes = Readonly<Record<string, Route>>;

/** @throws Fault: 404 for a path, 405 for a method that is not there */
export function routeOf(
  path: string,
  method: string,
  parts: Parts,
  onInternal: (error: unknown) => void,
): Route {
  const routes = routesAt(path, parts, onInternal);
  if (routes === undefined)
    throw new Fault(404, "not_found", `there is nothing here; there is ${listed(parts)}`);
  if (Object.hasOwn(routes, method)) return routes[method]!;
  const allow = Object.keys(routes).join(", ");
  throw new Fault(405, "wrong_method", `this takes ${allow}`, { allow });
}

function routesAt(path: string, parts: Parts, onInternal: (error: unknown) => void): Routes | undefined {
  const { truths, sessions, mcp } = parts;
  if (path === "/health") return { GET: { most: 0, run: async () => ({ ok: true }) } };
  if (path === "/score" && truths !== undefined)
    return { POST: { most: SCORE_BYTES, run: (body) => scoreBatch(body, truths, onInternal) } };
  if (sessions === undefined || mcp === undefined) return undefined;
  if (path === "/tools") return { GET: { most: 0, run: async () => toolList(sessions.environment.tools) } };
  if (path === "/sessions")
    return { POST: { most: CALL_BYTES, status: 201, run: async (body) => openSession(body, sessions) } };
  if (path === "/mcp") {
    const route: Route = { most: CALL_BYTES, run: (body, request) => mcp.handle(request(), body) };
    return { POST: route, DELETE: route };
  }
  const [, id, call] = SESSION.exec(path) ?? [];
  if (id === undefined) return undefined;
  const session = (): ServedSession => sessions.get(id);
  if (call === undefined) return { DELETE: { most: 0, run: async () => session().end() } };
  return { POST: { most: CALL_BYTES, run: async (body) => callTools(body, session()) } };
}

function listed({ truths, sessions }: Parts): string {
  const score = truths === undefined ? [] : ["/score"];
  const tools = sessions === undefined ? [] : ["/tools", "/sessions", "/mcp"];
  return [...score, ...tools, "/health"].join(", ");
}
