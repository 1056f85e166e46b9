// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a config writes them
import type { Card, ColumnCard } from "../../sources/card.js";
import { hashOf } from "../base/canonical.js";
import { builtinFormulas } from "../builtin-formulas.js";

/** Up to so many entities count as a handful. */
const FEW = 30;
const TARGET = 200;

/** A config as text: it runs as it is, and each section says what may be changed. */
export function configText(name: string, cards: readonly Card[], references: readonly string[]): string {
  const usable = cards.filter((card) => may(card, "select").length > 0 && card.entity.public);
  const tables = usable.length > 0 ? usable : cards;
  const fitting = formulasOf(tables);
  return `${[...head(name, cards, references), ...stages(tables, fitting)].join("\n")}\n`;
}

function head(name: string, cards: readonly Card[], references: readonly string[]): string[] {
  return [
    `# Tasks about ${cards.map((c) => c.entity.plural).join(", ")}. No model, no key, no network: npx pipeline run ${name}.yaml`,
    "# All keys are in docs/config.md; `npx pipeline stages show KIND` lists what a stage takes.",
    `name: ${name}                # the dataset goes to runs/${name}`,
    `seed: ${seedOf(name)}            # every random choice follows from it`,
    `sources: [${references.join(", ")}]`,
    `target: { accepted: ${TARGET}, candidates: 60000 }   # stop at so many tasks; give up after so many candidates`,
    "",
    "# With a model behind an OpenAI-compatible endpoint, questions are worded anew, read back and tried: take the # away here, and",
    "# before the stages below that name a role.",
    "# models:",
    '#   writer: { base_url: "${TASKMILL_BASE_URL:-}", model: "${TASKMILL_MODEL:-}", key_variable: TASKMILL_API_KEY }',
    '#   reader: { base_url: "${TASKMILL_BASE_URL:-}", model: "${TASKMILL_MODEL:-}", key_variable: TASKMILL_API_KEY }',
    "",
  ];
}

/** Any number will do; one that the name gives differs from config to config and is the same each time. */
function seedOf(name: string): number {
  return Number.parseInt(hashOf(name).slice(0, 7), 16);
}

function stages(tables: readonly Card[], fitting: readonly string[]): string[] {
  const named =
    fitting.length === 0 ? "none of them: `quantity` of columns binds them" : fitting.slice(0, 12).join(", ");
  return [
    "stages:",
    "  # Programs are drawn from spaces: a class of entities, conditions, an extremum, and a formula of the entity found.",
    ...comment(`Formulas that fit: ${named}.`, 1),
    "  enumerate:",
    "    spaces:",
    ...tables.map((card) => `      - { id: ${card.id}, table: ${card.id} }`),
    "    limits: { filter: { min_candidates: 3 } }",
    "  filter: { min_candidates: 3 }",
    "",
    ...recipe(tables[0]!, fitting),
    "  # No formula, entity or shape of task may be more than its share of the dataset; the first `floor` of each always pass.",
    "  balance:",
    `    formula: ${fitting.length > 8 ? 0.2 : 0.4}`,
    `    entity: ${entityShare(tables)}`,
    "    floor: 12",
    ...tinyTables(tables),
    "",
    "  # reword: { role: writer }",
    "  # round_trip: { role: reader }",
    "",
    "  emit:",
    "    # No model has looked at these rows: they enter the RL pool unscreened, by name, and the dataset's card says so.",
    "    admit_unscreened: [contamination, closed_book, round_trip, solve, admission]",
  ];
}

/** One entity of a small table may stand in more tasks. */
function entityShare(tables: readonly Card[]): number {
  const sizes = tables.flatMap((card) => card.complete.map((c) => c.total));
  const largest = Math.max(0, ...sizes);
  if (largest === 0 || largest > 300) return 0.02;
  return largest > 60 ? 0.05 : 0.1;
}

function tinyTables(tables: readonly Card[]): string[] {
  const tiny = tables.filter(
    (card) => card.entity.tiny || (card.complete.length > 0 && card.complete.every((c) => c.total <= FEW)),
  );
  return tiny.length === 0
    ? []
    : [
        `    tiny_tables: [${tiny.map((c) => c.id).join(", ")}]   # a handful of entities: no share is asked of them`,
      ];
}

function may(card: Card, role: ColumnCard["may"][number]): string[] {
  return Object.entries(card.columns)
    .filter(([, c]) => c.may.includes(role))
    .map(([id]) => id);
}

/** Built-in formulas whose inputs one table has, itself or over a link. */
function formulasOf(tables: readonly Card[]): string[] {
  const has = (card: Card, quantities: readonly string[]): boolean =>
    Object.values(card.columns).some(
      (c) => c.quantity !== undefined && quantities.includes(c.quantity) && c.may.includes("compute"),
    );
  const fits = (card: Card): string[] =>
    [...builtinFormulas.values()]
      .filter((f) => Object.values(f.inputs).every((i) => has(card, i.quantity)))
      .map((f) => f.id);
  return [...new Set(tables.flatMap(fits))];
}

/** A program by hand, of columns that the card has; commented out, as nobody knows whether its answer is safe. */
function recipe(card: Card, fitting: readonly string[]): string[] {
  const [select] = may(card, "select");
  const formula = fitting
    .map((id) => builtinFormulas.get(id)!)
    .find((f) => bindingOf(card, f.inputs) !== undefined);
  if (select === undefined) return [];
  const lines = formula === undefined ? comparing(card) : computing(card, select, formula);
  if (lines.length === 0) return [];
  return [
    "  # A task of your own, by hand: who is asked for, and what. Thresholds and more in docs/programs.md.",
    "  # recipes:",
    "  #   recipes:",
    `  #     - id: my-first`,
    `  #       table: ${card.id}`,
    ...lines.map((line) => `  #       ${line}`),
    "",
  ];
}

function computing(card: Card, select: string, { id, inputs }: Formula): string[] {
  const bound = Object.entries(bindingOf(card, inputs)!).map(([name, column]) => `${name}: ${column}`);
  return [
    `select: { column: ${select}, order: max }`,
    `compute: { formula: ${id}, inputs: { ${bound.join(", ")} } }`,
  ];
}

/** Where no formula of science fits: how much one column differs between the entities at both ends of another. */
function comparing(card: Card): string[] {
  const compared = may(card, "compute").filter((id) => card.columns[id]!.scale !== "log");
  // The first column is mostly what entities are known by; it selects, and another one is asked for.
  for (const select of may(card, "select")) {
    const column = compared.find((id) => id !== select);
    if (column === undefined) continue;
    const formula = card.columns[column]!.scale === "ratio" ? "ratio" : "difference";
    return [
      `select: { column: ${select}, order: max }`,
      `other: { where: [], select: { column: ${select}, order: min } }`,
      `compute: { formula: ${formula}, inputs: { first: ${column}, second: { of: other, column: ${column} } } }`,
    ];
  }
  return [];
}

type Formula = typeof builtinFormulas extends ReadonlyMap<string, infer F> ? F : never;

function bindingOf(
  card: Card,
  inputs: Readonly<Record<string, { readonly quantity: readonly string[]; readonly of: string }>>,
): Record<string, string> | undefined {
  const bound: Record<string, string> = {};
  for (const [name, { quantity, of }] of Object.entries(inputs)) {
    const found = Object.entries(card.columns).find(
      ([, c]) => c.quantity !== undefined && quantity.includes(c.quantity) && c.may.includes("compute"),
    );
    if (found === undefined || of !== "selected") return undefined;
    bound[name] = found[0];
  }
  return bound;
}

function comment(text: string, level: number): string[] {
  const indent = "  ".repeat(level);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line.length + word.length > 110) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((l) => `${indent}# ${l}`);
}
