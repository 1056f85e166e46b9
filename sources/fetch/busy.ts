import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { alone as aloneAt } from "../../pipeline/base/alone.js";
import { sourceError } from "../problems.js";

/**
 * Does something while no other process fetches the card.
 * @param folder that of the card. @throws TaskmillError (source) while another is at work
 */
export async function alone<T>(folder: string, id: string, work: () => Promise<T>): Promise<T> {
  await mkdir(join(folder, ".fetch"), { recursive: true });
  const refuse = () =>
    sourceError("fetching", `another process is fetching this: ${id}`, {
      hint: "wait for it; the lock of a process that is gone is taken over",
    });
  // Beside the folder of the pages, which is emptied when a download begins anew.
  return aloneAt(join(folder, ".fetch", `${id}.busy`), refuse, work);
}
