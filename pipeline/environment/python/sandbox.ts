import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fail, type Problem, TaskmillError } from "../../base/errors.js";
import type { Rights, SandboxPlan } from "./command.js";
import { findInterpreter } from "./interpreter.js";
import { kernelLimits, type PythonLimits } from "./limits.js";
import { installation } from "./place.js";
import { PythonProcess } from "./process.js";

/** Enough for the probe, whatever the config allows. */
const PROBE: PythonLimits = { seconds: 20, memory_mb: 256, processes: 8, disk_mb: 1 };

const INSTALL = "install bubblewrap (Debian, Ubuntu, Fedora, Arch: the package `bubblewrap`)";
const ALLOW =
  "where user namespaces are refused: set the sysctl user.max_user_namespaces above 0, kernel.unprivileged_userns_clone to 1, and " +
  "kernel.apparmor_restrict_unprivileged_userns to 0 or give bwrap an AppArmor profile; in a container, start it with " +
  "`--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined`";

const plans = new Map<string, Promise<SandboxPlan>>();

/**
 * The sandbox of this machine, looked at once: that it comes up, that its limits hold, and that neither network nor files can be reached
 * from inside. There is no other way to run a cell.
 * @param interpreter a path, or a name on PATH; by default `python3`
 * @throws TaskmillError that says what is missing and how to get it
 */
export function findSandbox(interpreter = "python3"): Promise<SandboxPlan> {
  let plan = plans.get(interpreter);
  if (plan === undefined) {
    plan = look(interpreter);
    plans.set(interpreter, plan);
    // Somebody may install what was missing.
    plan.catch(() => plans.delete(interpreter));
  }
  return plan;
}

async function look(name: string): Promise<SandboxPlan> {
  if (process.platform !== "linux") {
    fail(
      "config",
      "no_sandbox",
      `the Python sandbox needs Linux; this is ${process.platform}`,
      "leave `python` out of `environment.tools`",
    );
  }
  const root = process.getuid?.() === 0;
  const common = {
    bwrap: program("bwrap", INSTALL),
    setpriv: root ? program("setpriv", "install util-linux, or do not run as root") : "",
    interpreter: await findInterpreter(name),
    hidden: [installation(), process.cwd()],
  };
  const ways: readonly Rights[] = root ? ["root", "dropped"] : ["user"];
  const failures: unknown[] = [];
  for (const rights of ways) {
    try {
      await probe({ ...common, rights });
      return { ...common, rights };
    } catch (error) {
      failures.push(error);
    }
  }
  throw together(failures);
}

/** What was wrong with each way. */
function together(failures: readonly unknown[]): unknown {
  const known = failures.filter((error) => error instanceof TaskmillError);
  if (known.length < 2) return failures[0];
  return new TaskmillError(
    known[0]!.kind,
    known.flatMap((error) => error.problems),
  );
}

function program(name: string, hint: string): string {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin"];
  for (const folder of folders) {
    const path = join(folder, name);
    if (folder.startsWith("/") && executable(path)) return path;
  }
  fail("config", "no_sandbox", `the Python sandbox needs the program \`${name}\`, which is not there`, hint);
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Looks from inside for what must not be seen. */
const QUESTION = `
import json, os, resource, socket
def reached(host, port):
    try:
        socket.create_connection((host, port), 2).close()
        return True
    except OSError:
        return False
def netlink():
    try:
        return bool(socket.socket(16, socket.SOCK_RAW))
    except OSError as error:
        return error.errno != 97
print(json.dumps({
    "user": os.getuid(),
    "unfiltered": netlink(),
    "network": reached("127.0.0.1", PORT),
    "file": any(map(os.path.exists, FILES)),
    "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in LIMITS},
}))
`;

async function probe(plan: SandboxPlan): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-probe-"));
  const server = createServer((socket) => socket.destroy());
  try {
    const file = join(folder, "file");
    writeFileSync(file, "x");
    chmodSync(folder, 0o755);
    const files = [file, join(installation(), "package.json"), "/proc/self"];
    const seen = await ask(plan, await listening(server), files);
    const wrong = faults(seen);
    if (wrong !== undefined)
      fail("internal", "no_sandbox", `the Python sandbox does not hold: ${wrong}`, ALLOW);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function ask(plan: SandboxPlan, port: number, files: readonly string[]): Promise<unknown> {
  const started = await PythonProcess.start(plan, PROBE).catch((error: unknown) => {
    throw error instanceof TaskmillError ? withHint(error) : error;
  });
  try {
    const names = { PORT: port, FILES: files, LIMITS: Object.keys(kernelLimits(PROBE)) };
    const lines = Object.entries(names).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    const { text } = await started.cell(`${lines.join("\n")}\n${QUESTION}`, undefined);
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    await started.kill();
  }
}

function withHint(error: TaskmillError): TaskmillError {
  const problems: Problem[] = error.problems.map((p) => ({ ...p, hint: p.hint ?? ALLOW }));
  return new TaskmillError(error.kind, problems, { cause: error });
}

/** What the probe saw that it must not, in words. */
function faults(seen: unknown): string | undefined {
  if (typeof seen !== "object" || seen === null) return "the probe gave no answer";
  const { user, unfiltered, network, file, limits } = seen as Record<string, unknown>;
  if (typeof user !== "number" || user === 0) return "code in it runs as root";
  if (network !== false) return "a server of this machine can be reached from inside";
  if (unfiltered !== false) return "system calls are not filtered";
  if (file !== false) return "files of this machine can be seen from inside";
  const expected = Object.entries(kernelLimits(PROBE)).map(([name, value]) => [name, [value, value]]);
  if (JSON.stringify(limits) !== JSON.stringify(Object.fromEntries(expected)))
    return "the kernel did not take its limits";
  return undefined;
}
