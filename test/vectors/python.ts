import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./reward_vectors.py", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../datasets/python", import.meta.url));

/** Whether Python is here; says so where it is not. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
if (!hasPython) console.warn("skipped: no python3 (3.9 or later) here, so the Python reward is not compared");

/** What the script prints, as JSON, line by line. */
export function askPython(args: readonly string[], input = ""): unknown[] {
  const ran = spawnSync("python3", ["-S", SCRIPT, PACKAGE, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONIOENCODING: "utf-8" },
  });
  if (ran.status !== 0) throw new Error(ran.stderr.slice(-2000));
  return ran.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}
