import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { HttpFault } from "./http-fault.js";

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

export const systemResolve: Resolve = (host) => systemLookup(host, { all: true, verbatim: true });

/** Public by their number, though cloud machines find their own secrets there. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** Whether an address is one of the open internet: not private, local, shared, multicast, reserved, or a wrapping of such a one. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return ip.range() === "unicast" && !METADATA.has(ip.toString());
}

/**
 * Name look-up for one connection, which refuses what is not public. The socket connects to the very addresses that were judged here,
 * so that a name server which answers differently the next time gains nothing. One bad address among several refuses all.
 */
export function guardedLookup(resolve: Resolve, anywhere: boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const fault = judge(found, anywhere);
        if (fault !== undefined) callback(fault, []);
        else if (options.all) callback(null, [...found]);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: unknown) => callback(asError(error), []),
    );
  };
}

function judge(found: readonly Resolved[], anywhere: boolean): HttpFault | undefined {
  if (found.length === 0) return new HttpFault("the host name has no address");
  if (anywhere || found.every(({ address }) => isPublic(address))) return undefined;
  return new HttpFault("the host is in a private network", { lasting: true });
}

function asError(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error ? error : new HttpFault("the host name could not be looked up");
}

/** Whether a list of hosts (`name` or `name:port`) has the host of an address, or this port of it. */
export function listed(url: URL, hosts: readonly string[]): boolean {
  const name = url.hostname.replace(/\.+$/, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.some((host) => host.toLowerCase() === name || host.toLowerCase() === `${name}:${port}`);
}
