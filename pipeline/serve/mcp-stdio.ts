import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { mcpServer } from "./mcp.js";
import type { Sessions } from "./sessions.js";

/** Serves one client, over stdin and stdout; resolves when it has closed its end, or on abort. */
export async function serveStdio(
  sessions: Sessions,
  signal: AbortSignal,
  onInternal: (error: unknown) => void,
  transport = new StdioServerTransport(),
): Promise<void> {
  const session = sessions.open();
  const server = mcpServer(sessions.environment.tools, () => session, onInternal);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    signal.addEventListener("abort", () => resolve());
  });
  await server.connect(transport);
  await ended;
  await server.close();
  await session.end();
}
