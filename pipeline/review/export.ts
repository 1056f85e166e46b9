import { writeFile } from "node:fs/promises";
import { fail } from "../base/errors.js";
import { diskProblem } from "../fs.js";
import { readManifest } from "../manifest-file.js";
import { openRunDir } from "../run-dir.js";
import { csvSheet } from "./csv.js";
import { type Draw, drawTasks } from "./draw.js";
import { formPage } from "./form.js";

export interface Exported {
  readonly file: string;
  readonly rows: number;
  readonly seed: string;
}

/**
 * Writes a blind sheet: `n` tasks drawn by seed, with neither answer nor entity nor chain. The file's ending says which kind: `.csv` for a
 * spreadsheet, `.html` for a browser.
 * @param draw the seed is the dataset's own where none is given
 * @throws TaskmillError (usage) for another ending, or a file that is there already: it may have been filled in
 */
export async function exportSheet(
  dir: string,
  out: string,
  draw: Omit<Draw, "seed"> & { readonly seed?: string },
): Promise<Exported> {
  const kind = /\.(csv|html)$/i.exec(out)?.[1]?.toLowerCase();
  if (kind === undefined)
    fail(
      "usage",
      "unknown_ending",
      `${out} is neither .csv nor .html`,
      "give --out sheet.csv or --out sheet.html",
    );
  const path = await openRunDir(dir);
  const manifest = await readManifest(path);
  const seed = draw.seed ?? manifest.seed;
  const tasks = await drawTasks(path, { ...draw, seed });
  if (tasks.length === 0)
    fail("verification", "no_tasks", `${dir} has no task to review`, "run its config again");
  const text = kind === "csv" ? csvSheet(tasks) : formPage(manifest.name, tasks);
  try {
    await writeFile(out, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      fail(
        "usage",
        "sheet_exists",
        `${out} is there already, and may have been filled in`,
        "give another --out",
      );
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR")
      fail("usage", "bad_out", `${out} cannot be written: its folder is not there`, "give another --out");
    throw diskProblem(error, out) ?? error;
  }
  return { file: out, rows: tasks.length, seed };
}
