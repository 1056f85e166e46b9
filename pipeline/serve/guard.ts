import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Fault } from "./fault.js";

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  return isIP(host) !== 0 && ipaddr.process(host).range() === "loopback";
}

/**
 * Who may ask. A page in somebody's browser can send requests to a server on the same machine, under a name that it has pointed there: so
 * requests that say they come from a page are refused, and on loopback those for any other name. Elsewhere the token decides.
 */
export class Guard {
  readonly #token: Buffer | undefined;

  constructor(
    private readonly loopback: boolean,
    token: string | undefined,
  ) {
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** @throws Fault */
  check({ headers }: IncomingMessage): void {
    if (headers.origin !== undefined)
      throw new Fault(403, "from_a_page", "requests from web pages are refused");
    if (this.loopback && !isLoopback(nameIn(headers.host)))
      throw new Fault(403, "wrong_host", "this server answers to localhost, 127.0.0.1 and [::1] alone");
    if (this.#token !== undefined && !this.#knows(headers.authorization))
      throw new Fault(401, "no_token", "send the token: `Authorization: Bearer TOKEN`", {
        "www-authenticate": "Bearer",
      });
  }

  #knows(authorization: string | undefined): boolean {
    const given = /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(authorization ?? "")?.[1];
    // Digests are of one length, and how long a comparison takes says nothing of where they differ.
    return given !== undefined && timingSafeEqual(digest(given), this.#token!);
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The name of a `Host` header without its port; empty for none. */
function nameIn(host: string | undefined): string {
  const read = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([^:[\]/@\s]{1,255}))(?::\d{1,5})?$/.exec(host ?? "");
  return read?.[1] ?? read?.[2] ?? "";
}
