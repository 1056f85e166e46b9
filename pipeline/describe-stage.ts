import { z } from "zod";
import type { Stage } from "../stages/stage.js";
import { describe, literals, unwrap } from "./base/shape.js";
import { portText } from "./graph.js";

/** A stage kind as data, for `stages show --json`. */
export function describeStage(stage: Stage) {
  const { kind, version, summary, mode, takes, gives, reasons } = stage;
  return { kind, version, summary, mode, takes, gives, params: paramLines(stage.params), reasons };
}

/** A stage kind as a page of text. */
export function stageText(stage: Stage): string {
  const mode = { row: "row by row", set: "on all rows at once", source: "makes rows" }[stage.mode];
  const params = paramLines(stage.params).map(
    (p) =>
      `  ${p.name}: ${p.takes}${p.default === undefined ? (p.required ? " (required)" : "") : ` (default ${JSON.stringify(p.default)})`}`,
  );
  const reasons = Object.entries(stage.reasons).map(([code, meaning]) => `  ${code}: ${meaning}`);
  return [
    `${stage.kind} (version ${stage.version}): ${stage.summary}`,
    "",
    `works:  ${mode}`,
    `takes:  ${portText(stage.takes)}`,
    `gives:  ${portText(stage.gives)}`,
    "",
    "params:",
    ...(params.length > 0 ? params : ["  none"]),
    "",
    "rejects, with these reasons:",
    ...(reasons.length > 0 ? reasons : ["  nothing"]),
    "",
  ].join("\n");
}

interface ParamLine {
  readonly name: string;
  readonly takes: string;
  readonly required: boolean;
  readonly default?: unknown;
}

function paramLines(params: z.ZodType): ParamLine[] {
  const shape = unwrap(params);
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const absent = schema.safeParse(undefined);
    const known = literals(schema);
    const takes = known === undefined ? describe(schema) : `one of ${known.join(", ")}`;
    if (!absent.success) return { name, takes, required: true };
    return { name, takes, required: false, ...(absent.data === undefined ? {} : { default: absent.data }) };
  });
}
