import { execFile } from "node:child_process";
import { relative } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { fail } from "../../base/errors.js";

/** Where Python lies on this machine. */
const found = z.object({
  executable: z.string().startsWith("/"),
  prefix: z.string().startsWith("/"),
  version: z.tuple([z.int(), z.int()]),
  packages: z.array(z.string().startsWith("/")),
});
export type Interpreter = z.infer<typeof found>;

/** In a virtual environment, the interpreter is the one that it was made from; its packages are its own. */
const QUESTION = `
import json, os, site, sys
base = getattr(sys, "_base_executable", None) or sys.executable
packages = [os.path.realpath(p) for p in site.getsitepackages() if os.path.isdir(p)]
print(json.dumps({
    "executable": os.path.realpath(base),
    "prefix": os.path.realpath(sys.base_prefix),
    "version": sys.version_info[:2],
    "packages": packages,
}))
`;

/** The bootstrap's oldest Python. */
const OLDEST: readonly [number, number] = [3, 8];

/**
 * Asks an interpreter where it lies: what is called `python3` may be a script that chooses one.
 * @param name a path, or a name that is looked up on PATH
 * @throws TaskmillError where there is none, or none new enough
 */
export async function findInterpreter(name: string): Promise<Interpreter> {
  const { PATH = "/usr/bin:/bin", HOME = "/" } = process.env;
  const answer = await promisify(execFile)(name, ["-I", "-c", QUESTION], {
    env: { PATH, HOME },
    timeout: 30_000,
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "it is not there" : "it did not answer";
    fail("config", "no_python", `the interpreter \`${name}\` cannot be used: ${why}`, HINT);
  });
  const read = found.safeParse(asJson(answer.stdout));
  if (!read.success) fail("config", "no_python", `\`${name}\` is no Python interpreter`, HINT);
  const [major, minor] = read.data.version;
  if (major !== OLDEST[0] || minor < OLDEST[1]) {
    fail(
      "config",
      "no_python",
      `\`${name}\` is Python ${major}.${minor}; ${OLDEST.join(".")} or newer is needed`,
      HINT,
    );
  }
  return read.data;
}

const HINT = "install python3, or name another interpreter in `environment.python.interpreter`";

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or lies in it. */
export function within(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || !(rest === ".." || rest.startsWith("../"));
}
