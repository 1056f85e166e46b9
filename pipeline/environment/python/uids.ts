import { readFileSync } from "node:fs";

/**
 * User ids that no system gives out (systemd's table "Users, Groups, UIDs and GIDs"); in a container that knows few, those of services
 * which exist while they run. One for each session, so that the kernel's limit on a user's processes is that of the session.
 */
const RANGES = [
  { first: 0x70000000, count: 0x0ff00000 },
  { first: 61184, count: 4336 },
] as const;

let sessions = 0;

/** A user id for one more session; two runs on one machine start at different ones. */
export function nextUid(): number {
  const { first, count } = RANGES.find((range) => mapped(range.first + range.count - 1)) ?? RANGES[1];
  return first + ((process.pid * 4096 + sessions++) % count);
}

/** Whether this user namespace knows an id. */
function mapped(id: number): boolean {
  try {
    return readFileSync("/proc/self/uid_map", "latin1")
      .split("\n")
      .some((line) => {
        const [inside, , length] = line.trim().split(/\s+/).map(Number);
        return id >= inside! && id < inside! + length!;
      });
  } catch {
    return true;
  }
}
