import { bars, columns, intervals } from "./charts.js";
import { type Chart, draw, fitting } from "./draw.js";
import { words } from "./elements.js";
import { percentOf } from "./rollout-words.js";
import type { AgentFigures, RolloutReport } from "./rollouts.js";

type Undrawn = Omit<Chart, "svg"> & { readonly spec: object };

/** The charts on rollouts; those without data are left out. */
export async function rolloutFigures({ agents, admission }: RolloutReport): Promise<Chart[]> {
  const all = [
    ...(admission === null ? [] : [passRates(admission), passRateIntervals(admission)]),
    ...agents.flatMap((agent) => agentCharts(agent, agents.length > 1 ? ` of ${agent.by}` : "")),
  ];
  const charts: Chart[] = [];
  for (const { spec, ...rest } of all)
    if (rest.rows.length > 0) charts.push({ ...rest, svg: await draw(spec) });
  return charts;
}

type Admission = NonNullable<RolloutReport["admission"]>;

function passRates({ by, n, rates }: Admission): Undrawn {
  return {
    title: "Pass rates",
    about: `Tasks by how many of ${n} attempts of ${by} are right.`,
    spec: columns(
      rates.map(({ successes, tasks }) => ({ label: String(successes), rows: tasks })),
      `right of ${n}`,
    ),
    head: ["right", "tasks", "share"],
    rows: withShares(rates.map(({ successes, tasks }) => [`${successes} of ${n}`, tasks])),
  };
}

function passRateIntervals({ n, rates }: Admission): Undrawn {
  const seen = rates.filter(({ tasks }) => tasks > 0);
  return {
    title: "What that says of a task",
    about: "Pass rates under which so many right ones are not odd (Wilson, 95 %).",
    spec: intervals(
      seen.map(({ successes, estimate, low, high }) => ({
        label: `${successes} of ${n} right`,
        estimate: estimate ?? 0,
        low,
        high,
      })),
    ),
    head: ["right", "pass rate", "from", "to"],
    rows: seen.map(({ successes, estimate, low, high }) => [
      `${successes} of ${n}`,
      percentOf(estimate ?? 0),
      percentOf(low),
      percentOf(high),
    ]),
  };
}

/** A chart draws so many bars at most; its table has them all. */
const MOST = 16;
/** Names of tools are an agent's to choose, and may be of any number. */
const ROWS = 40;

function agentCharts({ stops, turns, tools, progress, unselected }: AgentFigures, of: string): Undrawn[] {
  const ends = stops.map(({ value, rows }) => ({ label: words(value), rows }));
  return [
    {
      title: `Ends${of}`,
      about: "Why rollouts came to an end.",
      spec: bars(ends),
      head: ["end", "rollouts", "share"],
      rows: withShares(ends.map(({ label, rows }) => [label, rows])),
    },
    {
      title: `Turns${of}`,
      about: "Rollouts by the replies of the model.",
      spec: columns(
        turns.slice(0, MOST).map(({ value, rows }) => ({ label: value, rows })),
        "turns",
        "rollouts",
      ),
      head: ["turns", "rollouts", "share"],
      rows: withShares(turns.map(({ value, rows }) => [value, rows])),
    },
    {
      title: `Tool calls${of}`,
      about: `Calls by tool, in all rollouts together${tools.length > ROWS ? `; the ${ROWS} most frequent names` : ""}.`,
      spec: bars(tools.slice(0, MOST).map(({ value, rows }) => ({ label: fitting(value), rows }))),
      head: ["tool", "calls", "share"],
      rows: withShares(tools.slice(0, ROWS).map(({ value, rows }) => [value.slice(0, 80), rows])),
    },
    {
      title: `Not selected${of}`,
      about: "Why rollouts are not in the SFT pool.",
      spec: bars(unselected.slice(0, MOST).map(({ value, rows }) => ({ label: words(value), rows }))),
      head: ["reason", "rollouts", "share"],
      rows: withShares(unselected.map(({ value, rows }) => [words(value), rows])),
    },
    {
      title: `Steps of wrong answers${of}`,
      about: "Share of the chain's steps that wrong rollouts verify, by kind of step.",
      spec: intervals(
        progress.kinds.map(({ kind, steps, verified }) => {
          const share = verified / steps;
          return { label: kind, estimate: share, low: 0, high: share };
        }),
      ),
      head: ["kind", "steps", "verified", "share"],
      rows: progress.kinds.map(({ kind, steps, verified }) => [
        kind,
        steps,
        verified,
        percentOf(verified / steps),
      ]),
    },
  ];
}

function withShares(rows: readonly (readonly [string, number])[]): [string, number, string][] {
  const all = rows.reduce((sum, [, n]) => sum + n, 0);
  return rows.map(([label, n]) => [label, n, all === 0 ? "" : percentOf(n / all)]);
}
