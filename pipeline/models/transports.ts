import { type BatchOptions, batchTransport } from "./batch.js";
import { systemClock } from "./clock.js";
import { httpTransport } from "./http-transport.js";
import type { Role } from "./role.js";
import type { Transport } from "./transport.js";

/** How the calls of each role are sent: by batches where it says so, else one by one. */
export function transportsOf({
  clock = systemClock,
  ...options
}: Omit<BatchOptions, "role" | "clock"> & Partial<Pick<BatchOptions, "clock">>): (role: Role) => Transport {
  return (role) =>
    role.spec.batch === undefined ? httpTransport(role) : batchTransport({ ...options, clock, role });
}
