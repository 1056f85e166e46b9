import { fold } from "../plain-text.js";
import { nameKeys } from "./names.js";

const SYMBOL = /^\p{L}{1,2}$/u;

/** Names to look for. */
export interface Index {
  readonly keys: ReadonlySet<string>;
  /** Symbols of one or two letters, which count as written: Co is not CO. */
  readonly symbols: ReadonlySet<string>;
  /** What compound names are without numbers and brackets. */
  readonly parts: ReadonlySet<string>;
}

/** A table's other names are many, and the same for each of its answers. */
const indexes = new WeakMap<readonly string[], Index>();

export function othersOf(others: readonly string[]): Index {
  const known = indexes.get(others) ?? indexOf(others, new Set());
  indexes.set(others, known);
  return known;
}

export function indexOf(names: readonly string[], shared: ReadonlySet<string>): Index {
  const all = names.flatMap((name) => forms(name, shared));
  return {
    keys: new Set(all.filter((f) => !SYMBOL.test(f)).flatMap((f) => [...nameKeys(f)])),
    symbols: new Set(all.filter((f) => SYMBOL.test(f))),
    parts: new Set(names.map(stripped)),
  };
}

/** Whether the whole text is one of these names, and none of those in `except`. */
export function isNamed(text: string, { keys, symbols }: Index, except?: Index): boolean {
  if (SYMBOL.test(text)) return symbols.has(text);
  const said = [...nameKeys(text)];
  return said.some((k) => keys.has(k)) && !said.some((k) => except?.keys.has(k));
}

/** A compound name's parts that are names too: "20000 Varuna (2000 WR106)". A part that another entity shares is none. */
function forms(name: string, shared: ReadonlySet<string>): string[] {
  if (!/[\d()]/.test(name)) return [name];
  const outside = name.replace(/\([^()]*\)/g, " ").trim();
  const parts = [outside, outside.replace(/^\d+[ .]+(?=\p{L})/u, "")];
  const inside = Array.from(name.matchAll(/\(([^()]*\d[^()]*)\)/g), (m) => m[1]!).filter((p) =>
    /\p{L}/u.test(p),
  );
  const own = [...parts, ...inside].filter((p) => p !== "" && p !== name && !shared.has(stripped(p)));
  return [name, ...new Set(own)];
}

const stripped = (name: string): string =>
  fold(name.replace(/\([^()]*\)/g, " ").replace(/^\d+[ .]+/, "")).trim();
