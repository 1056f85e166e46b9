import { endianness } from "node:os";
import { fail } from "../../base/errors.js";

/**
 * A filter of system calls for the sandbox, as classic BPF (`struct sock_filter`), which bubblewrap loads. Namespaces and limits are the
 * wall; this closes what they leave open: address families that know no network namespace (AF_VSOCK reaches the hypervisor of a virtual
 * machine), memory that no limit counts (System V shared memory, memfd), new user namespaces, and calls that have been doors before.
 * Numbers: Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (arm64).
 */

/** [x86_64, arm64]; null where the architecture has no such call. */
type Numbers = readonly [number | null, number | null];

const DENIED: Readonly<Record<string, Numbers>> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  // Memory that belongs to no process.
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  // Large parts of the kernel that no cell needs.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  syslog: [103, 116],
  personality: [135, 92],
  modify_ldt: [154, null],
  iopl: [172, null],
  ioperm: [173, null],
  // The machine.
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
};

const CLONE: Numbers = [56, 220];
const CLONE3: Numbers = [435, 435];
const SOCKET: Numbers = [41, 198];
/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACE = 0x7e020080;
/** AF_UNIX, AF_INET, AF_INET6. */
const FAMILIES = [1, 2, 10];
/** On x86_64, numbers from here on are the x32 interface's, a second door to the same calls. */
const X32 = 0x40000000;

const ARCHITECTURES: Readonly<Record<string, { readonly column: 0 | 1; readonly audit: number }>> = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
};

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in `struct seccomp_data`; the lower half of an argument comes first on these machines. */
const NUMBER = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, k: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const equal = (k: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, k];
const atLeast = (k: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, k];
const anyBit = (k: number, ifTrue: number, ifFalse: number): Instruction => [0x45, ifTrue, ifFalse, k];
const refuse = (errno: number): Instruction => [0x06, 0, 0, 0x00050000 | errno];
const ALLOW: Instruction = [0x06, 0, 0, 0x7fff0000];

/**
 * The filter's bytes for this machine.
 * @throws TaskmillError on an architecture without a table of numbers
 */
export function seccompFilter(arch: string = process.arch): Buffer {
  const architecture = ARCHITECTURES[arch];
  if (architecture === undefined || endianness() !== "LE") {
    const hint = `the sandbox knows the system calls of: ${Object.keys(ARCHITECTURES).join(", ")}`;
    fail("internal", "no_sandbox", `Python cannot be sandboxed on the architecture ${arch}`, hint);
  }
  const { column, audit } = architecture;
  const of = (numbers: Numbers): number => numbers[column]!;
  const program: Instruction[] = [load(AUDIT), equal(audit, 1, 0), refuse(ENOSYS), load(NUMBER)];
  if (arch === "x64") program.push(atLeast(X32, 0, 1), refuse(ENOSYS));
  for (const numbers of Object.values(DENIED)) {
    if (numbers[column] !== null) program.push(equal(numbers[column], 0, 1), refuse(EPERM));
  }
  // Its flags lie in memory, where a filter cannot look; the C library then takes `clone`.
  program.push(equal(of(CLONE3), 0, 1), refuse(ENOSYS));
  program.push(
    equal(of(CLONE), 0, 4),
    load(FIRST_ARGUMENT),
    anyBit(NEW_NAMESPACE, 0, 1),
    refuse(EPERM),
    ALLOW,
  );
  const known = FAMILIES.map((family, i) => equal(family, FAMILIES.length - i, 0));
  program.push(equal(of(SOCKET), 0, known.length + 2), load(FIRST_ARGUMENT), ...known, refuse(EAFNOSUPPORT));
  program.push(ALLOW);
  return assemble(program);
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, k], i) => {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, i * 8 + 4);
  });
  return bytes;
}
