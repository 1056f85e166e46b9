import { stringify } from "yaml";
import { TaskmillError } from "../pipeline/base/errors.js";
import { GATE_MEANINGS, GATES, type GateName } from "./admission.js";
import { hubFeatures } from "./hub-features.js";
import { code, md, table } from "./hub-markdown.js";
import { type CardRollouts, rollouts, sftEmpty } from "./hub-rollouts.js";
import { poolFile, splitFile } from "./layout.js";
import { type MergedLicence, mergeLicences, type SourceLicence } from "./licences.js";
import { POOLS, type Pool, problemsPool, rlPool, SPLITS, sftPool, trajectoriesPool } from "./schema/index.js";

export interface CardSource extends SourceLicence {
  readonly title: string;
  readonly domain: string;
  readonly attribution?: string;
  readonly citation: string;
  readonly publisher: string;
  readonly as_of: string;
  readonly provenance: string;
  readonly rows: number;
}

export interface CardStage {
  readonly id: string;
  readonly in: number;
  readonly created: number;
  readonly out: number;
  readonly rejected: Readonly<Record<string, number>>;
}

/** What a dataset's card is written from: no time, host or path, so that the same dataset has the same card. */
export interface HubCardInput {
  readonly name: string;
  readonly seed: string;
  readonly accepted: number;
  /** How many of the accepted rows are a user's own problems, and their languages. */
  readonly problems?: number;
  readonly languages?: readonly string[];
  /** How many accepted rows passed, failed or did not run each gate; every gate of {@link GATES} is there. */
  readonly gates: Readonly<Record<string, GateCount>>;
  /** Gates whose absence the RL pool tolerates. */
  readonly admit_unscreened: readonly string[];
  /** Rows that may not enter the RL pool, by the gate in their way. */
  readonly kept_out: Readonly<Record<string, number>>;
  readonly files: readonly { readonly file: string; readonly rows: number }[];
  readonly stages: readonly CardStage[];
  readonly sources: readonly CardSource[];
  /** What the roles of the config stood for; those that were off are not among them. */
  readonly models?: readonly CardModel[];
  /** Absent where no agent attempted a task. */
  readonly rollouts?: CardRollouts | undefined;
}

export interface CardModel {
  readonly role: string;
  readonly model: string;
  readonly revision: string | null;
  /** Stage instances that asked it. */
  readonly asked_by: readonly string[];
}

export interface GateCount {
  readonly passed: number;
  readonly failed: number;
  readonly not_run: number;
}

/**
 * The dataset's README.md: front matter for the Hub, then the card for people, which opens with the gates that did not run.
 * @throws TaskmillError (config): `licence_conflict`, `unknown_licence`.
 */
export function hubCard(input: HubCardInput): string {
  const licence = mergeLicences(input.sources);
  if ("problems" in licence) throw new TaskmillError("config", licence.problems);
  return [
    `---\n${stringify(frontMatter(input, licence), { lineWidth: 0 })}---`,
    unscreened(input)
      .map((line) => `> ${md(line)}`)
      .join("\n>\n"),
    `# ${md(input.name)}`,
    ...about(input),
    counts(input),
    LOADING,
    gates(input),
    ...models(input),
    ...rollouts(input.rollouts),
    licences(input, licence),
    sources(input),
    funnel(input),
    LIMITS,
  ]
    .join("\n\n")
    .concat("\n");
}

/** What nobody has checked about the rows, in plain sentences; the first lines of card and report. */
export function unscreened(input: Screening): string[] {
  const notRun = (gate: GateName): number => input.gates[gate]?.not_run ?? input.accepted;
  const missing = GATES.filter((gate) => notRun(gate) > 0);
  const never = missing.filter((gate) => notRun(gate) >= input.accepted);
  const partly = missing.filter((gate) => notRun(gate) < input.accepted);
  const rl = rowsIn(input, poolFile(rlPool));
  return [
    missing.length === 0
      ? "Screened: every gate ran on every row."
      : `Unscreened rows: ${[
          ...(never.length === 0
            ? []
            : [`${never.map((gate) => `${gate} (${GATE_MEANINGS[gate]})`).join(", ")} did not run`]),
          ...partly.map(
            (gate) =>
              `${gate} (${GATE_MEANINGS[gate]}) did not run for ${notRun(gate)} of ${input.accepted} rows`,
          ),
        ].join("; ")}. A gate that did not run has not been passed.`,
    ...(rl > 0 && missing.length > 0
      ? [
          `The config admits unscreened rows into the RL pool by name (${input.admit_unscreened.join(", ")}): it holds ${rl} rows on these terms.`,
        ]
      : []),
    ...(rl === 0
      ? ["The RL pool is empty: no row passed every gate, and the config admits none without by name."]
      : []),
    ...Object.entries(input.kept_out).map(
      ([stop, n]) => `${n} rows are kept out of the RL pool by ${stop.replace(":", ", ").replace("_", " ")}.`,
    ),
    ...(rowsIn(input, poolFile(sftPool)) === 0 ? [sftEmpty(input.rollouts)] : []),
  ];
}

type Screening = Pick<HubCardInput, "gates" | "accepted" | "admit_unscreened" | "kept_out" | "files"> & {
  readonly rollouts?: Pick<CardRollouts, "agents"> | undefined;
};

function rowsIn({ files }: Pick<HubCardInput, "files">, wanted: string): number {
  return files.find(({ file }) => file === wanted)?.rows ?? 0;
}

/** `datasets` refuses to load a split without rows, and with it the whole pool: the front matter names those with rows alone. */
function frontMatter(input: HubCardInput, licence: MergedLicence): object {
  const loadable = poolsOf(input).filter((pool) => rowsIn(input, poolFile(pool)) > 0);
  const first = (loadable.find((pool) => pool === rlPool) ?? loadable[0])?.name;
  const domains = [...new Set(input.sources.map((s) => s.domain))].sort();
  return {
    pretty_name: input.name,
    language: languagesOf(input),
    license: licence.hub.length === 1 ? licence.hub[0] : licence.hub,
    ...(licence.hub[0] === "other" ? { license_name: "see-card", license_link: "README.md" } : {}),
    size_categories: [sizeCategory(input.accepted)],
    task_categories: ["question-answering", "text-generation"],
    tags: ["taskmill", "synthetic", "verifiable-rewards", "tool-use", ...domains],
    configs: loadable.map((pool) => ({
      config_name: pool.name,
      ...(pool.name === first ? { default: true } : {}),
      data_files: SPLITS.filter((split) => rowsIn(input, splitFile(pool, split)) > 0).map((split) => ({
        split,
        path: splitFile(pool, split),
      })),
    })),
    dataset_info: loadable.map((pool) => ({ config_name: pool.name, features: hubFeatures(pool) })),
  };
}

/** The pools of trajectories and of problems are there only where there are such. */
function poolsOf({ problems = 0, rollouts }: HubCardInput): readonly Pool[] {
  const more = [
    ...(rollouts === undefined ? [] : [trajectoriesPool]),
    ...(problems > 0 ? [problemsPool] : []),
  ];
  return [...POOLS, ...more];
}

/** Tasks are worded in English unless their config says otherwise; the Hub knows languages without their region. */
function languagesOf({ accepted, problems = 0, languages = [] }: HubCardInput): string[] {
  const own = languages.map((tag) => tag.split("-")[0]!);
  return [...new Set([...(accepted > problems || own.length === 0 ? ["en"] : []), ...own])].sort();
}

function about({ accepted, problems = 0 }: HubCardInput): string[] {
  return [
    ...(accepted > problems || problems === 0 ? [ABOUT] : []),
    ...(problems > 0 ? [ABOUT_PROBLEMS] : []),
  ];
}

function sizeCategory(rows: number): string {
  const bounds: [number, string][] = [
    [1e3, "n<1K"],
    [1e4, "1K<n<10K"],
    [1e5, "10K<n<100K"],
    [1e6, "100K<n<1M"],
  ];
  return bounds.find(([below]) => rows < below)?.[1] ?? "1M<n<10M";
}

const ABOUT = `Questions that are answered by filtering a table, selecting one entity and computing one quantity. Each answer was known before
its question was written: a program over a pinned snapshot gave it, two evaluators that share no formula code agree on it, and
every row can be traced to the cells it was made from and derived again (\`pipeline verify\`).`;

const ABOUT_PROBLEMS = `Questions and answers as their source states them, put through the gates listed below. Nothing computed these answers: what is
known of their being right is what \`solve\` found, if it ran. Their answers are graded by type (\`reward_model.ground_truth\`).`;

function counts(input: HubCardInput): string {
  const rows = poolsOf(input).map((pool) => {
    const bySplit = SPLITS.map((split) => rowsIn(input, splitFile(pool, split)));
    return [code(pool.name), ...bySplit, rowsIn(input, poolFile(pool)), pool.about];
  });
  return `## Pools\n\n${table(["pool", ...SPLITS, "all", "what it holds"], rows)}`;
}

const LOADING = `## Loading

\`\`\`python
from datasets import load_dataset
rl = load_dataset("PATH_OR_REPOSITORY", "rl", split="train")
\`\`\`

\`pools/<pool>.parquet\` and \`.arrow\` hold all splits of a pool in one file; \`pools/<pool>/<split>-*.parquet\` one split each. Columns
that start with \`hidden_\`, \`reward\` of the SFT pool, and \`reward_model\`, \`reward\` and \`admission\` of the RL pool, hold hidden targets: never render them into a prompt.
Columns of JSON text are strings; parse them with a JSON parser.`;

function gates(input: HubCardInput): string {
  const rows = Object.entries(input.gates).map(([gate, { passed, failed, not_run }]) => [
    code(gate),
    passed,
    failed,
    not_run,
    GATE_MEANINGS[gate as GateName] ?? "",
  ]);
  return `## Gates\n\n${table(["gate", "passed", "failed", "not run", "what it asks"], rows)}`;
}

/** Whose words and judgements are in the dataset: its terms of use may go beyond the licences of the sources. */
function models({ models = [] }: HubCardInput): string[] {
  if (models.length === 0) return [];
  const rows = models.map(({ role, model, revision, asked_by }) => [
    code(role),
    code(model),
    revision === null ? "" : code(revision),
    asked_by.map(code).join(", "),
  ]);
  return [
    `## Models\n\n${table(["role", "model", "revision", "asked by"], rows)}\n\nEvery call that the dataset is made of is in \`cassette.ndjson\`: \`pipeline run CONFIG --replay\` makes the same bytes from it,\noffline. \`ledger.parquet\` has what each gate said of each row. The models' terms of use may restrict what may be done with their words.`,
  ];
}

function licences(input: HubCardInput, { effective, duties }: MergedLicence): string {
  const list = duties.map((duty) => `- ${md(duty)}`).join("\n");
  const credit = input.sources.flatMap((s) =>
    s.attribution === undefined ? [] : [`- ${md(s.title)}: ${md(s.attribution)}`],
  );
  const attributions = credit.length === 0 ? "" : `\n\nAttributions asked for:\n\n${credit.join("\n")}`;
  return `## Licence\n\nDerived from the licences of the sources: ${effective.map((id) => `**${md(id)}**`).join(" and ")}.\n\n${list}${attributions}`;
}

function sources(input: HubCardInput): string {
  const rows = input.sources.map((s) => [
    code(s.source),
    md(s.title),
    s.rows,
    md(s.as_of),
    s.url === undefined ? md(s.id) : `${md(s.id)} (${md(s.url)})`,
    md(s.publisher),
    md(s.citation),
    md(s.provenance),
  ]);
  const head = ["id", "title", "rows", "as of", "licence", "publisher", "citation", "provenance"];
  return `## Sources\n\nCards and snapshots lie in \`sources/\`.\n\n${table(head, rows)}`;
}

function funnel(input: HubCardInput): string {
  const rows = input.stages.map((s) => {
    const rejected = Object.entries(s.rejected)
      .filter(([, n]) => n > 0)
      .sort(([, a], [, b]) => b - a);
    return [
      code(s.id),
      s.in,
      s.created,
      s.out,
      rejected.map(([reason, n]) => `${md(reason)} ${n}`).join(", "),
    ];
  });
  return `## Funnel\n\nFor each stage, in + created = out + rejected. \`report.html\` shows samples.\n\n${table(["stage", "in", "created", "out", "rejected"], rows)}`;
}

const LIMITS = `## Known limits

- Questions are written by a grammar where no model is configured: clear, but less varied than a person's.
- Answers hold for the snapshots named above; published values change. Tolerances cover declared uncertainty and drift only.
- Whether a model knows an answer by heart is unknown unless \`closed_book\` ran.
- Tasks about the same entity and formula share a split; by default an entity may occur in several splits with different formulas.`;
