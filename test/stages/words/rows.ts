import { stream } from "../../../pipeline/base/random.js";
import type { Card } from "../../../sources/card.js";
import type { Catalog, Column, Table } from "../../../sources/table.js";
import { catalogFor } from "../../../stages/program/derived.js";
import { pathOf } from "../../../stages/program/path.js";
import { formOf } from "../../../stages/program/program.js";
import { type ComputedRow, computedRow, type EntityRef } from "../../../stages/task.js";
import type { Sayable } from "../../../stages/words/reads.js";
import { formatValue, roundTo } from "../../../verifiers/numbers.js";
import { cards } from "./cards.js";

/** Small tables under the test cards and whole rows over them, with made-up figures: what the lint reads, nothing computed. */

const ENTITIES: Readonly<Record<string, readonly [key: string, name: string, ...aliases: string[]][]>> = {
  planets: [
    ["mercury", "Mercury"],
    ["venus", "Venus", "Morning Star"],
    ["earth", "Earth", "Terra"],
    ["uranus", "Uranus", "Georgium Sidus"],
  ],
  moons: [
    ["moon", "Moon", "Luna"],
    ["io", "Io", "Jupiter I"],
    ["mimas", "Mimas", "Saturn I"],
    ["titania", "Titania", "Uranus III"],
  ],
  asteroids: [
    ["1", "1 Ceres", "Ceres"],
    ["20000", "20000 Varuna (2000 WR106)"],
    ["243", "243 Ida", "1884 DB"],
    ["46", "46 Hestia", "Hestia"],
  ],
  isotopes: [
    ["U238", "uranium-238", "U-238"],
    ["C14", "carbon-14", "C-14", "radiocarbon"],
    ["In115", "indium-115", "In-115"],
  ],
  elements: [
    ["U", "uranium", "U"],
    ["In", "indium", "In"],
    ["As", "arsenic", "As"],
    ["K", "potassium", "K", "kalium"],
    ["Al", "aluminium", "Al"],
  ],
  stars: [
    ["sun", "Sun", "Sol"],
    ["vega", "Vega", "Alpha Lyrae"],
    ["sirius", "Sirius", "Dog Star"],
  ],
  airports: [
    ["LHR", "London Heathrow Airport", "Heathrow"],
    ["ZRH", "Zürich Airport", "Kloten"],
    ["SVQ", "Seville Airport", "San Pablo"],
    ["BIO", "Bilbao Airport", "Loiu"],
  ],
  countries: [
    ["GB", "United Kingdom", "Britain"],
    ["ES", "Spain", "España"],
    ["CH", "Switzerland", "Helvetia"],
  ],
  groups: [
    ["60.5", "A5", "icosahedral rotation group"],
    ["6.1", "S3", "D3"],
    ["8.4", "Q8", "quaternion group"],
  ],
};

/** Texts that entities share with their peers. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  country: ["Wakanda", "Ruritania", "Elbonia"],
  continent: ["Gondwana", "Laurasia", "Atlantis"],
  currency: ["florin", "ducat", "thaler"],
};

function tableOf(card: Card): Table {
  const entities = ENTITIES[card.id]!;
  const keys = entities.map((e) => e[0]);
  const columns = new Map<string, Column>();
  for (const [id, column] of Object.entries(card.columns)) {
    const random = stream("table", card.id, id);
    if (column.type === "text")
      columns.set(id, {
        type: "text",
        id,
        card: column,
        values: keys.map((_, i) => TEXTS[id]?.[i % 3] ?? null),
      });
    else if (column.type === "flag")
      columns.set(id, { type: "flag", id, card: column, values: Uint8Array.from(keys, () => random.int(2)) });
    else {
      const values = Float64Array.from(keys, () => figure(random, column.type === "integer"));
      columns.set(id, {
        type: column.type,
        id,
        card: column,
        values,
        u: values.map(() => 0.001),
        limit: new Int8Array(keys.length),
      });
    }
  }
  return {
    id: card.id,
    card,
    hash: "0".repeat(64),
    rows: keys.length,
    keys,
    names: entities.map((e) => e[1]),
    aliases: entities.map((e) => e.slice(2)),
    records: Int32Array.from(keys, (_, i) => i + 1),
    columns,
    rowOf: (key) => (keys.includes(key) ? keys.indexOf(key) : undefined),
  };
}

/** Five digits, the third never zero, so that no round threshold renders it. */
function figure(random: ReturnType<typeof stream>, whole: boolean): number {
  if (whole) return 113 + random.int(40000) * 10;
  const digits = 10000 + random.int(900) * 100 + 11 + random.int(80);
  return Number(`${digits}e${random.int(12) - 4}`);
}

export const catalog: Catalog = { tables: new Map([...cards.values()].map((c) => [c.id, tableOf(c)])) };

/** A computed row around a program: some entities are the ones it chooses, their figures are the table's. */
export function rowOf(sayable: Sayable, seed: number | string): ComputedRow {
  const random = stream("row", seed);
  const { program, formula } = sayable;
  const scene = catalogFor(sayable, catalog);
  const table = scene.tables.get(program.table)!;
  const ref = (t: Table) => {
    const at = random.int(t.rows);
    return { table: t.id, key: t.keys[at]!, name: t.names[at]!, record: at + 1 };
  };
  const entity = ref(table);
  const path = (pathOf(program, scene)?.tables ?? []).map(ref);
  const other = program.other === undefined ? undefined : ref(table);
  const figureOf = (at: EntityRef, column: string) => {
    const t = scene.tables.get(at.table)!;
    return (t.columns.get(column) as { values: Float64Array }).values[t.rowOf(at.key)!]!;
  };
  const choice = (at: EntityRef, column: string) => {
    const value = figureOf(at, column);
    return {
      entity: at,
      value,
      unit: scene.tables.get(at.table)!.card.columns[column]!.unit ?? "1",
      ranking: [{ key: at.key, name: at.name, value, u: 0.001 }],
      margin: null,
      without: [],
    };
  };
  const value = roundTo(figure(random, formula.exact), 12);
  const whose = { selected: entity, followed: path.at(-1), other, candidates: undefined };
  const inputs = Object.fromEntries(
    Object.entries(program.compute.inputs).map(([name, { of, column, take }]) => {
      const at = whose[of];
      const card = of === "followed" ? scene.tables.get(at!.table)!.card : table.card;
      return [
        name,
        {
          ...(at === undefined ? {} : { entity: at }),
          ...(take === undefined ? {} : { take }),
          column,
          value: at === undefined ? figure(random, false) : figureOf(at, column),
          unit: card.columns[column]!.unit ?? "1",
          u: 0.001,
          sensitivity: 1,
        },
      ];
    }),
  );
  const { unit, digits } = program.compute;
  const peers = (program.follow ?? []).flatMap((step, i) =>
    typeof step === "string" ? [] : [{ ...choice(path[i]!, step.select.column), candidates: 3 }],
  );
  const tables = [table, ...path.map((p) => scene.tables.get(p.table)!)];
  return computedRow.parse({
    id: "0123456789abcdef",
    program,
    formula,
    ...(sayable.derived === undefined ? {} : { derived: sayable.derived }),
    snapshots: Object.fromEntries(tables.map((t) => [t.id, t.hash])),
    origin: { stage: "enumerate", kind: "space", name: "test", index: 0 },
    filter: {
      rows: table.rows,
      conditions: program.where.map(() => ({ holds: 3, unknown: 0 })),
      candidates: 3,
      unknown: 0,
    },
    ...(program.select === undefined
      ? { aggregate: { members: table.keys.map((key, i) => ({ key, record: i + 1 })), leave_one_out: {} } }
      : {
          selection: {
            ...choice(entity, program.select.column),
            without: program.where.map(() => null),
            ...(path.length < 2 ? {} : { via: path.slice(0, -1) }),
            ...(path.length === 0 ? {} : { followed: path.at(-1) }),
            ...(peers.length === 0 ? {} : { peers }),
            ...(other === undefined
              ? {}
              : { other: { ...choice(other, program.other!.select.column), candidates: 3 } }),
          },
        }),
    answer: {
      type: formula.exact ? "integer" : "quantity",
      value,
      unit,
      digits,
      text: formula.exact ? String(value) : formatValue(value, digits),
      tolerance: 0.005,
      uncertainty: 0.001,
      by_duckdb: value,
      by_typescript: value,
      condition_number: 1,
    },
    inputs,
    wrong_answers: [],
    chain: [
      {
        id: "answer",
        kind: "answer",
        label: formula.noun,
        text: "",
        aliases: [],
        value,
        unit,
        tolerance: 0.005,
        depends_on: [],
      },
    ],
    gates: [{ gate: "twice_computed", status: "passed", why: "made for a test" }],
    difficulty: {
      conditions: program.where.length,
      hops: path.length,
      candidates: 3,
      rank: program.select?.rank ?? 1,
      formula_inputs: 1,
      formula_depth: 1,
      form: formOf(program),
      evidence: 1,
    },
  });
}
