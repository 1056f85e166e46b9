import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../../../pipeline/base/errors.js";
import { firewallFor } from "../../../../pipeline/environment/firewall.js";
import { environmentSpec } from "../../../../pipeline/environment/spec.js";
import type { Card } from "../../../../sources/card.js";
import type { Table } from "../../../../sources/table.js";

const cardOf = (id: string, hosts: string[], mirrors?: string[]): Card =>
  ({ id, publisher: { name: id, hosts }, ...(mirrors === undefined ? {} : { mirrors }) }) as unknown as Card;

const names = Array.from({ length: 12 }, (_, i) => `Body${"abcdefghijkl"[i]}`);
const mass = names.map((_, i) => 1.234 + 0.813 * i);
const heat = names.map((_, i) => 301.2 + 17.31 * i);

const column = (unit: string, values: number[]) => ({
  type: "number",
  id: unit,
  card: { unit },
  values: Float64Array.from(values),
});
const table = {
  id: "bodies",
  card: cardOf("bodies", ["bodies.example"]),
  hash: "h",
  rows: names.length,
  names,
  aliases: names.map(() => []),
  columns: new Map([
    ["mass", column("kg", mass)],
    ["heat", column("K", heat)],
  ]),
} as unknown as Table;

const firewallOf = (firewall: object, cards: Card[] = [], visit: object = {}) =>
  firewallFor({
    spec: environmentSpec.parse({ firewall, visit }),
    cards,
    catalog: { tables: new Map([["bodies", table]]) },
  });

describe("the firewall of a run", () => {
  const cards = [
    cardOf("moons", ["ssd.jpl.nasa.gov"], ["github.com/owner/moons"]),
    cardOf("bodies", ["SSD.jpl.nasa.gov", "bodies.example"]),
  ];

  it("names publishers, mirrors, their other addresses, relays and what the config adds, once each, in order", () => {
    const { rules, hash } = firewallOf({ block: ["https://More.example/data/"] }, cards);
    const why = new Map(rules.map((rule) => [rule.block, rule.why]));
    expect(why.get("ssd.jpl.nasa.gov")).toBe("publisher of bodies, publisher of moons");
    expect(why.get("github.com/owner/moons")).toBe("mirror of moons");
    expect(why.get("raw.githubusercontent.com/owner/moons")).toBe(
      "mirror of moons (other address of github.com/owner/moons)",
    );
    expect(why.get("more.example/data")).toBe("config");
    expect(why.get("web.archive.org")).toBe("archive");
    expect(why.size).toBe(rules.length);
    expect(rules.map((r) => r.block)).toEqual([...why.keys()].sort());
    expect(firewallOf({ block: ["https://More.example/data/"] }, [...cards].reverse()).hash).toBe(hash);
  });

  it("knows copies in any unit, kelvin and degrees Celsius among them, unless an exception names the page", () => {
    const { copies } = firewallOf({ allow: ["own.example"] }, cards);
    const page = (line: (i: number) => string): string => names.map((_, i) => line(i)).join("\n");
    const inCelsius = page(
      (i) => `${names[i]}: ${(mass[i]! * 2.20462).toFixed(3)} lb, ${(heat[i]! - 273.15).toFixed(2)} °C`,
    );
    expect(copies(inCelsius)).toBe("copy of bodies: 12 of 12 rows");
    expect(copies(inCelsius, "https://other.example/")).toBe("copy of bodies: 12 of 12 rows");
    expect(copies(inCelsius, "https://own.example/a")).toBeUndefined();
    expect(firewallOf({ copies: false }, cards).copies(inCelsius)).toBeUndefined();
  });

  it("lets the private hosts through that the config lists, and no other number", () => {
    const { blocks } = firewallOf({}, cards, { private_hosts: ["10.0.0.7:8080"] });
    expect(blocks("http://10.0.0.7:8080/a")).toBeUndefined();
    expect(blocks("http://10.0.0.7/a")).toBeDefined();
    expect(blocks("http://10.0.0.8:8080/a")).toBeDefined();
  });

  it("says which rule of the config names no host", () => {
    expect(() => firewallOf({ block: ["https://"] })).toThrow(TaskmillError);
    expect(() => firewallOf({ allow: ["no host"] })).toThrow("`no host` names no host");
  });
});
