import { PORTS, type Port, type Stage } from "../stages/stage.js";
import { at, type Document, type Path } from "./base/document.js";
import { type Problem, suggest } from "./base/errors.js";

/** A stage instance as the config names it, with where it stands in the document. */
export interface Node {
  readonly id: string;
  readonly stage: Stage;
  readonly from: readonly string[];
  /** Of the instance itself, and of its `from` list, where it has one. */
  readonly path: Path;
}

/**
 * Instances in the order of the default graph. What costs money comes after what turns rows away for free: a model words (`reword`,
 * a second `verbalize`) and judges only rows that `balance` has let in.
 */
export const DEFAULT_ORDER = [
  "ingest",
  "recipes",
  "enumerate",
  "problems",
  "filter",
  "select",
  "compute",
  "verbalize",
  "lint",
  "dedup",
  "balance",
  "reword",
  "relint",
  "decontaminate",
  "round_trip",
  "probe",
  "solve",
  "rollout",
  "demonstrate",
  "admit",
  "curate",
  "split",
  "emit",
] as const;

/** Instances of {@link DEFAULT_ORDER} that are not called after their stage kind. */
const DEFAULT_KINDS: Readonly<Record<string, string>> = {
  reword: "verbalize",
  relint: "lint",
  demonstrate: "rollout",
};

/** Stage kind of an instance of the default graph. */
export function defaultKind(id: string): string {
  return DEFAULT_KINDS[id] ?? id;
}

/** Instances of {@link DEFAULT_ORDER} that take part only when the config gives them params: what makes rows, and the rest. */
export const OPTIONAL_SOURCES: readonly string[] = ["recipes", "enumerate", "problems"];
const OPTIONAL: readonly string[] = [
  ...OPTIONAL_SOURCES,
  "decontaminate",
  "reword",
  "round_trip",
  "probe",
  "solve",
  "rollout",
  "demonstrate",
  "admit",
  "curate",
];

/** What a user's own problems pass: they have no program to compute, and their words stay as they are. */
export const PROBLEM_ORDER: readonly string[] = [
  "ingest",
  "problems",
  "decontaminate",
  "probe",
  "solve",
  "rollout",
  "demonstrate",
  "admit",
  "curate",
  "split",
  "emit",
];

/** The instances that take part, of those that the config gives params. Whatever is worded anew is checked anew. */
export function defaultInstances(given: readonly string[]): string[] {
  const order = given.includes("problems") ? PROBLEM_ORDER : DEFAULT_ORDER;
  return order.filter((id) =>
    id === "relint" ? given.includes("reword") : !OPTIONAL.includes(id) || given.includes(id),
  );
}

/** Inputs of an instance in the default graph, among those that take part. */
export function defaultInputs(id: string, present: readonly string[]): string[] {
  const place = present.indexOf(id);
  if (id === "ingest") return [];
  if (OPTIONAL_SOURCES.includes(id)) return ["ingest"];
  if (OPTIONAL_SOURCES.includes(present[place - 1]!))
    return present.filter((k) => OPTIONAL_SOURCES.includes(k));
  return [present[place - 1]!];
}

/** All that is wrong with how instances are wired. */
export function checkGraph(nodes: readonly Node[], document: Document): Problem[] {
  const byId = new Map<string, Node>();
  for (const node of nodes) if (!byId.has(node.id)) byId.set(node.id, node);
  const ports = portsOf(byId);
  return [
    ...checkIds(nodes, byId, document),
    ...nodes.flatMap((node) => checkInputs(node, byId, ports, document)),
    ...checkCycles(nodes, byId, document),
    ...checkOutputs(nodes, document),
    ...checkWhole(nodes, document),
  ];
}

function checkIds(nodes: readonly Node[], byId: ReadonlyMap<string, Node>, document: Document): Problem[] {
  return nodes
    .filter((node) => byId.get(node.id) !== node)
    .map((node) => {
      const first = document.locate([...byId.get(node.id)!.path, "id"]).line;
      const hint = `the first stands on line ${first}; ids are how \`from\` names instances`;
      return at(document, [...node.path, "id"], {
        code: "duplicate_id",
        message: `two instances are called \`${node.id}\``,
        hint,
      });
    });
}

type Ports = ReadonlyMap<Node, Port>;

function checkInputs(
  node: Node,
  byId: ReadonlyMap<string, Node>,
  ports: Ports,
  document: Document,
): Problem[] {
  const path = [...node.path, "from"];
  if (node.from.length === 0)
    return node.stage.gives === "tables" ? [] : [noInput(node, byId, ports, document)];
  return node.from.flatMap((id, i) => {
    const place = [...path, i];
    const input = byId.get(id);
    if (input === undefined) {
      const hint = suggest(id, byId.keys(), "instances here");
      return [
        at(document, place, { code: "unknown_instance", message: `no instance is called \`${id}\``, hint }),
      ];
    }
    if (node.from.indexOf(id) < i) {
      return [
        at(document, place, {
          code: "duplicate_input",
          message: `\`${id}\` is given twice`,
          hint: "name each input once",
        }),
      ];
    }
    if (input === node) return [];
    return fits(ports.get(input)!, node.stage.takes) ? [] : [mistyped(node, input, ports, place, document)];
  });
}

function nodesOf(byId: ReadonlyMap<string, Node>): Node[] {
  return [...byId.values()];
}

/**
 * Kinds of row only grow, so a later kind fits where an earlier one is taken; tables and pools are kinds of their own. A
 * `question` is any row with question and answer: a worded task or a problem.
 */
function fits(gives: Port, takes: Port): boolean {
  if (takes === "tables" || gives === "tables" || gives === "pools")
    return gives === takes && gives !== "pools";
  if (takes === "question") return gives === "problem" || PORTS.indexOf(gives) >= PORTS.indexOf("question");
  if (gives === "problem" || gives === "question" || takes === "problem") return gives === takes;
  return PORTS.indexOf(gives) >= PORTS.indexOf(takes);
}

/** What each instance gives here: a stage that hands rows on as they are gives what comes in, and the least of several kinds. */
function portsOf(byId: ReadonlyMap<string, Node>): ReadonlyMap<Node, Port> {
  const ports = new Map<Node, Port>();
  const portOf = (node: Node): Port => {
    const known = ports.get(node);
    if (known !== undefined) return known;
    const { gives, takes } = node.stage;
    // Stands while its inputs are looked at, so that a cycle comes to an end.
    ports.set(node, gives === "same" ? takes : gives);
    if (gives === "same") {
      const inputs = node.from.flatMap((id) => byId.get(id) ?? []).map(portOf);
      ports.set(node, leastOf(inputs.filter((port) => fits(port, takes))) ?? takes);
    }
    return ports.get(node)!;
  };
  for (const node of byId.values()) portOf(node);
  return ports;
}

function leastOf(ports: readonly Port[]): Port | undefined {
  if (ports.includes("problem") && ports.some((port) => port !== "problem")) return "question";
  return PORTS.find((port) => ports.includes(port));
}

function noInput(node: Node, byId: ReadonlyMap<string, Node>, ports: Ports, document: Document): Problem {
  const fitting = nodesOf(byId).filter(
    (other) => fits(ports.get(other)!, node.stage.takes) && !feeds(node, other, nodesOf(byId)),
  );
  const hint = `add \`from: [${fitting[0]?.id ?? "..."}]\`; ${node.stage.kind} takes ${portText(node.stage.takes)}`;
  return at(document, [...node.path, "from"], {
    code: "no_input",
    message: `\`${node.id}\` has no input`,
    hint,
  });
}

function mistyped(node: Node, input: Node, ports: Ports, place: Path, document: Document): Problem {
  const nodes = [...ports.keys()];
  const takes = portText(node.stage.takes);
  const message = `\`${node.id}\` takes ${takes}, but \`${input.id}\` gives ${portText(ports.get(input)!)}`;
  const others = nodes
    .filter((n) => fits(ports.get(n)!, node.stage.takes) && !feeds(node, n, nodes))
    .map((n) => n.id);
  const hint =
    others.length > 0
      ? `${others.map((id) => `\`${id}\``).join(", ")} ${others.length === 1 ? "gives" : "give"} what fits`
      : `nothing here gives ${takes}`;
  return at(document, place, { code: "mistyped_port", message, hint });
}

/** Whether rows of one instance reach the other, itself included. */
function feeds(from: Node, to: Node, nodes: readonly Node[]): boolean {
  const seen = new Set<Node>();
  const reaches = (node: Node): boolean => {
    if (node === from) return true;
    if (seen.has(node)) return false;
    seen.add(node);
    return nodes.some((input) => node.from.includes(input.id) && reaches(input));
  };
  return reaches(to);
}

/** What a port carries, in words. */
export function portText(port: Port | "same"): string {
  if (port === "same") return "rows as they come";
  return port === "tables" || port === "pools" ? port : `${port} rows`;
}

/** Each cycle once, by its instances in order. */
function checkCycles(nodes: readonly Node[], byId: ReadonlyMap<string, Node>, document: Document): Problem[] {
  const problems: Problem[] = [];
  const done = new Set<string>();
  const visit = (node: Node, trail: readonly Node[]): void => {
    const start = trail.indexOf(node);
    if (start >= 0) {
      problems.push(cycle(trail.slice(start), document));
      return;
    }
    if (done.has(node.id)) return;
    for (const id of node.from) {
      const input = byId.get(id);
      if (input !== undefined) visit(input, [...trail, node]);
    }
    done.add(node.id);
  };
  for (const node of nodes) if (byId.get(node.id) === node) visit(node, []);
  return problems;
}

function cycle(members: readonly Node[], document: Document): Problem {
  const order = [...members].reverse();
  const names = [...order, order[0]!].map((n) => n.id).join(" → ");
  const node = members[0]!;
  const position = node.from.indexOf((members[1] ?? node).id);
  return at(document, [...node.path, "from", position], {
    code: "cycle",
    message: `the instances feed each other in a cycle: ${names}`,
    hint: "take one of these inputs away",
  });
}

function checkOutputs(nodes: readonly Node[], document: Document): Problem[] {
  const used = new Set(nodes.flatMap((n) => n.from));
  return nodes
    .filter((node) => node.stage.gives !== "pools" && !used.has(node.id))
    .map((node) => {
      const what = portText(node.stage.gives);
      const message = `nothing takes the ${what} of \`${node.id}\``;
      return at(document, [...node.path, "id"], {
        code: "unconnected",
        message,
        hint: `name \`${node.id}\` in another instance's \`from\`, or remove it`,
      });
    });
}

/** A graph reads sources once, makes tasks and writes one dataset. */
function checkWhole(nodes: readonly Node[], document: Document): Problem[] {
  const problems: Problem[] = [];
  const one = (port: Port, kind: string, many: string): void => {
    const [first, ...rest] = nodes.filter((n) => n.stage.gives === port);
    if (first === undefined) {
      problems.push(
        at(document, ["graph"], { code: `no_${kind}`, message: `the graph has no \`${kind}\``, hint: many }),
      );
    }
    for (const node of rest) {
      const message = `\`${node.id}\` is a second instance that gives ${port}`;
      problems.push(at(document, [...node.path, "id"], { code: `second_${kind}`, message, hint: many }));
    }
  };
  one("tables", "ingest", "one instance reads the sources");
  one("pools", "emit", "one instance writes the dataset");
  if (!nodes.some(makesRows)) {
    const hint = "add a source stage: recipes, enumerate or one of your own";
    problems.push(
      at(document, ["graph"], { code: "no_source_stage", message: "nothing in the graph makes tasks", hint }),
    );
  }
  return problems;
}

function makesRows(node: Node): boolean {
  return node.stage.mode === "source" && node.stage.gives !== "tables";
}

/** Inputs before what takes them; otherwise the config's own order. The graph has passed {@link checkGraph}. */
export function topological<T extends { readonly id: string; readonly from: readonly string[] }>(
  nodes: readonly T[],
): T[] {
  const sorted: T[] = [];
  const placed = new Set<string>();
  while (sorted.length < nodes.length) {
    const next = nodes.find((n) => !placed.has(n.id) && n.from.every((id) => placed.has(id)));
    if (next === undefined) throw new Error("topological order of a graph with a cycle");
    sorted.push(next);
    placed.add(next.id);
  }
  return sorted;
}
