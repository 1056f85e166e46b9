import { type Card, type ColumnCard, NOT_LOCKED } from "../sources/card.js";
import type { FoundCard } from "../sources/cards.js";
import { fileSha256, openSnapshot } from "../sources/snapshot.js";
import { TaskmillError } from "./base/errors.js";
import { shortPath } from "./sources.js";

/** A source in short, for `sources list --json`. */
export function sourceLine({ id, title, domain, licence, as_of }: Card) {
  return { id, title, domain, licence: licence.id, as_of };
}

export function listText(found: readonly FoundCard[]): string {
  const width = Math.max(0, ...found.map((f) => f.card.id.length));
  return found.map(({ card }) => `${card.id.padEnd(width)}  ${card.title} (${card.licence.id})\n`).join("");
}

/** A card as a page of text. */
export function sourceText(card: Card): string {
  const columns = Object.entries(card.columns).map(([id, column]) => columnText(id, column));
  const links = Object.entries(card.links).map(([id, link]) => `  ${id} → ${link.to}`);
  return [
    `${card.id}: ${card.title}`,
    "",
    `entity:     ${card.entity.singular}${card.entity.public ? "" : " (has no public identity: no target of a task)"}`,
    `publisher:  ${card.publisher.name}`,
    `licence:    ${card.licence.id}`,
    `as of:      ${card.as_of}`,
    `citation:   ${card.citation}`,
    `provenance: ${card.provenance}`,
    "",
    "columns:",
    ...columns,
    ...(links.length > 0 ? ["", "links:", ...links] : []),
    "",
  ].join("\n");
}

function columnText(id: string, column: ColumnCard): string {
  const unit = column.unit === undefined || column.unit === "1" ? "" : ` in ${column.unit}`;
  const may = column.may.length > 0 ? `; may ${column.may.join(", ")}` : "";
  return `  ${id}: ${column.type}${unit}, ${column.scale}${may}`;
}

/** @throws TaskmillError (source) when the snapshot is missing, empty, or not the one that the card names. */
export async function checkSnapshot({ card, file, snapshot }: FoundCard): Promise<void> {
  await openSnapshot(snapshot);
  const sha256 = await fileSha256(snapshot);
  if (sha256 === card.snapshot.sha256) return;
  const message = `the snapshot ${card.snapshot.file} has the SHA-256 ${sha256}, its card says ${card.snapshot.sha256}`;
  const hint =
    card.snapshot.sha256 === NOT_LOCKED
      ? `\`pipeline sources lock ${shortPath(file)}\` writes it`
      : "get the file that the card was written for, or check the card anew and write the new hash into it";
  throw new TaskmillError("source", [
    { code: "snapshot_hash", message, hint, location: { file: shortPath(file) } },
  ]);
}
