import { expect, it } from "vitest";
import { parse } from "yaml";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { plan } from "../../../pipeline/index.js";
import { CONFIG, configOf } from "../../rollouts/scene.js";

/** Faults of `environment` are found with the rest of a config, before anything runs. */

type Changes = { environment?: unknown; stages?: Record<string, unknown> };

async function faults(changes: string): Promise<string[]> {
  const { environment, stages } = parse(changes) as Changes;
  const config = configOf(CONFIG);
  // Variables are filled in where a config is read from a file; roles are off here.
  const off = Object.values(config.models).map((model) => ({ ...model, base_url: "", model: "" }));
  const changed = {
    ...config,
    models: Object.fromEntries(Object.keys(config.models).map((role, i) => [role, off[i]])),
    environment: environment ?? config.environment,
    stages: { ...config.stages, ...stages },
  };
  try {
    await plan(changed, { env: {} });
    return [];
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    return error.problems.map(({ code, message }) => `${code}: ${message}`);
  }
}

it.each([
  ["{}", []],
  [
    "environment: { corpus: [solar-system], firewall: { block: [not a host], allow: ['http://'] }, visit: { private_hosts: ['[::1'] } }",
    [
      "bad_firewall_rule: the firewall rule `not a host` names no host",
      "bad_firewall_rule: the firewall rule `http://` names no host",
      "bad_firewall_rule: the firewall rule `[::1` names no host",
    ],
  ],
  ["environment: {}", ["no_corpus: the tool `search` has no documents to search"]],
  ["environment: { tools: [python] }", []],
  ["environment: { search: { backend: searxng } }", ["no_base_url: SearXNG has no address of its own"]],
  // Not that it is missing, too.
  [
    "environment: { tools: [browse] }",
    ['bad_value: item 1 of `tools` must be search, visit or python, found the text "browse"'],
  ],
  [
    "stages: { admit: { of: rolout } }",
    ["unknown_rollouts: `admit` judges the rollouts of `rolout`, and no stage of that name makes any"],
  ],
  [
    "stages: { curate: { from: [demonstrate, filter] } }",
    ["unknown_rollouts: `curate` judges the rollouts of `filter`, and no stage of that name makes any"],
  ],
  [
    "stages: { admit: { n: 8 } }",
    [
      "too_few_rollouts: `admit` decides from 8 rollouts, and `rollout` makes 4 of a task: it would let none in",
    ],
  ],
] as const)("%s", async (changes, expected) => {
  const found = await faults(changes);
  expect(found.map((f) => f.replace(/^\w+: (?=item 1)/, "bad_value: "))).toEqual(expected);
});
