import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Tool } from "../../stages/model.js";
import { VERSION } from "../version.js";
import { faultOf } from "./fault.js";
import type { ServedSession } from "./sessions.js";

/**
 * One agent's tools as an MCP server. What an agent did wrong comes back as a result with `isError`, so that it reads why; only what the
 * environment failed at is an error of the protocol.
 * @param onInternal told of faults of our own
 */
export function mcpServer(
  tools: readonly Tool[],
  session: () => ServedSession,
  onInternal: (error: unknown) => void,
): Server {
  const server = new Server({ name: "taskmill", version: VERSION }, { capabilities: { tools: {} } });
  const listed = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters as { type: "object" },
  }));
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: given = {} } = params;
    try {
      const call = { id: String(mcpReq.id), name, arguments: JSON.stringify(given) };
      const [observation] = await session().run([call]);
      const { text, ok } = observation!;
      return { content: [{ type: "text" as const, text }], isError: !ok };
    } catch (error) {
      const { status, message } = faultOf(error);
      if (status >= 500) onInternal(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
  });
  return server;
}
