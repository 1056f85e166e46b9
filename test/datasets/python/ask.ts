import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonReward } from "../../../datasets/python/join.js";
import type { Expected, GradingContext } from "../../../verifiers/answer/answer.js";

/** A question to both verifiers: grade this answer or this reply, or tell this text's final answer. */
export type Question = { readonly context?: GradingContext } & (
  | { readonly answer: string; readonly expected: Expected }
  | { readonly reply: string; readonly expected: Expected }
  | { readonly text: string }
);

/** Why no Python can be asked here, or undefined. */
export function noPython(): string | undefined {
  const asked = spawnSync("python3", ["-c", "import sys; print(int(sys.version_info >= (3, 9)))"]);
  if (asked.error !== undefined || asked.status !== 0) return "there is no python3 here";
  return String(asked.stdout).trim() === "1" ? undefined : "python3 is older than 3.9";
}

/** What the joined file, the one that ships, says to each question. */
export function askPython(questions: readonly Question[]): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-reward-"));
  try {
    const file = join(folder, "taskmill_reward.py");
    writeFileSync(file, pythonReward());
    const driver = fileURLToPath(new URL("./driver.py", import.meta.url));
    const input = questions.map((q) => JSON.stringify(q)).join("\n");
    const asked = spawnSync("python3", ["-B", "-W", "error", driver, file], { input, maxBuffer: 2 ** 30 });
    if (asked.status !== 0) throw new Error(`python3 failed: ${asked.stderr}`);
    return String(asked.stdout)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
