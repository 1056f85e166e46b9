import { stringify } from "yaml";
import type { Exporter, Facts } from "./exporter.js";
import { CHECKS } from "./proof/checks.js";
import type { Proven } from "./proof/proof.js";
import { REWARD_FILE } from "./reward.js";
import type { LossCount } from "./write.js";

export interface ReadmeInput {
  readonly facts: Facts;
  readonly losses: readonly LossCount[];
  /** Undefined for targets whose rows no template sees. */
  readonly proven?: readonly Proven[];
  /** Whether the dataset has a block list, which then stands beside the rows. */
  readonly blocks: boolean;
}

/** README.md of an export: what it is, how its reader takes it, what it lost and how it was checked. No time, host or path. */
export function exportReadme(exporter: Exporter, input: ReadmeInput): string {
  const parts = [
    exporter.pool === "all" ? undefined : frontMatter(input.facts),
    `# ${input.facts.dataset} for ${exporter.reader}`,
    `Written by \`pipeline export --to ${exporter.name}\`. Commands below are meant for this folder.`,
    files(exporter, input),
    `## Use\n\n${exporter.guide(input.facts)}`,
    `## To know\n\n${exporter.notes.map((note) => `- ${note}`).join("\n")}`,
    losses(input.losses),
    input.proven === undefined ? undefined : proof(input.proven),
    "Licences and sources are those of the dataset: its card has them.",
  ];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

/** Lets `load_dataset` take the folder: it would otherwise guess splits from all JSON files. */
function frontMatter({ rows, file }: Facts): string {
  const data_files = Object.keys(rows).map((split) => ({ split, path: file(split) }));
  return `---\n${stringify({ configs: [{ config_name: "default", data_files }] })}---`;
}

const OWN_FILES: Readonly<Record<string, string>> = {
  "tools.json": "the tools' schemas, as chat requests have them",
  "pyproject.toml": "makes the folder a package",
  "dataset_info.json": "names files and columns for the loader",
};

function files(exporter: Exporter, { facts, blocks }: ReadmeInput): string {
  const rows = Object.entries(facts.rows).map(
    ([split, n]) => `| \`${facts.file(split)}\` | ${n} rows, split ${split} |`,
  );
  const own =
    exporter.pool === "all"
      ? []
      : Object.keys(exporter.files?.(facts) ?? {}).map(
          (file) => `| \`${file}\` | ${OWN_FILES[file] ?? "what the lines below load"} |`,
        );
  const reward =
    exporter.pool === "rl"
      ? [`| \`${REWARD_FILE}\` | the reward: one file, Python's standard library alone |`]
      : [];
  const block = blocks
    ? ["| `network_block.json` | what agents must not reach while they train or are tested |"]
    : [];
  return [
    "## Files",
    "",
    "| file | what |",
    "| --- | --- |",
    ...rows,
    ...own,
    ...reward,
    ...block,
    "| `export.json` | hashes, losses and checks |",
  ].join("\n");
}

function losses(all: readonly LossCount[]): string {
  if (all.length === 0) return "## Losses\n\nNone: all that the rows hold is in these files.";
  const lines = all.map(
    ({ name, rows, how, accepted }) =>
      `| \`${name}\` | ${rows} | ${accepted ? "accepted by name" : "stated"} | ${how} |`,
  );
  return [
    "## Losses",
    "",
    "| loss | rows | | what becomes of it |",
    "| --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function proof(proven: readonly Proven[]): string {
  const lines = proven.map(({ template, rows, left_out }) => {
    const rest =
      left_out === 0 ? "" : `; ${left_out} rows with reasoning, which this family has no place for, were not`;
    return `- \`${template}\`: ${rows} rows were rendered and looked at${rest}`;
  });
  const checks = Object.entries(CHECKS).map(([name, what]) => `- \`${name}\`: ${what}`);
  return `## Proof\n\nBefore this folder was written, with the chat templates of these families:\n\n${lines.join("\n")}\n\nWhat was looked for in each:\n\n${checks.join("\n")}`;
}
