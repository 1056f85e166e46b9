import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileSha256 } from "../sources/snapshot.js";
import type { StageFile } from "../stages/stage.js";
import { at, type Document, type Path } from "./base/document.js";
import type { Problem } from "./base/errors.js";
import type { Instance } from "./instance.js";

/** The files that an instance's params name, relative to the config, each with the hash of its bytes. */
export async function findFiles(
  one: Instance & { readonly path: Path; readonly valid: boolean },
  folder: string,
  document: Document,
): Promise<{ files: Map<string, StageFile>; problems: Problem[] }> {
  const files = new Map<string, StageFile>();
  const problems: Problem[] = [];
  const names = one.valid ? (one.stage.files?.(one.params) ?? []) : [];
  for (const name of names) {
    const path = resolve(folder, name);
    // Asked first: reading a FIFO would wait for a writer.
    const found = await stat(path).catch(() => undefined);
    const sha256 = found?.isFile() ? await fileSha256(path).catch(() => undefined) : undefined;
    if (sha256 !== undefined) files.set(name, { path, sha256 });
    else problems.push(at(document, one.path, missing(one.id, name, found !== undefined)));
  }
  return { files, problems };
}

function missing(id: string, name: string, there: boolean): Omit<Problem, "location"> {
  return {
    code: there ? "unreadable_file" : "missing_file",
    message: `\`${id}\` names the file ${name}, which ${there ? "cannot be read as a file" : "is not there"}`,
    hint: "give a path relative to the config",
  };
}
