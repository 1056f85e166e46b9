import { kindOf } from "../datasets/admission.js";
import type { Row } from "../stages/stage.js";
import type { Explanation, SourceRecord } from "./explain.js";
import { conversationText } from "./explain-conversation.js";
import { evidenceLines } from "./explain-evidence.js";
import { admissionLines, rolloutLines } from "./explain-rollouts.js";

type Accepted = Extract<Explanation, { kind: "accepted" }>;

/** The parts of an accepted row that are shown; the row itself was checked when it was written. */
interface Shown {
  readonly id: string;
  readonly question: string;
  readonly split: string;
  readonly program: {
    table: string;
    where: object[];
    select?: { column: string; order: string; rank: number };
    other?: { where: object[]; select: { column: string; order: string; rank: number } };
  };
  readonly formula: { id: string; noun: string; expression: string; definition?: string; source: string };
  readonly origin: { stage: string; kind: string; name: string; index?: number };
  readonly filter: {
    rows: number;
    conditions: { holds: number; unknown: number }[];
    candidates: number;
    unknown: number;
  };
  readonly selection?: Choice & {
    via?: { name: string; table: string }[];
    followed?: { name: string; table: string };
    peers?: Choice[];
    other?: Choice & { candidates: number };
  };
  readonly aggregate?: {
    members: { key: string }[];
    leave_one_out: Record<string, { value: number; without: string; left: number; relative: number }>;
  };
  readonly answer: {
    text: string;
    value: number;
    unit: string;
    digits: number;
    tolerance: number;
    by_duckdb: number;
    by_typescript: number;
  };
  readonly wrong_answers: { how: string; value: number }[];
  readonly chain: {
    id: string;
    label: string;
    text: string;
    tolerance: number | null;
    depends_on: string[];
  }[];
  readonly wording: { by: string; style: Record<string, string> };
  readonly gates: { gate: string; status: string; why: string }[];
}

/** How an entity was chosen. */
interface Choice {
  entity: { name: string; key: string };
  unit: string;
  ranking: { name: string; value: number; u: number | null }[];
  margin: { rival: string; gap: number; required: number; relative: number } | null;
  without: (string | null)[];
}

/** A task's life as text for people: sections in the order in which it was made. */
export function explanationText(explanation: Explanation): string {
  if (explanation.kind === "rejected") return rejectedText(explanation);
  if (kindOf(explanation.row) === "problem") return problemText(explanation);
  const row = explanation.row as unknown as Shown;
  return [
    `task ${row.id} (${row.split})`,
    section("Question", [row.question]),
    section("Answer", answerLines(row)),
    section("Origin", [originLine(row)]),
    section(`Conditions on ${row.program.table} (${row.filter.rows} rows)`, conditionLines(row)),
    ...candidateSections(row),
    section(
      "Chain (hidden)",
      row.chain.map((s) => `${s.label}: ${s.text}${tolerance(s.tolerance)}${from(s.depends_on)}`),
    ),
    section(
      "Wrong answers, all told apart",
      row.wrong_answers.map((w) => `${w.how}: ${w.value} ${row.answer.unit}`),
    ),
    section("Wording", [
      `by ${row.wording.by} ${Object.entries(row.wording.style)
        .map(([k, v]) => `${k}=${v}`)
        .join(" ")}`.trim(),
    ]),
    section(
      "Gates",
      row.gates.map((g) => `${g.gate}: ${g.status} (${g.why})`),
    ),
    ...evidence(explanation.row),
    section("Source records", explanation.sources.flatMap(sourceLines)),
    ...attempts(explanation),
  ].join("\n\n");
}

interface ShownProblem {
  readonly id: string;
  readonly question: string;
  readonly split: string;
  readonly problem: { readonly source: string; readonly language: string; readonly topic?: string };
  readonly expected: { readonly type: string };
  readonly origin: { readonly name: string; readonly index: number };
  readonly gates: readonly { gate: string; status: string; why: string }[];
}

/** A problem of the user's own has less of a life: it was read, and passed gates. */
function problemText(explanation: Accepted): string {
  const { row, sources } = explanation;
  const { id, split, question, expected, problem, origin, gates } = row as unknown as ShownProblem;
  const { type, ...answer } = expected;
  const topic = problem.topic === undefined ? "" : `, topic ${problem.topic}`;
  return [
    `problem ${id} (${split})`,
    section("Question", [question]),
    section(`Answer, a ${type}`, [JSON.stringify(answer)]),
    section("Origin", [`record ${origin.index} of ${origin.name}, in ${problem.language}${topic}`]),
    section(
      "Gates",
      gates.map((g) => `${g.gate}: ${g.status} (${g.why})`),
    ),
    ...evidence(row),
    section("Source records", sources.flatMap(sourceLines)),
    ...attempts(explanation),
  ].join("\n\n");
}

/** What agents attempted, where any did, and the conversations that were asked for. */
function attempts({ row, conversations = [] }: Accepted): string[] {
  const lines = rolloutLines(row);
  if (lines.length === 0) return [];
  const admitted = admissionLines(row);
  return [
    section(`Rollouts (${lines.length}); --rollout N shows the conversation`, lines),
    ...(admitted.length === 0 ? [] : [section("Admission", admitted)]),
    ...conversations.map((record) => conversationText(record, row)),
  ];
}

/** What models said, where any was asked. */
function evidence(row: Row): string[] {
  const lines = evidenceLines(row);
  return lines.length === 0 ? [] : [section("Evidence of the gates", lines)];
}

function rejectedText({ id, instance, rejection }: Extract<Explanation, { kind: "rejected" }>): string {
  return [
    `${id} was rejected by ${instance}: ${rejection.reason}`,
    section("Evidence", JSON.stringify(rejection.evidence, null, 2).split("\n")),
  ].join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...(lines.length === 0 ? ["none"] : lines).map((line) => `  ${line}`)].join("\n");
}

function answerLines({ answer, formula }: Shown): string[] {
  const unit = answer.unit === "1" ? "" : ` ${answer.unit}`;
  return [
    `${answer.text}${unit}${answer.tolerance === 0 ? ", exact" : `, within ${percent(answer.tolerance)}`}`,
    `${formula.noun} = ${formula.expression}${formula.definition === undefined ? "" : ` (${formula.definition})`}; ${formula.source}`,
    `DuckDB ${answer.by_duckdb}, TypeScript ${answer.by_typescript}`,
  ];
}

function originLine({ origin }: Shown): string {
  return origin.kind === "recipe"
    ? `recipe ${origin.name}`
    : `space ${origin.name}, candidate ${origin.index}`;
}

function conditionLines({ program, filter, selection }: Shown): string[] {
  return program.where.map((condition, i) => {
    const { holds, unknown } = filter.conditions[i]!;
    const held = `${conditionText(condition)}: holds for ${holds}, unknown for ${unknown}`;
    if (selection === undefined) return held;
    return `${held}; without it ${selection.without[i] ?? "nobody"} would be selected`;
  });
}

function conditionText(condition: object): string {
  const { column, op, ...rest } = condition as { column: string; op: string } & Record<string, unknown>;
  return [column, op, ...Object.values(rest).map((v) => (Array.isArray(v) ? v.join(", ") : String(v)))].join(
    " ",
  );
}

function candidateSections({ program, filter, selection, aggregate }: Shown): string[] {
  const { select, other } = program;
  if (select === undefined || selection === undefined) {
    return [
      section(`Candidates (${filter.candidates}, a figure of all of them)`, aggregateLines(aggregate!)),
    ];
  }
  const way = [...(selection.via ?? []), ...(selection.followed === undefined ? [] : [selection.followed])];
  const reached = way.map(({ name, table }) => `leads to ${name} (${table})`);
  const first = section(
    `Candidates (${filter.candidates}, by ${select.column}, ${select.order}, rank ${select.rank})`,
    [...candidateLines(selection), ...reached, ...(aggregate === undefined ? [] : aggregateLines(aggregate))],
  );
  const peers = (selection.peers ?? []).map((choice) => section("Peers", candidateLines(choice)));
  if (other === undefined || selection.other === undefined) return [first, ...peers];
  const { column, order, rank } = other.select;
  const second = section(
    `Second selection (${selection.other.candidates}, by ${column}, ${order}, rank ${rank})`,
    [...other.where.map(conditionText), ...candidateLines(selection.other)],
  );
  return [first, ...peers, second];
}

function aggregateLines({ members, leave_one_out }: NonNullable<Shown["aggregate"]>): string[] {
  const tested = Object.entries(leave_one_out).map(
    ([input, { value, without, left, relative }]) =>
      `${input}: ${value}; without ${without} ${left} (${percent(relative)})`,
  );
  return [members.map((m) => m.key).join(", "), ...tested];
}

function candidateLines({ entity, ranking, unit, margin }: Choice): string[] {
  const lines = ranking.map(
    (c) => `${c.name === entity.name ? "→" : " "} ${c.name}: ${c.value} ± ${c.u ?? "unknown"} ${unit}`,
  );
  if (margin !== null) {
    lines.push(
      `margin: ${margin.rival} is ${margin.gap} ${unit} away (${percent(margin.relative)}), ${margin.required} is required`,
    );
  }
  return lines;
}

function tolerance(figure: number | null): string {
  return figure === null || figure === 0 ? "" : ` (within ${percent(figure)})`;
}

function from(ids: readonly string[]): string {
  return ids.length === 0 ? "" : ` ← ${ids.join(", ")}`;
}

function percent(figure: number): string {
  return `${Number((figure * 100).toPrecision(3))} %`;
}

function sourceLines(source: SourceRecord): string[] {
  const cells = Object.entries(source.cells).map(
    ([column, texts]) => `${column} = ${texts.map((t) => JSON.stringify(t)).join(" ")}`,
  );
  return [`${source.snapshot} record ${source.record} (${source.key}): ${cells.join(", ")}`];
}
