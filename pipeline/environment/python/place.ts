import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "../../base/errors.js";

/** Our files for the guest, below the installation's folder. */
const GUEST = "pipeline/environment/python/guest";

/** The folder of this installation: above the source, above `dist/` once compiled, above a bundle. Its tables hold the answers. */
export function installation(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, GUEST, "bootstrap.py"))) {
    const above = dirname(folder);
    if (above === folder) {
      fail(
        "internal",
        "no_sandbox",
        `the installation lacks ${GUEST}/bootstrap.py`,
        "install Taskmill again",
      );
    }
    folder = above;
  }
  return folder;
}

export const guestFile = (name: string): string => join(installation(), GUEST, name);
