import type { Card } from "../../sources/card.js";
import type { Catalog, NumberColumn, Table } from "../../sources/table.js";
import { withAliases } from "../../verifiers/firewall/aliases.js";
import type { CopyRow, CopySource } from "../../verifiers/firewall/copies.js";
import type { BlockRule, Firewall } from "../../verifiers/firewall/firewall.js";
import { firewallOf } from "../../verifiers/firewall/firewall-of.js";
import { RELAY_RULES } from "../../verifiers/firewall/known.js";
import { parseRule } from "../../verifiers/firewall/rules.js";
import { compareText } from "../base/canonical.js";
import { fail } from "../base/errors.js";
import type { EnvironmentSpec } from "./spec.js";

export interface FirewallOf {
  readonly spec: Pick<EnvironmentSpec, "firewall" | "visit">;
  readonly cards: readonly Card[];
  readonly catalog: Catalog;
}

/**
 * The firewall of a run: what its cards and its config name, what would relay any of it, and copies of its tables. Tables are read when
 * the first text is looked at.
 * @throws TaskmillError (config) for a rule that names no host
 */
export function firewallFor({ spec, cards, catalog }: FirewallOf): Firewall {
  const { allow, copies } = spec.firewall;
  for (const rule of [...spec.firewall.block, ...allow, ...spec.visit.private_hosts]) needHost(rule);
  const tables = copies ? [...catalog.tables.values()].sort((a, b) => compareText(a.id, b.id)) : [];
  return firewallOf({
    rules: blockList(cards, spec.firewall.block),
    allow: [...allow, ...spec.visit.private_hosts],
    fingerprints: tables.filter((table) => table.card.kind !== "problems").map(copySource),
  });
}

/** The rules of a run, as exports write them for trainers (`network_block`): ordered, one for each host or address prefix. */
function blockList(cards: readonly Card[], further: readonly string[]): BlockRule[] {
  const why = new Map<string, Set<string>>();
  const add = (block: string, reason: string): void => {
    const parsed = parseRule(block);
    // A card's mirror may be written in any form; what names no host blocks nothing.
    if (parsed === undefined) return;
    const port = parsed.port === undefined ? "" : `:${parsed.port}`;
    const key = parsed.host + port + parsed.path;
    why.set(key, (why.get(key) ?? new Set()).add(reason));
  };
  for (const card of [...cards].sort((a, b) => compareText(a.id, b.id))) {
    for (const host of card.publisher.hosts) add(host, `publisher of ${card.id}`);
    for (const mirror of card.mirrors ?? []) add(mirror, `mirror of ${card.id}`);
  }
  for (const block of further) add(block, "config");
  const named = [...why].map(([block, reasons]) => ({ block, why: [...reasons].join(", ") }));
  return withAliases([...named, ...RELAY_RULES]).sort((a, b) => compareText(a.block, b.block));
}

function needHost(rule: string): void {
  if (parseRule(rule) !== undefined) return;
  const hint = "a host (`example.org`) or the beginning of an address (`example.org/data`)";
  fail("config", "bad_firewall_rule", `the firewall rule \`${rule}\` names no host`, hint);
}

function copySource(table: Table): CopySource {
  return { table: table.id, hash: table.hash, rows: () => rowsOf(table) };
}

/** Columns of units that differ by an offset, not by a factor, are given in both. */
const KELVIN = 273.15;

function rowsOf(table: Table): CopyRow[] {
  const columns = [...table.columns.values()]
    .filter((column): column is NumberColumn => column.type === "number" || column.type === "integer")
    .sort((a, b) => compareText(a.id, b.id));
  return table.names.map((name, row) => ({
    name,
    aliases: table.aliases[row] ?? [],
    values: columns.flatMap((column) => renderings(column, row)),
  }));
}

function renderings({ values, card }: NumberColumn, row: number): number[] {
  const value = values[row]!;
  if (card.unit === "K") return [value, value - KELVIN];
  if (card.unit === "degC") return [value, value + KELVIN];
  return [value];
}
