import { stream } from "../base/random.js";
import { type Cards, conditionText, nounOf, selectText } from "./program-words.js";
import {
  type Choice,
  type Condition,
  type Entity,
  formOf,
  type LeftOut,
  type Margin,
  pathOf,
  type Ranked,
  type ReportRow,
  type Select,
  stepsOf,
} from "./reading.js";
import { Reservoir } from "./reservoir.js";

/** An accepted task with all that a person needs to follow it from its conditions to its answer. */
export interface Sample {
  readonly id: string;
  readonly split: string;
  readonly domain: string;
  readonly table: string;
  readonly question: string;
  readonly conditions: readonly SampledCondition[];
  /** Rows of the table, and those that meet all conditions; null where the row does not say. */
  readonly rows: number | null;
  readonly candidates: number | null;
  /** Whom the program chooses; null for a figure of all candidates. */
  readonly selection: SampledChoice | null;
  /** The steps from the selected entity on, and the entities on the way. */
  readonly steps: readonly string[];
  readonly path: readonly Entity[];
  /** Whom it is compared with. */
  readonly other: (SampledChoice & { readonly conditions: readonly SampledCondition[] }) | null;
  /** Of a figure of all candidates: what it would be without the one that moves it most. */
  readonly left_out: Readonly<Record<string, LeftOut>> | null;
  readonly formula: { readonly noun: string; readonly expression: string; readonly definition: string };
  readonly inputs: readonly SampledInput[];
  readonly answer: ReportRow["answer"];
  readonly wrong_answers: ReportRow["wrong_answers"];
  readonly chain: ReportRow["chain"];
  readonly gates: ReportRow["gates"];
}

export interface SampledCondition {
  readonly text: string;
  /** Rows for which it holds, and for which it is unknown; null where the row does not say. */
  readonly holds: number | null;
  readonly unknown: number | null;
  /** Who would be selected without it; null: nobody safely. Undefined where nobody is selected. */
  readonly without?: string | null;
}

export interface SampledChoice {
  /** "largest melting point, rank 2" */
  readonly text: string;
  readonly noun: string;
  readonly unit: string;
  readonly entity: string;
  readonly key: string;
  readonly ranking: readonly Ranked[];
  readonly margin: Margin | null;
}

export interface SampledInput {
  readonly name: string;
  readonly noun: string;
  /** Whose value it is. */
  readonly entity: string;
  readonly value: number;
  readonly unit: string;
  readonly u: number;
  readonly sensitivity: number;
}

/** Samples that are kept of one form of task in one domain, and all that are shown: of each domain one, if there are not too many. */
const OF_FORM = 6;
const SHOWN = 6;
const MOST_DOMAINS = 12;

/** Draws tasks by the config's seed, from each domain and of each form that programs have there. */
export class SampleTally {
  readonly #domains = new Map<string, Map<string, Reservoir<ReportRow>>>();

  constructor(
    private readonly seed: string,
    private readonly cards: Cards,
  ) {}

  add(row: ReportRow): void {
    const domain = this.#domain(row);
    const forms = this.#domains.get(domain) ?? new Map<string, Reservoir<ReportRow>>();
    this.#domains.set(domain, forms);
    const form = formOf(row);
    const drawn =
      forms.get(form) ??
      new Reservoir<ReportRow>(OF_FORM, stream(this.seed, "report", "samples", domain, form));
    forms.set(form, drawn);
    drawn.add(row);
  }

  #domain({ program }: ReportRow): string {
    return this.cards.get(program.table)?.domain ?? "unknown";
  }

  result(): Sample[] {
    const lists = [...this.#domains.keys()].sort().map((domain, i) => this.#inTurn(domain, i));
    const longest = Math.max(0, ...lists.map((list) => list.length));
    const rounds = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []));
    const most = Math.max(SHOWN, Math.min(lists.length, MOST_DOMAINS));
    return rounds
      .flat()
      .slice(0, most)
      .map((row) => sampleOf(row, this.#domain(row), this.cards));
  }

  /** What was drawn of a domain, its forms taking turns; each domain begins with another form. */
  #inTurn(domain: string, place: number): ReportRow[] {
    const forms = this.#domains.get(domain)!;
    const names = [...forms.keys()].sort();
    const turned = names.map((_, i) => forms.get(names[(i + place) % names.length]!)!);
    return Array.from({ length: OF_FORM }, (_, i) => turned.flatMap(({ kept }) => kept[i] ?? [])).flat();
  }
}

function sampleOf(row: ReportRow, domain: string, cards: Cards): Sample {
  const { id, split, question, program, selection, filter, answer, wrong_answers, chain, gates } = row;
  const { table, where = [], select, other } = program;
  const second = selection?.other;
  return {
    id,
    split,
    domain,
    table,
    question,
    conditions: conditionsOf(where, table, cards, filter?.conditions, selection?.without),
    rows: filter?.rows ?? null,
    candidates: filter?.candidates ?? null,
    selection:
      select === undefined || selection === undefined ? null : choiceOf(select, selection, table, cards),
    steps: stepsOf(program),
    path: pathOf(row).map(({ table: of, key, name }) => ({ table: of, key, name })),
    other:
      other === undefined || second === undefined
        ? null
        : {
            ...choiceOf(other.select, second, table, cards),
            conditions: conditionsOf(other.where, table, cards, undefined, second.without),
          },
    left_out: row.aggregate?.leave_one_out ?? null,
    formula: {
      noun: row.formula?.noun ?? program.compute?.formula.replaceAll("_", " ") ?? "",
      expression: row.formula?.expression ?? "",
      definition: row.formula?.definition ?? "",
    },
    inputs: inputsOf(row, cards),
    answer,
    wrong_answers,
    chain,
    gates,
  };
}

function conditionsOf(
  where: readonly Condition[],
  table: string,
  cards: Cards,
  counts: readonly { readonly holds: number; readonly unknown: number }[] = [],
  without: readonly (string | null)[] | undefined,
): SampledCondition[] {
  return where.map((condition, i) => ({
    text: conditionText(condition, table, cards),
    holds: counts[i]?.holds ?? null,
    unknown: counts[i]?.unknown ?? null,
    ...(without === undefined ? {} : { without: without[i] ?? null }),
  }));
}

function choiceOf(select: Select, choice: Choice, table: string, cards: Cards): SampledChoice {
  const { entity, unit = "1", ranking = [], margin = null } = choice;
  return {
    text: selectText(select, table, cards),
    noun: nounOf(select.column, table, cards),
    unit,
    entity: entity.name,
    key: entity.key,
    ranking,
    margin,
  };
}

interface Input {
  readonly entity?: Entity;
  readonly take?: string;
  readonly column: string;
  readonly value?: number;
  readonly unit?: string;
  readonly u?: number;
  readonly sensitivity?: number;
}

function inputsOf({ inputs, program }: ReportRow, cards: Cards): SampledInput[] {
  return Object.entries(inputs as Readonly<Record<string, Input>>).map(([name, input]) => {
    const { entity, take, column, value = 0, unit = "1", u = 0, sensitivity = 0 } = input;
    const noun = nounOf(column, entity?.table ?? program.table, cards);
    const whose = entity?.name ?? "all candidates";
    return {
      ...{ name, noun: take === undefined ? noun : `${take} ${noun}`, entity: whose },
      ...{ value, unit, u, sensitivity },
    };
  });
}
