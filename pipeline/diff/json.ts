import { canonicalJson, type Json } from "../base/canonical.js";

/** A place in two JSON values at which they differ; null where there is nothing. */
export interface Change {
  readonly path: string;
  readonly a: Json;
  readonly b: Json;
}

/** More differences than this of one value tell nothing that these do not. */
const MAX_CHANGES = 40;

/**
 * Where two JSON values differ, in the order of their keys. Items of lists that have ids are matched by them, so that one more recipe is
 * one difference; other lists of different lengths differ as a whole.
 */
export function changesBetween(a: unknown, b: unknown, path = ""): Change[] {
  const found: Change[] = [];
  collect(a as Json, b as Json, path, found);
  return found;
}

function collect(a: Json | undefined, b: Json | undefined, path: string, found: Change[]): void {
  if (found.length >= MAX_CHANGES || same(a, b)) return;
  const [left, right] = [membersOf(a), membersOf(b)];
  if (left === undefined || right === undefined || left.list !== right.list) {
    found.push({ path, a: a ?? null, b: b ?? null });
    return;
  }
  const names = [...new Set([...left.members.keys(), ...right.members.keys()])];
  for (const name of left.list ? names : names.sort()) {
    const inner = left.list ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    collect(left.members.get(name), right.members.get(name), inner, found);
  }
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

interface Members {
  readonly list: boolean;
  readonly members: ReadonlyMap<string, Json>;
}

/** Members by name; undefined for what is compared as a whole. */
function membersOf(value: Json | undefined): Members | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).filter((e): e is [string, Json] => e[1] !== undefined);
    return { list: false, members: new Map(entries) };
  }
  const ids = value.map(idOf);
  const named = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
  if (!named || ids.length === 0) return value.length === 0 ? { list: true, members: new Map() } : undefined;
  return { list: true, members: new Map(value.map((item, i) => [ids[i]!, item])) };
}

/** What names an item of a list: its id, or in gates the gate. */
function idOf(item: Json): string | undefined {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return undefined;
  const { id, gate } = item as { readonly id?: Json; readonly gate?: Json };
  const name = id ?? gate;
  return typeof name === "string" ? name : undefined;
}
