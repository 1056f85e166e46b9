import { type Address, addressOf } from "./address.js";
import type { BlockRule } from "./firewall.js";

/** One rule, taken apart. */
interface Parsed {
  readonly text: string;
  readonly port: string | undefined;
  /** Normalised; empty for a whole host. */
  readonly path: string;
}

/** Rules by host: a look-up costs a step for each label of a host, however many rules there are. */
export class RuleSet {
  readonly #byHost = new Map<string, Parsed[]>();

  /** @param rules hosts, `host:port`, or address prefixes, with or without a scheme; what is none of these is left out */
  constructor(rules: readonly Pick<BlockRule, "block">[]) {
    for (const { block } of rules) {
      const parsed = parseRule(block);
      if (parsed === undefined) continue;
      const list = this.#byHost.get(parsed.host);
      if (list === undefined) this.#byHost.set(parsed.host, [parsed]);
      else list.push(parsed);
    }
  }

  /** The most specific rule that names an address (or a part of what it names), and how specific: longer is more. */
  match(
    address: Pick<Address, "host" | "path"> & { readonly port?: string },
  ): { readonly rule: string; readonly length: number } | undefined {
    let best: { rule: string; length: number } | undefined;
    for (const host of suffixes(address.host)) {
      for (const rule of this.#byHost.get(host) ?? []) {
        if (rule.port !== undefined && rule.port !== address.port) continue;
        if (!under(address.path, rule.path)) continue;
        const length = host.length + rule.path.length + (rule.port === undefined ? 0 : 1);
        if (best === undefined || length > best.length) best = { rule: rule.text, length };
      }
    }
    return best;
  }
}

/** Host and path of a rule as cards and configs write it; undefined for what names no host. */
export function parseRule(text: string): (Parsed & { readonly host: string }) | undefined {
  const bare = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^\*?\./, "");
  const address = addressOf(`http://${bare}`);
  if (address === undefined || address.host === "" || address.userinfo) return undefined;
  const port = /^[^/?#]*:(\d+)(?:[/?#]|$)/.exec(bare)?.[1];
  return { text, host: address.host, port, path: address.path };
}

/** A host and every domain that it belongs to. */
function* suffixes(host: string): Generator<string> {
  yield host;
  if (host.startsWith("[")) return;
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) yield host.slice(dot + 1);
}

/** Whether a path lies under another: whole segments, or a name with a version or `.git` behind it (`repo@1.2`, `repo.git`). */
function under(path: string, prefix: string): boolean {
  if (prefix === "") return true;
  if (!path.startsWith(prefix)) return false;
  const next = path.slice(prefix.length, prefix.length + 5);
  return next === "" || /^(?:[/@:;,?#&]|\.git(?:$|\W))/.test(next);
}
