import { stream } from "../../../pipeline/base/random.js";
import type { Card } from "../../../sources/card.js";
import type { Catalog, Column, Table } from "../../../sources/table.js";
import { type ComputedRow, computedRow } from "../../../stages/task.js";
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
  groups: [
    ["60.5", "A5", "icosahedral rotation group"],
    ["6.1", "S3", "D3"],
    ["8.4", "Q8", "quaternion group"],
  ],
};

function tableOf(card: Card): Table {
  const entities = ENTITIES[card.id]!;
  const keys = entities.map((e) => e[0]);
  const columns = new Map<string, Column>();
  for (const [id, column] of Object.entries(card.columns)) {
    const random = stream("table", card.id, id);
    if (column.type === "text")
      columns.set(id, { type: "text", id, card: column, values: keys.map(() => null) });
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

/** A computed row around a program: some entity is the selected one, its figures are the table's. */
export function rowOf(sayable: Sayable, seed: number | string): ComputedRow {
  const random = stream("row", seed);
  const { program, formula } = sayable;
  const table = catalog.tables.get(program.table)!;
  const link = program.follow === undefined ? undefined : table.card.links[program.follow];
  const to = link === undefined ? undefined : catalog.tables.get(link.to)!;
  const ref = (t: Table) => {
    const at = random.int(t.rows);
    return { table: t.id, key: t.keys[at]!, name: t.names[at]!, record: at + 1 };
  };
  const entity = ref(table);
  const followed = to === undefined ? undefined : ref(to);
  const figureOf = (t: Table, key: string, column: string) =>
    (t.columns.get(column) as { values: Float64Array }).values[t.rowOf(key)!]!;
  const value = roundTo(figure(random, formula.exact), 12);
  const inputs = Object.fromEntries(
    Object.entries(program.compute.inputs).map(([name, { of, column }]) => {
      const [t, e] = of === "followed" ? ([to!, followed!] as const) : ([table, entity] as const);
      return [
        name,
        {
          entity: e,
          column,
          value: figureOf(t, e.key, column),
          unit: t.card.columns[column]!.unit ?? "1",
          u: 0.001,
          sensitivity: 1,
        },
      ];
    }),
  );
  const { unit, digits } = program.compute;
  const selected = figureOf(table, entity.key, program.select.column);
  return computedRow.parse({
    id: "0123456789abcdef",
    program,
    formula,
    snapshots: Object.fromEntries([table, ...(to === undefined ? [] : [to])].map((t) => [t.id, t.hash])),
    origin: { stage: "enumerate", kind: "space", name: "test", index: 0 },
    filter: {
      rows: table.rows,
      conditions: program.where.map(() => ({ holds: 3, unknown: 0 })),
      candidates: 3,
      unknown: 0,
    },
    selection: {
      entity,
      ...(followed === undefined ? {} : { followed }),
      value: selected,
      unit: table.card.columns[program.select.column]!.unit ?? "1",
      ranking: [{ key: entity.key, name: entity.name, value: selected, u: 0.001 }],
      margin: null,
      without: program.where.map(() => null),
    },
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
        id: "selected",
        kind: "entity",
        label: "selected entity",
        text: entity.name,
        aliases: [],
        value: null,
        unit: null,
        tolerance: null,
        depends_on: [],
      },
      {
        id: "answer",
        kind: "answer",
        label: formula.noun,
        text: "",
        aliases: [],
        value,
        unit,
        tolerance: 0.005,
        depends_on: ["selected"],
      },
    ],
    gates: [{ gate: "twice_computed", status: "passed", why: "made for a test" }],
    difficulty: {
      conditions: program.where.length,
      hops: 0,
      candidates: 3,
      rank: program.select.rank,
      formula_inputs: 1,
      formula_depth: 1,
    },
  });
}
