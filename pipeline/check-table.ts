import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { bundledIds } from "../sources/cards.js";
import type { SnapshotFormat } from "../sources/format.js";
import { identifier } from "../sources/identifier.js";
import { type Decisions, decide } from "../sources/profile/decide/decide.js";
import { draftCard } from "../sources/profile/draft.js";
import { layoutOf } from "../sources/profile/layout/guess.js";
import { type FileProfile, profileFile } from "../sources/profile/profile.js";
import type { Told } from "../sources/profile/told.js";
import { openSnapshot, type Snapshot } from "../sources/snapshot.js";
import { fail } from "./base/errors.js";
import { profileJson, profileText } from "./describe-profile.js";
import { diskProblem } from "./fs.js";
import { knownQuantities } from "./quantities.js";
import { shortPath } from "./sources.js";

/** What the command line says of a table. */
export interface TableRequest extends Omit<Told, "id"> {
  readonly id?: string;
  /** Where the draft card goes; without it it is shown. */
  readonly write?: string;
  /** As `snapshot.read` of a card. */
  readonly read?: SnapshotFormat;
}

export interface Drafted {
  readonly text: string;
  readonly json: unknown;
}

/** Whether a reference is a table rather than a card: no bundled id, and no YAML mapping with the key `card`. */
export async function isTable(reference: string): Promise<boolean> {
  if (bundledIds().includes(reference)) return false;
  const found = await stat(reference).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  if (!/\.ya?ml$/i.test(reference)) return true;
  return found.size < 2 ** 20 ? !/^card\s*:/m.test(await readFile(reference, "utf8")) : true;
}

/** Profiles a table, drafts its card and writes it where it is asked for. @throws TaskmillError */
export async function draftOf(file: string, request: TableRequest, signal?: AbortSignal): Promise<Drafted> {
  const { write, read, ...told } = request;
  if (write !== undefined) await checkTarget(file, write);
  const snapshot = interruptible(await openSnapshot(resolve(file)), signal);
  const layout = await layoutOf(snapshot, read);
  const profile = await profileFile(snapshot, layout, signal);
  checkFields(profile, told);
  await breathe(signal);
  const decisions = decide(profile, knownQuantities(), told);
  await breathe(signal);
  const card = draftCard(profile, decisions, { ...told, id: told.id ?? idOfFile(file) });
  if (write !== undefined) await writeNew(write, card);
  return {
    text: textOf(profile, decisions, card, write),
    json: { ...profileJson(profile, decisions), card },
  };
}

function textOf(profile: FileProfile, decisions: Decisions, card: string, write: string | undefined): string {
  const page = profileText(profile, decisions);
  if (write === undefined)
    return `${page}\n--- a draft of its card (--write CARD.yaml keeps it) ---\n\n${card}`;
  const path = shortPath(resolve(write));
  const open = card.split("\n").filter((line) => line.includes("# CHECK")).length;
  const next = [
    `wrote ${path}: ${open} decisions are marked CHECK`,
    "next:",
    `  edit ${path}                        (docs/own-table.md)`,
    `  npx pipeline sources check ${path}  (what a scientist would object to)`,
    `  npx pipeline init --source ${path}  (a config that runs)`,
  ];
  return `${page}\n${next.join("\n")}\n`;
}

/** The card must lie beside its table: a card's snapshot may not lie anywhere else. */
async function checkTarget(file: string, write: string): Promise<void> {
  if (dirname(resolve(write)) !== dirname(resolve(file))) {
    const hint = `--write ${shortPath(resolve(dirname(file), basename(write)))}`;
    fail("usage", "card_elsewhere", "a card lies beside its table, in the same folder", hint);
  }
  if (!/\.ya?ml$/i.test(write))
    fail("usage", "card_name", `a card is a YAML file, and ${basename(write)} is none by its name`);
  if ((await stat(write).catch(() => undefined)) !== undefined) overwrite(write);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") overwrite(path);
    throw diskProblem(error, path) ?? error;
  }
}

function overwrite(path: string): never {
  fail(
    "usage",
    "file_exists",
    `${shortPath(resolve(path))} is there already, and is not written over`,
    "give another name, or move it away",
  );
}

/** A snapshot whose reading ends when the signal comes. */
function interruptible(snapshot: Snapshot, signal: AbortSignal | undefined): Snapshot {
  return {
    ...snapshot,
    async *bytes() {
      for await (const piece of snapshot.bytes()) {
        signal?.throwIfAborted();
        yield piece;
      }
    },
  };
}

/** Signals come in between: deciding on many columns takes a while. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** A key or a name that the file does not have. */
function checkFields(profile: FileProfile, told: Pick<Told, "key" | "name">): void {
  const fields = profile.layout.fields.map((f) => f.name);
  for (const option of ["key", "name"] as const) {
    const field = told[option];
    if (field === undefined || fields.includes(field)) continue;
    fail(
      "usage",
      "unknown_field",
      `--${option}: the table has no field \`${field}\``,
      `its fields are ${fields.slice(0, 30).join(", ")}`,
    );
  }
}

/** The file's name, cut down to what an id may hold. */
function idOfFile(file: string): string {
  const plain = basename(file)
    .replace(/\..*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 60);
  return identifier.safeParse(plain).success ? plain : "table";
}
