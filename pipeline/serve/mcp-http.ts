import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { Fault } from "./fault.js";
import { mcpServer } from "./mcp.js";
import type { Sessions } from "./sessions.js";

/**
 * MCP's streamable HTTP. A session of the protocol is a session of tools, with its ceiling and its end: `Mcp-Session-Id` is the id. The
 * server never speaks first, so it offers no stream to listen to (`GET` is 405, as the protocol allows).
 */
export class McpEndpoint {
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(
    private readonly sessions: Sessions,
    private readonly onInternal: (error: unknown) => void,
  ) {}

  /** @param body what was posted, parsed. @throws Fault */
  async handle(request: Request, body: unknown): Promise<Response> {
    if (request.method === "POST" && isInitializeRequest(body)) return this.#initialize(request, body);
    const id = request.headers.get("mcp-session-id");
    if (id === null) throw new Fault(400, "no_session", "send `initialize` first, then its Mcp-Session-Id");
    const transport = this.#transports.get(id);
    if (transport === undefined)
      throw new Fault(404, "unknown_session", "there is no such session, or it has ended: initialize again");
    return transport.handleRequest(request, { parsedBody: body ?? null });
  }

  async #initialize(request: Request, body: unknown): Promise<Response> {
    const session = this.sessions.open(undefined, () => this.#forget(session.id));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => session.id,
      onsessionclosed: async () => void (await session.end()),
    });
    this.#transports.set(session.id, transport);
    await mcpServer(this.sessions.environment.tools, () => session, this.onInternal).connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // Refused for its headers: nobody has got the id.
    if (!response.ok) await session.end();
    return response;
  }

  #forget(id: string): void {
    const transport = this.#transports.get(id);
    this.#transports.delete(id);
    transport?.close().catch(this.onInternal);
  }
}
