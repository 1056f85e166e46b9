import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileSha256 } from "../sources/snapshot.js";
import { fail } from "./base/errors.js";
import { oddity, pathIn } from "./files.js";
import type { ManifestFile } from "./manifest.js";

type Listed = Pick<ManifestFile, "file" | "sha256">;

/**
 * The path of a dataset's file, which is as its manifest lists it: nothing else is read, as a link may lead anywhere, a FIFO would be waited for
 * and a device never ends.
 * @throws TaskmillError (verification, `file_changed`)
 */
export async function listedFile(dir: string, listed: Listed): Promise<string> {
  const path = pathIn(dir, listed.file);
  await check(path, path, listed);
  return path;
}

/** Copies a dataset's file. The copy must have the listed hash: the file itself may change meanwhile. @throws as {@link listedFile} */
export async function copyListed(dir: string, listed: Listed, to: string): Promise<void> {
  const path = pathIn(dir, listed.file);
  const odd = await oddity(path);
  if (odd !== undefined) changed(path, odd);
  await mkdir(dirname(to), { recursive: true });
  await copyFile(path, to);
  await check(path, to, listed);
}

async function check(path: string, at: string, { sha256 }: Listed): Promise<void> {
  const odd = await oddity(at);
  if (odd !== undefined) changed(path, odd);
  if ((await fileSha256(at)) !== sha256) changed(path, "is not what manifest.json says");
}

function changed(path: string, how: string): never {
  const hint = "`pipeline verify` shows what else changed; run the config again";
  fail("verification", "file_changed", `${path} ${how}`, hint);
}
