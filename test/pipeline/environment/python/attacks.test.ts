import { createSocket, type Socket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOXED, session } from "./helpers.js";

/** What a cell sees when it tries something: the value, or the error's class and number. */
const TRY = `
import ctypes, os, resource, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(action):
    try:
        return action()
    except BaseException as error:
        return type(error).__name__ + (" %s" % error.errno if getattr(error, "errno", None) else "")
def call(number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in args])
    return "errno %d" % ctypes.get_errno() if result == -1 else "allowed"
def connect(family, address, kind=socket.SOCK_STREAM, proto=0):
    def go():
        with socket.socket(family, kind, proto) as s:
            s.settimeout(3)
            s.connect(address)
            return "connected"
    return attempt(go)
`;

describe.skipIf(!SANDBOXED)("attacks from inside the sandbox", () => {
  const python = session();
  const folder = mkdtempSync(join(tmpdir(), "taskmill-attack-"));
  const secret = join(folder, "secret.txt");
  const name = `taskmill-test-${process.pid}`;
  const servers: Server[] = [];
  let datagrams: Socket;
  let reached = 0;
  let port = 0;

  const listen = (where: number | string): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        reached++;
        socket.destroy();
      });
      servers.push(server);
      server.listen(where === 0 ? { port: 0, host: "127.0.0.1" } : { path: String(where) }, () =>
        resolve(server),
      );
    });

  beforeAll(async () => {
    writeFileSync(secret, "the hidden chain");
    process.env.TASKMILL_TEST_SECRET = "a key";
    const address = (await listen(0)).address();
    port = typeof address === "object" && address !== null ? address.port : 0;
    await listen(join(folder, "socket"));
    await listen(`\0${name}`);
    datagrams = createSocket("udp4", () => reached++);
    await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve));
    expect((await python.run(TRY)).ok).toBe(true);
  });

  afterAll(async () => {
    await python.close();
    for (const server of servers) server.close();
    datagrams.close();
    delete process.env.TASKMILL_TEST_SECRET;
    rmSync(folder, { recursive: true });
  });

  /** [what is tried, code whose last expression tells, what it must tell]; PORT, FOLDER and SECRET are the machine's. */
  const network: [string, string, string | RegExp][] = [
    ["a server on loopback", `connect(socket.AF_INET, ("127.0.0.1", PORT))`, "ConnectionRefusedError 111"],
    ["the same by IPv6", `connect(socket.AF_INET6, ("::1", PORT))`, /Error/],
    ["an address outside", `connect(socket.AF_INET, ("192.0.2.1", 80))`, "OSError 101"],
    ["a cloud's metadata", `connect(socket.AF_INET, ("169.254.169.254", 80))`, "OSError 101"],
    ["a datagram outside", `connect(socket.AF_INET, ("192.0.2.1", 53), socket.SOCK_DGRAM)`, "OSError 101"],
    ["a name", `attempt(lambda: socket.getaddrinfo("example.com", 80))`, /^gaierror/],
    [
      "a page",
      `import urllib.request\nattempt(lambda: urllib.request.urlopen("http://127.0.0.1:%d" % PORT))`,
      /^URLError/,
    ],
    ["a socket in a folder", `connect(socket.AF_UNIX, FOLDER + "/socket")`, "FileNotFoundError 2"],
    ["an abstract socket", `connect(socket.AF_UNIX, "\\0" + NAME)`, "ConnectionRefusedError 111"],
    [
      "a raw socket",
      `connect(socket.AF_INET, ("127.0.0.1", 1), socket.SOCK_RAW, socket.IPPROTO_ICMP)`,
      "PermissionError 1",
    ],
    ["the hypervisor", `connect(getattr(socket, "AF_VSOCK", 40), (2, 1024))`, "OSError 97"],
    ["packets", `attempt(lambda: socket.socket(17, socket.SOCK_RAW))`, "OSError 97"],
    ["netlink", `attempt(lambda: socket.socket(16, socket.SOCK_RAW))`, "OSError 97"],
    ["the kernel's ciphers", `attempt(lambda: socket.socket(38, socket.SOCK_SEQPACKET))`, "OSError 97"],
  ];
  const files: [string, string, string | RegExp][] = [
    ["passwords", `open("/etc/passwd").read()`, "agent:x:1000:1000::/tmp:/bin/sh\n"],
    ["shadow", `attempt(lambda: open("/etc/shadow"))`, "FileNotFoundError 2"],
    ["another process's environment", `attempt(lambda: open("/proc/1/environ"))`, "FileNotFoundError 2"],
    ["the root of a process", `attempt(lambda: os.listdir("/proc/self/root"))`, "FileNotFoundError 2"],
    ["/sys", `attempt(lambda: os.listdir("/sys"))`, "FileNotFoundError 2"],
    ["a file by its path", `attempt(lambda: open(SECRET))`, "FileNotFoundError 2"],
    ["a file by climbing", `attempt(lambda: open("../" * 40 + SECRET))`, "FileNotFoundError 2"],
    [
      "a file by a link",
      `os.symlink(SECRET, "/tmp/link")\nattempt(lambda: open("/tmp/link"))`,
      "FileNotFoundError 2",
    ],
    [
      "a folder by a link",
      `os.symlink("../../../..", "/tmp/up")\nsorted(set(os.listdir("/tmp/up")) - set(os.listdir("/")))`,
      "[]",
    ],
    ["the run's folder", `attempt(lambda: os.listdir(FOLDER))`, "FileNotFoundError 2"],
    [
      "the home folder",
      `[os.path.exists(p) for p in (HOME if HOME != '/tmp' else '/root', "/root", "/home", "/work", "/mnt", "/var", "/run")]`,
      /^\[(False(, )?)+\]$/,
    ],
    ["this project", `attempt(lambda: os.listdir(PROJECT))`, "FileNotFoundError 2"],
    ["this project as a module", `[p for p in sys.path if p and not p.startswith(("/usr/", "/opt/"))]`, "[]"],
    [
      "the top",
      `sorted(set(os.listdir("/")) - {"bin", "sbin", "lib", "lib32", "lib64"})`,
      "['dev', 'etc', 'opt', 'tmp', 'usr']",
    ],
    ["devices", `sorted(os.listdir("/dev"))`, "['null', 'random', 'shm', 'urandom', 'zero']"],
    ["a terminal", `attempt(lambda: open("/dev/tty"))`, "FileNotFoundError 2"],
    [
      "making a device",
      `attempt(lambda: os.mknod("/tmp/disk", 0o60660, os.makedev(8, 0)))`,
      "PermissionError 1",
    ],
    [
      "making a device by another way",
      `attempt(lambda: os.mknod("/tmp/mem", 0o20660, os.makedev(1, 1)))`,
      "PermissionError 1",
    ],
    ["environment", `[k for k in os.environ if "TASKMILL" in k or "KEY" in k or "TOKEN" in k]`, "[]"],
    [
      "environment of the C library",
      `ctypes.c_char_p.in_dll(libc, "environ").value is None or b"TASKMILL" not in ctypes.string_at(ctypes.c_void_p.in_dll(libc, "environ").value, 8)`,
      "True",
    ],
    [
      "descriptors",
      `[n for n in range(256) if not isinstance(attempt(lambda: os.fstat(n)), str)]`,
      "[0, 1, 2, 200, 201]",
    ],
    [
      "writing where all may read",
      `paths = ["/x", "/usr/x", "/etc/x", "/dev/x", "/opt/x", "/opt/python/x", os.__file__, "/opt/taskmill/bootstrap.py", "/etc/passwd"]\n` +
        `[p for p in paths if not str(attempt(lambda: open(p, "a"))).startswith(("OSError 30", "PermissionError 13", "FileNotFoundError 2"))]`,
      "[]",
    ],
    ["removing the library", `attempt(lambda: os.remove(os.__file__))`, /^(OSError 30|PermissionError 13)$/],
    [
      "a hard link to it",
      `attempt(lambda: os.link(os.__file__, "/tmp/os.py"))`,
      /^(OSError 18|PermissionError 1)$/,
    ],
  ];
  const rights: [string, string, string | RegExp][] = [
    ["root inside", `0 in os.getresuid() + os.getresgid() + tuple(os.getgroups())`, "False"],
    [
      "becoming root",
      `[attempt(lambda: f(0)) for f in (os.setuid, os.setgid, os.seteuid, os.setegid)]`,
      /^\[('(PermissionError 1|OSError 22)'(, )?)+\]$/,
    ],
    ["groups of root", `attempt(lambda: os.setgroups([0]))`, "PermissionError 1"],
    [
      "a program of root's",
      `os.chmod(os.open("/tmp/s", os.O_CREAT), 0o4755)\nattempt(lambda: os.chown("/tmp/s", 0, 0))`,
      /^(PermissionError 1|OSError 22)$/,
    ],
    ["gaining rights by a program", `libc.prctl(39, 0, 0, 0, 0)`, "1"],
    [
      "su",
      `subprocess.run(["/bin/su", "-c", "id"], stdin=subprocess.DEVNULL, capture_output=True).stdout`,
      "b''",
    ],
    ["a mount", `libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), ctypes.get_errno()`, "(-1, 1)"],
    ["an unmount", `libc.umount2(b"/usr", 2), ctypes.get_errno()`, "(-1, 1)"],
    [
      "namespaces of its own",
      `[(libc.unshare(f), ctypes.get_errno()) for f in (0x10000000, 0x20000, 0x40000000)]`,
      "[(-1, 1), (-1, 1), (-1, 1)]",
    ],
    ["another's namespace", `libc.setns(0, 0), ctypes.get_errno()`, "(-1, 1)"],
    ["another root", `attempt(lambda: os.chroot("/tmp"))`, "PermissionError 1"],
    ["tracing", `libc.ptrace(16, 1, 0, 0), ctypes.get_errno()`, "(-1, 1)"],
    ["another's memory", `libc.process_vm_readv(1, None, 0, None, 0, 0), ctypes.get_errno()`, "(-1, 1)"],
    ["killing a process of the machine", `attempt(lambda: os.kill(PID, 9))`, "ProcessLookupError 3"],
    [
      "killing all there are",
      `attempt(lambda: os.kill(-1, 9))`,
      /^(None|ProcessLookupError 3|PermissionError 1)$/,
    ],
    [
      "more of everything",
      `[n for n in dir(resource) if n.startswith("RLIMIT_") and n not in ("RLIMIT_OFILE",) and (lambda h: h != -1 and attempt(lambda: resource.setrlimit(getattr(resource, n), (h + 1, h + 1))) is None)(resource.getrlimit(getattr(resource, n))[1])]`,
      "[]",
    ],
    ["going first", `attempt(lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))`, /^PermissionError/],
    [
      "the machine's name",
      `os.uname().nodename, attempt(lambda: socket.sethostname("x"))`,
      "('sandbox', 'PermissionError 1')",
    ],
    ["the clock", `import time\nattempt(lambda: time.clock_settime(0, 0.0))`, "PermissionError 1"],
    [
      "memory of nobody",
      `attempt(lambda: os.memfd_create("x")), libc.shmget(0, 4096, 0o1600), ctypes.get_errno()`,
      "('PermissionError 1', -1, 1)",
    ],
  ];
  const numbers: Record<string, number> =
    process.arch === "x64"
      ? { clone: 56, keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323, x32_getpid: 0x40000027 }
      : { clone: 220, keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282 };
  const calls: [string, string, string | RegExp][] = [
    ["io_uring", `call(425, 1, 0)`, "errno 1"],
    ["a new kind of clone", `call(435, 0, 0)`, "errno 38"],
    ["a clone into a user namespace", `call(${numbers.clone}, 0x10000011, 0, 0, 0, 0)`, "errno 1"],
    [
      "new ways to mount",
      `[call(n, 0, 0, 0, 0, 0) for n in range(428, 434)] + [call(442, 0, 0, 0, 0, 0)]`,
      /^\[('errno 1'(, )?){7}\]$/,
    ],
    ...["keyctl", "bpf", "perf_event_open", "userfaultfd"].map((n): [string, string, string] => [
      n,
      `call(${numbers[n]}, 0, 0, 0, 0, 0)`,
      "errno 1",
    ]),
    ...(numbers.x32_getpid === undefined
      ? []
      : [
          ["the second table of calls", `call(${numbers.x32_getpid})`, "errno 38"] as [
            string,
            string,
            string,
          ],
        ]),
  ];

  for (const [kind, table] of Object.entries({ network, files, rights, calls })) {
    it.each(table)(`${kind}: %s`, async (_what, code, right) => {
      const given = {
        PORT: port,
        FOLDER: folder,
        SECRET: secret,
        NAME: name,
        HOME: homedir(),
        PROJECT: process.cwd(),
        PID: process.pid,
      };
      const lines = Object.entries(given).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      const { text, ok, after } = await python.run(`${lines.join("\n")}\n${code}`);
      // A lone string is shown as Python shows it.
      const said = text
        .trimEnd()
        .replace(/^'(.*)'$/s, "$1")
        .replaceAll("\\n", "\n");
      expect({ said, ok, after }).toEqual({
        said: typeof right === "string" ? right : expect.stringMatching(right),
        ok: true,
        after: "",
      });
    });
  }

  it("nothing of that has reached a server of the machine", async () => {
    await python.run(
      `s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); attempt(lambda: s.sendto(b"x", ("127.0.0.1", ${port})))`,
    );
    expect(reached).toBe(0);
  });
});
