import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXPORTERS } from "../../datasets/exporters/index.js";
import type { RlRecord, SftRecord } from "../../datasets/schema/index.js";
import { exportDataset } from "../../pipeline/export.js";
import { samplePrompts, sampleRecord, sampleRun, TOOLS } from "../datasets/exporters/sample.js";

/** An export for every target in `dir`, of a pool of mixed tools, Unicode, empty and huge messages, and `expected.json` for its readers. */
export async function writeConsumerExports(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  // Every fourth one is a later segment, whose first turns were taught before: targets without a mask per message lose that.
  const sft = Array.from({ length: 24 }, (_, i) =>
    sampleRecord(i, i % 4 === 3 ? { turns: 3, taught: 2 } : {}),
  );
  const rl = samplePrompts(24);
  const run = await sampleRun(sft, rl);
  const rows: Record<string, Record<string, number>> = {};
  try {
    for (const exporter of EXPORTERS) {
      const accept =
        exporter.pool === "sft" && exporter.losses.some(({ name }) => name === "message_loss")
          ? ["message_loss"]
          : [];
      const options = {
        to: exporter.name,
        out: join(dir, exporter.name),
        accept,
        signal: new AbortController().signal,
      };
      rows[exporter.name] = (await exportDataset(run.dir, options)).manifest.rows;
    }
  } finally {
    run.remove();
  }
  const expected = {
    rows,
    tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
    sft: sft.map(expectedRow),
    rl: Object.fromEntries(
      ["train", "validation", "test"].map((split) => [
        split,
        rl.filter((row) => row.split === split).map((row) => row.task_id),
      ]),
    ),
    answers: Object.fromEntries(rl.map((row) => [row.task_id, answerOf(row)])),
  };
  writeFileSync(join(dir, "expected.json"), JSON.stringify(expected));
}

function expectedRow({ split, rollout, messages }: SftRecord): object {
  return {
    split,
    rollout,
    messages: messages.map(({ role, content, reasoning, loss, tool_calls }) => ({
      role,
      content,
      reasoning,
      loss,
      calls: (JSON.parse(tool_calls ?? "[]") as { name: string; arguments: string }[]).map((call) => ({
        name: call.name,
        args: JSON.parse(call.arguments),
      })),
    })),
  };
}

/** A right answer in words. */
function answerOf({ reward: { text, unit } }: RlRecord): string {
  return unit === "" || unit === "1" ? text : `${text} ${unit}`;
}
