import { z } from "zod";
import type { Observation } from "../../stages/environment.js";
import type { Tool } from "../../stages/model.js";
import type { ServedSession, Sessions } from "./sessions.js";

/** The tool environment over HTTP: what comes and what goes. */

const opened = z.strictObject({ tools: z.array(z.string()).max(100).optional() });

const asked = z.strictObject({
  calls: z
    .array(
      z.strictObject({
        id: z.string().max(200).optional(),
        name: z.string().max(200),
        /** JSON text, as models write them, or the value. */
        arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
      }),
    )
    .min(1)
    .max(64),
});

/** As chat endpoints take them. */
export function toolList(tools: readonly Tool[]) {
  return { tools: tools.map((tool) => ({ type: "function", function: tool })) };
}

/** @throws z.ZodError, Fault */
export function openSession(body: unknown, sessions: Sessions): { readonly id: string } {
  const { tools } = opened.parse(body ?? {});
  return { id: sessions.open(tools).id };
}

interface Answered extends Pick<Observation, "text" | "ok" | "fault"> {
  /** As the call has it. */
  readonly id?: string;
}

/** Carries out the calls of one turn. @throws z.ZodError, Fault, TaskmillError */
export async function callTools(
  body: unknown,
  session: ServedSession,
): Promise<{ readonly observations: readonly Answered[] }> {
  const { calls } = asked.parse(body);
  const observations = await session.run(
    calls.map(({ id, name, arguments: given }, i) => ({
      id: id ?? `call_${i}`,
      name,
      arguments: typeof given === "string" ? given : JSON.stringify(given),
    })),
  );
  return {
    observations: observations.map(({ text, ok, fault }, i) => {
      const { id } = calls[i]!;
      return { ...(id === undefined ? {} : { id }), text, ok, fault };
    }),
  };
}
