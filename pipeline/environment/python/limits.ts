/** What one session may use. */
export interface PythonLimits {
  /** Wall clock of one call, in seconds. */
  readonly seconds: number;
  /** Of all processes of the session together, in MB (10^6 bytes). */
  readonly memory_mb: number;
  /** Processes and threads at once. */
  readonly processes: number;
  /** Files that the session holds, together, in MB. */
  readonly disk_mb: number;
}

const MB = 1_000_000;
/** Calls' worth of processor time after which a process is killed: one that spins beside the calls does not do so for ever. */
const CALLS = 100;
/** Address space is not memory: libraries and thread stacks reserve far more than they touch. */
const RESERVED = 2_000 * MB;
/** The sandbox's own first process, and one that is on its way out. */
const SPARE = 2;

/** The kernel's limits of each process, by their names in Python's `resource`; bytes, seconds and counts. */
export function kernelLimits(limits: PythonLimits): Record<string, number> {
  const memory = memoryBytes(limits);
  return {
    AS: memory + RESERVED,
    DATA: memory,
    CPU: Math.ceil(limits.seconds * CALLS),
    FSIZE: diskBytes(limits),
    NOFILE: 256,
    NPROC: limits.processes + SPARE,
    CORE: 0,
    MEMLOCK: 0,
    MSGQUEUE: 0,
    SIGPENDING: 256,
    NICE: 0,
    RTPRIO: 0,
  };
}

export const memoryBytes = (limits: PythonLimits): number => Math.round(limits.memory_mb * MB);
export const diskBytes = (limits: PythonLimits): number => Math.round(limits.disk_mb * MB);
