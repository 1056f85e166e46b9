import { TaskmillError } from "../base/errors.js";
import type { Check, Finding } from "./finding.js";

/**
 * Runs a check over rows that anyone may have written: a stage that stumbles over one has found it wrong, and the checks
 * after it still run.
 * @throws TaskmillError of the check itself; whatever an abort throws.
 */
export async function attempted(
  check: Check,
  where: string,
  signal: AbortSignal,
  work: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TaskmillError || signal.aborted) throw error;
    const why = error instanceof Error ? error.message.split("\n")[0]!.slice(0, 200) : String(error);
    return [{ check, code: "cannot_derive", where, message: `the stages cannot work on it: ${why}` }];
  }
}
