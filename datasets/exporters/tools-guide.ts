import { functionOf } from "./conversation.js";
import type { Facts } from "./exporter.js";

/** The schemas, for targets that take tools from a configuration of their own. */
export function toolsFile({ tools }: Facts): string {
  return `${JSON.stringify(tools, null, 2)}\n`;
}

/** How an outside harness gets the tools, and what they must keep back. */
export function toolsGuide({ tools }: Facts): string {
  if (tools.length === 0) return "The dataset was made without tools.";
  const names = tools.map((tool) => `\`${functionOf(tool).name}\``).join(", ");
  return `Tools of the dataset: ${names}. \`pipeline serve DIR\` runs them as they were, over HTTP and as an MCP server, behind the dataset's firewall.
A harness with tools of its own must keep back what \`network_block.json\` lists, or answers can be looked up where they come from.`;
}
