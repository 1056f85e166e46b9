import { code, md, table } from "./hub-markdown.js";

/** How agents attempted the tasks of a dataset. */
export interface CardRollouts {
  /** One for each stage instance that drew rollouts. */
  readonly agents: readonly {
    readonly by: string;
    readonly role: string;
    readonly model: string;
    readonly drawn: number;
    readonly valid: number;
    readonly right: number;
    readonly selected: number;
  }[];
  /** Names of the tools. */
  readonly tools: readonly string[];
  /** Documents that agents could search: ids, or names of files. */
  readonly corpora: readonly string[];
  /** What searched, e.g. `local`. */
  readonly search: string;
  /** Whether pages of the web were read. */
  readonly web: boolean;
}

/** Why the SFT pool holds nothing. */
export function sftEmpty(rollouts: Pick<CardRollouts, "agents"> | undefined): string {
  if (rollouts === undefined) return "The SFT pool is empty: no rollouts have been made.";
  const drawn = rollouts.agents.reduce((sum, agent) => sum + agent.drawn, 0);
  return `The SFT pool is empty: none of ${drawn} rollouts was selected for it.`;
}

/** The card's part on rollouts; nothing where there are none. */
export function rollouts(all: CardRollouts | undefined): string[] {
  if (all === undefined) return [];
  const rows = all.agents.map(({ by, role, model, drawn, valid, right, selected }) => {
    return [code(by), code(role), code(model), drawn, valid, right, selected];
  });
  return [
    `## Rollouts\n\n${table(["stage", "role", "model", "drawn", "valid", "right", "selected"], rows)}`,
    `Agents attempted the tasks with ${tools(all)}. ${documents(all)} \`sft\` holds the conversations that were selected: right, in the form
asked for, and without content of blocked hosts; a trainer learns from messages with \`loss\`. \`trajectories\` holds all of them with their
ends, scores and what kept them out. What tools said stands in both, under the licences of the documents. Arguments of tool calls are JSON text, as the model wrote them.`,
    `The hosts of the sources, their mirrors, archives and caches were kept from agents. \`network_block.json\` is that list: keep it from the
tools of whoever trains or is tested on these tasks, since the answers can be looked up there.`,
  ];
}

function tools({ tools }: CardRollouts): string {
  return tools.length === 0 ? "no tools" : `the tools ${tools.map(code).join(", ")}`;
}

function documents({ corpora, search, web }: CardRollouts): string {
  const where =
    corpora.length === 0 ? "" : `Their documents were ${corpora.map((id) => `**${md(id)}**`).join(", ")}. `;
  const engine = search === "local" ? "" : `They searched by ${md(search)}. `;
  return `${where}${engine}${web ? "They read pages of the web." : "They read no page of the web."}`;
}
