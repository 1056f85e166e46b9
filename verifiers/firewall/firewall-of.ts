import { createHash } from "node:crypto";
import { type Address, addressOf, pathOf } from "./address.js";
import { type CopySource, copyFinder } from "./copies.js";
import { carried, spelt } from "./embedded.js";
import type { BlockRule, Firewall } from "./firewall.js";
import { RuleSet } from "./rules.js";

/** Longer addresses are blocked: what they carry could not be looked through, and no page needs them. */
const LONGEST = 4096;
/** Part of the hash: raised when the same rules and tables would judge otherwise. */
const VERSION = 1;

/** Names of what is blocked whatever the rules. */
export const UNNAMED = {
  none: "no address",
  long: "address too long",
  scheme: "scheme other than http and https",
  user: "address with a user name",
  ip: "address without a host name",
} as const;

export interface FirewallInput {
  readonly rules: readonly BlockRule[];
  /** Hosts, `host:port` or address prefixes that are let through, themselves and nothing that they carry. */
  readonly allow?: readonly string[];
  /** Tables whose copies are blocked; read at the first text that is looked at. */
  readonly fingerprints: readonly CopySource[];
}

/** A firewall of rules and tables. Documents of a corpus that have no address (`corpus:`) pass; everything else must be http or https. */
export function firewallOf({ rules, allow = [], fingerprints }: FirewallInput): Firewall {
  const blocked = new RuleSet(rules);
  const allowed = new RuleSet(allow.map((block) => ({ block })));
  let find: ((text: string) => string | undefined) | undefined;
  return {
    rules,
    hash: hashOf({ rules, allow, fingerprints }),
    blocks: (url) => judge(url, blocked, allowed),
    copies(text, url) {
      const address = url === undefined ? undefined : addressOf(url);
      if (address !== undefined && allowed.match(address) !== undefined) return undefined;
      find ??= copyFinder(fingerprints);
      return find(text);
    },
  };
}

function hashOf({ rules, allow, fingerprints }: Required<FirewallInput>): string {
  const text = JSON.stringify([
    VERSION,
    rules.map(({ block, why }) => [block, why]),
    allow,
    fingerprints.map(({ table, hash }) => [table, hash]),
  ]);
  return createHash("sha256").update(text).digest("hex");
}

function judge(url: string, blocked: RuleSet, allowed: RuleSet): string | undefined {
  if (url.length > LONGEST) return UNNAMED.long;
  const address = addressOf(url);
  if (address === undefined) return UNNAMED.none;
  if (address.scheme === "corpus:") return undefined;
  if (address.scheme !== "http:" && address.scheme !== "https:") return UNNAMED.scheme;
  if (address.host === "") return UNNAMED.none;
  if (address.userinfo) return UNNAMED.user;
  return itself(address, blocked, allowed) ?? inside(address, blocked, allowed);
}

/** The more specific of the rules for and against wins; of two that are equal, the one that allows. */
function itself(address: Address, blocked: RuleSet, allowed: RuleSet): string | undefined {
  const against = blocked.match(address);
  const by = allowed.match(address);
  if (against !== undefined && against.length > (by?.length ?? 0)) return against.rule;
  return address.ip && by === undefined ? UNNAMED.ip : undefined;
}

/** The rule against an address that this one carries, in its path, query, fragment or host name. */
function inside(address: Address, blocked: RuleSet, allowed: RuleSet): string | undefined {
  const own = allowed.match(address);
  for (const found of own === undefined ? spelt(address.host) : []) {
    const rule = blocked.match(found)?.rule;
    if (rule !== undefined) return rule;
  }
  for (const { host, path } of carried(address.rest)) {
    const found = { host, path: pathOf(path) };
    const against = blocked.match(found);
    if (against !== undefined && against.length > (allowed.match(found)?.length ?? 0)) return against.rule;
    for (const name of spelt(host)) {
      const rule = blocked.match(name)?.rule;
      if (rule !== undefined) return rule;
    }
  }
  return undefined;
}
