import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../base/canonical.js";
import { hold } from "../base/document.js";
import { fail } from "../base/errors.js";
import { manifestBytes } from "../manifest-file.js";
import { type ReviewSummary, summarise } from "./summary.js";
import { reviewSchema, type StoredReview } from "./verdict.js";

/** Reviews lie beside a dataset, not in it: neither its manifest nor `verify` knows them, and a run leaves them alone. */
export const REVIEW = "review.json";

const MAX_BYTES = 64 * 2 ** 20;

export interface Review extends StoredReview {
  readonly summary: ReviewSummary;
  /** Whether the dataset is still the one that was reviewed. */
  readonly current: boolean;
}

/**
 * The reviews of a dataset, with rates and agreement worked out from the verdicts.
 * @param dir the run directory
 * @returns undefined where nobody has reviewed it
 * @throws TaskmillError (verification, `review_damaged`) for a review.json that is none
 */
export async function readReview(dir: string): Promise<Review | undefined> {
  const stored = await readStored(dir);
  if (stored === undefined) return undefined;
  const current = (await manifestHash(dir)) === stored.manifest_sha256;
  return { ...stored, current, summary: summarise(stored.verdicts) };
}

export async function manifestHash(dir: string): Promise<string> {
  return sha256(await manifestBytes(dir));
}

async function readStored(dir: string): Promise<StoredReview | undefined> {
  const path = join(dir, REVIEW);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const damaged = (why: string): never =>
    fail("verification", "review_damaged", `${path} ${why}`, "move it away and import the sheets again");
  if (!found.isFile() || found.size > MAX_BYTES) damaged("is not a regular file of a plausible size");
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch {
    damaged("is not JSON");
  }
  const held = hold(reviewSchema, value);
  return "value" in held ? held.value : damaged(`is not a review: ${held.fault}`);
}
