import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseText } from "../../pipeline/base/document.js";
import type { FoundCard } from "../cards.js";
import { sourceError } from "../problems.js";
import { fileSha256, openSnapshot } from "../snapshot.js";
import { alone } from "./busy.js";
import { type CardEdit, editYaml } from "./edit-card.js";
import { writeWhole } from "./part.js";
import { type Receipt, readReceipt } from "./receipt.js";

export interface LockResult {
  readonly card: string;
  readonly sha256: string;
  /** The date of the download, which becomes the card's `as_of`; null for a file that was not fetched. */
  readonly as_of: string | null;
  readonly records: number | null;
  /** Path of the lock file; null for a file that was not fetched. */
  readonly lock: string | null;
  /** Whether the card says otherwise than before. */
  readonly changed: boolean;
}

/**
 * Pins the snapshot that lies beside a card: writes its hash, and the date of its download, into the card, and all else that is known of
 * the download into `<snapshot>.lock.json`. The rest of the card stays as it is, to the byte.
 * @throws TaskmillError (source) when there is no snapshot, or it is not the one that was fetched
 */
export async function lockSnapshot(found: FoundCard): Promise<LockResult> {
  // A snapshot that is being fetched is about to be another one.
  if (found.card.fetch === undefined) return pin(found);
  return alone(dirname(found.file), found.card.id, () => pin(found));
}

async function pin({ card, file, snapshot }: FoundCard): Promise<LockResult> {
  await openSnapshot(snapshot);
  const sha256 = await fileSha256(snapshot);
  const receipt = card.fetch === undefined ? undefined : await receiptFor(card.id, file, snapshot, sha256);
  const asOf = receipt?.retrieved.to.slice(0, 10) ?? null;
  const edits: CardEdit[] = [{ path: ["snapshot", "sha256"], value: sha256, before: "read" }];
  if (asOf !== null) edits.push({ path: ["as_of"], value: asOf });
  const lock = receipt === undefined ? null : `${snapshot}.lock.json`;
  // The lock first: a card that pins a snapshot has its lock beside it, whenever the process ends.
  if (receipt !== undefined) await writeWhole(lock!, lockText(card.id, snapshot, receipt));
  const changed = await rewrite(file, edits);
  return { card: card.id, sha256, as_of: asOf, records: receipt?.records ?? null, lock, changed };
}

async function receiptFor(id: string, file: string, snapshot: string, sha256: string): Promise<Receipt> {
  const receipt = await readReceipt(join(dirname(file), ".fetch", id));
  const name = basename(snapshot);
  const hint =
    "`pipeline sources fetch CARD` gets it; or take the block `fetch` out of the card to pin a file of your own";
  if (receipt === undefined)
    sourceError("not_fetched", `nothing is known of how ${name} was fetched`, { hint });
  if (receipt.sha256 !== sha256)
    sourceError("snapshot_edited", `${name} is not what was fetched: somebody changed it`, { hint });
  return receipt;
}

function lockText(card: string, snapshot: string, receipt: Receipt): string {
  return `${JSON.stringify({ lock: 1, card, file: basename(snapshot), ...receipt }, null, 2)}\n`;
}

/** @returns whether the file is another one now */
async function rewrite(file: string, edits: readonly CardEdit[]): Promise<boolean> {
  const text = await readFile(file, "utf8");
  const edited = editYaml(text, edits);
  if (edited === undefined || !holds(edited, edits)) {
    sourceError("cannot_lock", "the values cannot be written into the card", {
      hint: `write them by hand: ${edits.map(({ path, value }) => `${path.join(".")}: "${value}"`).join(", ")}`,
      location: { file },
    });
  }
  if (edited === text) return false;
  // A card may be a link to a file elsewhere: that file is meant.
  await writeWhole(await realpath(file), edited);
  return true;
}

/** Read once more: what the card says now is what was meant. */
function holds(text: string, edits: readonly CardEdit[]): boolean {
  const document = parseText("card", text, { env: "none" });
  return edits.every(({ path, value }) => {
    const found = path.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | undefined)?.[step],
      document.value,
    );
    return found === value;
  });
}
