import type { z } from "zod";

/** The first thing that is wrong with a value that came, and where. */
export function issueText(error: z.ZodError): string {
  const issue = error.issues[0]!;
  const where = issue.path.map(String).join(".").slice(0, 200);
  return `${where === "" ? "" : `${where}: `}${issue.message.slice(0, 300)}`;
}
