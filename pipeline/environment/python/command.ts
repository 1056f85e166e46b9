import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { type Interpreter, within } from "./interpreter.js";
import { diskBytes, kernelLimits, type PythonLimits } from "./limits.js";
import { guestFile } from "./place.js";

/**
 * By what right the sandbox is made. `root`: we are, and the session becomes a user of its own inside; so it can show an interpreter that
 * lies where only root may look. `user`: we are none, and a user namespace gives what is needed. `dropped`: we are root without its
 * rights, as in many containers; a user of the session's own makes a user namespace.
 */
export type Rights = "root" | "user" | "dropped";

/** How the command line of a sandboxed session is made up. */
export interface SandboxPlan {
  readonly bwrap: string;
  readonly setpriv: string;
  readonly interpreter: Interpreter;
  /** Folders of which nothing may be seen, where they lie in one that is mounted. */
  readonly hidden: readonly string[];
  readonly rights: Rights;
}

/** Where the interpreter stands in the sandbox, whatever its place on the machine: an observation tells nothing of that. */
const HOME = "/opt/python";
const BOOTSTRAP = "/opt/taskmill/bootstrap.py";
/** File descriptor of the seccomp filter. */
export const FILTER_FD = 3;

/** The argument vector. `uid` is that of the session, where we are root. */
export function sandboxCommand(plan: SandboxPlan, limits: PythonLimits, uid: number): string[] {
  const { interpreter } = plan;
  const mounted = mounts(interpreter);
  const inside = (path: string): string => {
    const mount = mounted.find(({ from }) => within(path, from));
    return mount === undefined ? path : mount.to + path.slice(mount.from.length);
  };
  const options = { limits: kernelLimits(limits), packages: interpreter.packages.map(inside) };
  const { rights, setpriv } = plan;
  return [
    ...(rights === "dropped" ? dropped(setpriv, uid) : []),
    plan.bwrap,
    ...namespaces(plan),
    ...system(),
    ...mounted.flatMap(({ from, to }) => ["--ro-bind", from, to]),
    ...hide(plan, [{ from: "/usr", to: "/usr" }, ...mounted]),
    ...guest(limits),
    ...environment(),
    "--",
    ...(rights === "root" ? dropped(setpriv, uid) : []),
    ...[inside(interpreter.executable), "-S", "-s", "-B", BOOTSTRAP, JSON.stringify(options)],
  ];
}

function namespaces({ rights }: SandboxPlan): string[] {
  const own = ["ipc", "pid", "net", "uts", "cgroup-try"].map((name) => `--unshare-${name}`);
  const life = ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"];
  const filter = ["--seccomp", String(FILTER_FD)];
  const user =
    rights === "root"
      ? ["SETUID", "SETGID", "SETPCAP"].flatMap((name) => ["--cap-add", `CAP_${name}`])
      : ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"];
  return [...own, ...life, ...filter, "--cap-drop", "ALL", ...user];
}

/** From root to a user of the session's own, for good. */
function dropped(setpriv: string, uid: number): string[] {
  const id = String(uid);
  return [setpriv, "--reuid", id, "--regid", id, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];
}

/** The system's programs and libraries; links where the system has links. */
function system(): string[] {
  const roots = ["/bin", "/sbin", "/lib", "/lib32", "/lib64"].filter((path) => existsSync(path));
  const args = roots.flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path],
  );
  // Without parents of its own they would get the mode of those outside.
  const folders = ["/etc", "/dev", "/opt", HOME, "/opt/taskmill"].flatMap((path) => ["--dir", path]);
  const linking = ["/etc/ld.so.cache", "/etc/alternatives"].flatMap((path) => ["--ro-bind-try", path, path]);
  return ["--ro-bind", "/usr", "/usr", ...args, ...folders, ...linking];
}

interface Mount {
  readonly from: string;
  readonly to: string;
}

/** What the interpreter needs that is not below /usr: its programs and libraries, and packages that lie elsewhere. */
function mounts({ prefix, packages }: Interpreter): Mount[] {
  const made: Mount[] = [];
  const add = (from: string, to: string): void => {
    const seen = ["/usr", ...made.map((m) => m.from)].some((folder) => within(from, folder));
    if (!seen && existsSync(from)) made.push({ from, to });
  };
  for (const part of ["bin", "lib", "lib64"]) add(`${prefix}/${part}`, `${HOME}/${part}`);
  for (const [i, path] of packages.entries()) add(path, `/opt/packages${i}`);
  return made;
}

/** Empty folders over those that must not be seen; not over what the sandbox itself needs. */
function hide({ hidden, setpriv, interpreter }: SandboxPlan, mounted: readonly Mount[]): string[] {
  const needed = ["/usr/bin", "/usr/lib", setpriv, interpreter.executable, ...interpreter.packages];
  return hidden.flatMap((path) => {
    const mount = mounted.find(({ from }) => within(path, from));
    if (mount === undefined || needed.some((place) => within(place, path))) return [];
    const place = mount.to + path.slice(mount.from.length);
    return ["--tmpfs", place, "--remount-ro", place];
  });
}

/** What is the session's own. No /proc and no /sys: nothing that a cell needs is there, and much that is nobody's business. */
function guest(limits: PythonLimits): string[] {
  const devices = ["null", "zero", "random", "urandom"].flatMap((d) => [
    "--dev-bind",
    `/dev/${d}`,
    `/dev/${d}`,
  ]);
  return [
    ...devices,
    ...["passwd", "group", "hosts"].flatMap((f) => ["--ro-bind", guestFile(`etc/${f}`), `/etc/${f}`]),
    ...["--ro-bind", guestFile("bootstrap.py"), BOOTSTRAP],
    ...["--perms", "1777", "--size", String(diskBytes(limits)), "--tmpfs", "/tmp"],
    // Semaphores of `multiprocessing`, within the same bound.
    ...["--symlink", "/tmp", "/dev/shm"],
    ...["--remount-ro", "/", "--chdir", "/tmp"],
  ];
}

/** The whole environment. One thread each for numerical libraries: their sums then have one order. */
const VARIABLES = {
  PATH: `${HOME}/bin:/usr/bin:/bin`,
  LD_LIBRARY_PATH: `${HOME}/lib`,
  HOME: "/tmp",
  TMPDIR: "/tmp",
  USER: "agent",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  PYTHONHASHSEED: "0",
  PYTHONUTF8: "1",
  PYTHONDONTWRITEBYTECODE: "1",
  MPLBACKEND: "Agg",
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
} as const;

const environment = (): string[] =>
  Object.entries(VARIABLES).flatMap(([name, value]) => ["--setenv", name, value]);
