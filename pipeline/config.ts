import { dirname } from "node:path";
import { z } from "zod";
import { identifier } from "../sources/card.js";
import type { FoundCard } from "../sources/cards.js";
import { boundsSchema } from "./audit/bounds.js";
import { type Json, sha256 } from "./base/canonical.js";
import {
  at,
  type Document,
  type Environment,
  type Path,
  parseText,
  readDocument,
  validate,
} from "./base/document.js";
import { type Problem, suggest, TaskmillError } from "./base/errors.js";
import { sortProblems } from "./base/render.js";
import { withoutSecrets } from "./base/secrets.js";
import { isMapping } from "./base/shape.js";
import { findFiles } from "./config-files.js";
import { environmentProblems } from "./environment/check-spec.js";
import { type FoundEnvironment, findCorpora } from "./environment/find-corpora.js";
import { type EnvironmentSpec, environmentSpec } from "./environment/spec.js";
import {
  checkGraph,
  DEFAULT_ORDER,
  defaultInputs,
  defaultInstances,
  defaultKind,
  type Node,
  OPTIONAL_SOURCES,
  PROBLEM_ORDER,
  topological,
} from "./graph.js";
import { type Instance, rolesOf } from "./instance.js";
import { missingPrices } from "./models/price.js";
import type { Role } from "./models/role.js";
import { type RoleOptions, resolveRoles } from "./models/roles.js";
import { type BudgetSpec, budgetSpec, modelSpec } from "./models/spec.js";
import type { Registry } from "./registry.js";
import { findSources } from "./sources.js";

/** Device names of Windows: a directory of such a name cannot be made there. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

const name = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,62}$/,
    "a name is lower-case letters, digits, _ and -, starting with a letter; it becomes the directory runs/<name>",
  )
  .refine((text) => !RESERVED.test(text), "a name that some systems reserve for devices");

const instance = z.strictObject({
  id: identifier,
  stage: z.string().min(1),
  from: z.array(z.string()).default([]),
  params: z.unknown().optional(),
});

/** A config, without the stages' params: those are held against each stage's own schema, at their place. */
export const configSchema = z.strictObject({
  name,
  seed: z.union([z.int(), z.string().min(1)]),
  sources: z.array(z.string().min(1)).min(1),
  target: z
    .strictObject({ accepted: z.int().positive(), candidates: z.int().positive().optional() })
    .optional(),
  /** What stages ask, by role. */
  models: z.record(identifier, modelSpec).default({}),
  budget: budgetSpec.optional(),
  /** What agents may use, and what is kept from them. */
  environment: environmentSpec.optional(),
  /** What `pipeline audit` holds the dataset to. */
  bounds: boundsSchema.optional(),
  stages: z.record(z.string(), z.unknown()).optional(),
  graph: z.array(instance).min(1).max(1000).optional(),
});
type Written = z.infer<typeof configSchema>;

/** What a dataset is a function of, beside its snapshots: plain JSON, all defaults filled in, no path of any machine. */
export interface Config {
  readonly name: string;
  readonly seed: string;
  /** Ids of the sources' cards, in the config's order. */
  readonly sources: readonly string[];
  readonly target: { readonly accepted: number; readonly candidates?: number } | null;
  /** Roles as they stand here: addresses without anything secret, empty for a role that is off; never a key. */
  readonly models: Json;
  readonly budget: Json;
  readonly bounds: Json;
  /** Absent where the config has none. */
  readonly environment?: Json;
  readonly graph: readonly {
    readonly id: string;
    readonly stage: string;
    readonly from: readonly string[];
    readonly params: Json;
  }[];
}

/** A config that has passed every check, ready to be planned or run. */
export interface LoadedConfig {
  readonly config: Config;
  /** SHA-256 of the config's text. */
  readonly sha256: string;
  /** In topological order. */
  readonly instances: readonly Instance[];
  readonly sources: readonly FoundCard[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly budget: BudgetSpec | undefined;
  readonly environment: FoundEnvironment | undefined;
  /** The file, as given; undefined for a config given as a value. */
  readonly file: string | undefined;
}

export interface LoadOptions {
  readonly registry: Registry;
  readonly env?: Environment;
  /** What the command line says of the roles. */
  readonly models?: Omit<RoleOptions, "env">;
}

/**
 * Reads a config file, or takes a config as a value (paths in it are then relative to the working directory and `${`
 * means nothing), and checks all of it, cards included.
 * @throws TaskmillError (config) with everything that is wrong, in order of place.
 */
export async function loadConfig(source: string | object, options: LoadOptions): Promise<LoadedConfig> {
  try {
    return await load(source, options);
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    throw new TaskmillError(error.kind, error.problems.map(withoutSecrets), { cause: error.cause });
  }
}

async function load(source: string | object, options: LoadOptions): Promise<LoadedConfig> {
  const file = typeof source === "string" ? source : undefined;
  const document =
    typeof source === "string"
      ? await readDocument(source, { env: options.env })
      : parseText("(config)", jsonText(source), { env: "none" });
  const folder = file === undefined ? process.cwd() : dirname(file);
  const loaded = await check(document, folder, options.registry, {
    ...options.models,
    env: options.env ?? process.env,
  });
  return { ...loaded, sha256: sha256(document.text), file };
}

function jsonText(value: object): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch (cause) {
    const message = "a config given as a value must be plain JSON";
    throw new TaskmillError("config", [{ code: "not_json", message }], { cause });
  }
}

async function check(
  document: Document,
  folder: string,
  registry: Registry,
  roleOptions: RoleOptions,
): Promise<Pick<LoadedConfig, "config" | "instances" | "sources" | "roles" | "budget" | "environment">> {
  const written = validate(document, configSchema);
  const problems: Problem[] = "problems" in written ? written.problems : [];
  // What can be read of a config with faults is still checked further, so that all faults show at once.
  const draft = "value" in written ? written.value : salvage(document.value);
  const instances = checkForm(draft, document, problems) ?? [];
  const nodes = instances.flatMap((i) => resolveKind(i, document, registry, problems));
  const wired = nodes[0]?.path[0] === "graph" && nodes.length === instances.length;
  // The default graph is right by construction.
  if (wired) problems.push(...checkGraph(nodes, document));
  const { found, problems: sourceProblems } = await findSources(draft.sources ?? [], folder, document);
  problems.push(...sourceProblems);
  const { roles, problems: roleProblems } = resolveRoles(draft.models ?? {}, document, roleOptions);
  problems.push(...roleProblems);
  const parsed = nodes.map((node) => checkParams(node, document, problems));
  const checked: Parsed[] = [];
  for (const one of parsed) {
    problems.push(...checkRoles(one, writtenRoles(document.value), document));
    const { files, problems: fileProblems } = await findFiles(one, folder, document);
    problems.push(...fileProblems);
    checked.push({ ...one, files });
  }
  const kinds = new Set(nodes.map((node) => node.stage.kind));
  const complete = sourceProblems.length === 0 && draft.sources !== undefined;
  for (const one of checked) problems.push(...checkAgainstCards(one, found, kinds, complete, document));
  problems.push(...checkBudget(draft, roles, checked, document));
  problems.push(...checkTools(draft.environment, checked, document));
  problems.push(...checkReads(checked, document), ...checkDraws(checked, document));
  if (draft.environment !== undefined && roleOptions.recorded === undefined)
    problems.push(...environmentProblems(draft.environment, document));
  const { corpora, problems: corpusProblems } = await findCorpora(
    draft.environment ?? { corpus: [] },
    folder,
    document,
  );
  // A replay reads no document.
  if (roleOptions.recorded === undefined) problems.push(...corpusProblems);
  if (problems.length > 0) throw new TaskmillError("config", sortProblems(dedupe(problems)));
  const sorted = topological(checked.map(({ path: _path, valid: _valid, ...instance }) => instance));
  const config = resolved(draft as Written, sorted, found, roles);
  const { budget, environment: spec } = draft;
  const environment = spec === undefined ? undefined : { spec, corpora };
  return { config, instances: sorted, sources: found, roles, budget, environment };
}

/** A stage whose agents act needs something to act with. */
function checkTools(
  environment: EnvironmentSpec | undefined,
  instances: readonly Parsed[],
  document: Document,
): Problem[] {
  const acting = instances.filter((one) => one.stage.acts === true);
  if (environment === undefined) {
    // One with a fault is not missing.
    if (isMapping(document.value) && Object.hasOwn(document.value, "environment")) return [];
    return acting.map((one) =>
      at(document, one.path, {
        code: "no_environment",
        message: `\`${one.id}\` lets agents use tools, and the config has no \`environment\``,
        hint: "add `environment: { corpus: [...] }`; docs/rollouts.md shows one",
      }),
    );
  }
  return acting.flatMap((one) => {
    const { tools = [] } = (one.valid ? one.params : {}) as { readonly tools?: readonly string[] };
    const unknown = tools.filter((name) => !(environment.tools as readonly string[]).includes(name));
    return unknown.map((name) =>
      at(document, [...one.path, "tools"], {
        code: "unknown_tool",
        message: `the environment has no tool \`${name}\``,
        hint: suggest(name, environment.tools, "tools"),
      }),
    );
  });
}

/** Stages that judge others' rollouts name those that make some. */
function checkReads(instances: readonly Parsed[], document: Document): Problem[] {
  const acting = instances.filter((one) => one.stage.acts === true).map(({ id }) => id);
  return instances.flatMap((one) => {
    const named = one.valid ? (one.stage.reads?.(one.params) ?? []) : [];
    const unknown = named.filter((id) => !acting.includes(id));
    return unknown.map((id) =>
      at(document, one.path, {
        code: "unknown_rollouts",
        message: `\`${one.id}\` judges the rollouts of \`${id}\`, and no stage of that name makes any`,
        hint: acting.length === 0 ? "add a `rollout` stage" : suggest(id, acting, "stages with rollouts"),
      }),
    );
  });
}

/** What takes more rollouts to decide than are made decides nothing. */
function checkDraws(instances: readonly Parsed[], document: Document): Problem[] {
  const drawn = (one: Parsed) => (one.valid ? one.stage.draws?.(one.params) : undefined);
  return instances.flatMap((one) => {
    const wanted = drawn(one);
    const named = one.valid ? (one.stage.reads?.(one.params) ?? []) : [];
    return instances.flatMap((other) => {
      const made = named.includes(other.id) && other.stage.acts === true ? drawn(other) : undefined;
      if (wanted === undefined || made === undefined || wanted <= made) return [];
      const message = `\`${one.id}\` decides from ${wanted} rollouts, and \`${other.id}\` makes ${made} of a task: it would let none in`;
      const hint = `give \`${one.id}\` an \`n\` of at most ${made}, or \`${other.id}\` one of at least ${wanted}`;
      return [at(document, [...one.path, "n"], { code: "too_few_rollouts", message, hint })];
    });
  });
}

/** The roles that a config names, sound or not: one with a fault is not unknown. Undefined where they are no mapping at all. */
function writtenRoles(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const models = isMapping(value) && Object.hasOwn(value, "models") ? value.models : {};
  return isMapping(models) ? models : undefined;
}

/** A stage may only ask roles that the config has. */
function checkRoles(
  one: Parsed,
  models: Readonly<Record<string, unknown>> | undefined,
  document: Document,
): Problem[] {
  if (models === undefined) return [];
  return (one.valid ? rolesOf(one) : [])
    .filter((role) => !Object.hasOwn(models, role))
    .map((role) =>
      at(document, one.path, {
        code: "unknown_role",
        message: `\`${one.id}\` asks the role \`${role}\`, which \`models\` does not have`,
        hint: suggest(role, Object.keys(models), "roles"),
      }),
    );
}

/** A cap on money needs prices; a cap on a stage needs the stage. */
function checkBudget(
  { budget }: Partial<Written>,
  roles: ReadonlyMap<string, Role>,
  instances: readonly Parsed[],
  document: Document,
): Problem[] {
  if (budget === undefined) return [];
  const ids = instances.map((one) => one.id);
  const asks = new Map(instances.map((one) => [one.id, one.valid ? rolesOf(one) : []]));
  const unknown = Object.keys(budget.stages)
    .filter((id) => !ids.includes(id))
    .map((id) =>
      at(
        document,
        ["budget", "stages", id],
        {
          code: "unknown_instance",
          message: `no instance is called \`${id}\``,
          hint: suggest(id, ids, "instances"),
        },
        "key",
      ),
    );
  return [
    ...unknown,
    ...missingPrices(budget, roles, asks).map(({ role, ...problem }) =>
      at(document, ["models", role], problem),
    ),
  ];
}

/** The parts of a faulty config that are sound by themselves. */
function salvage(value: unknown): Partial<Written> {
  if (!isMapping(value)) return {};
  const parts = Object.entries(configSchema.shape).flatMap(([key, schema]) => {
    const result = schema.safeParse(value[key]);
    return result.success && result.data !== undefined ? [[key, result.data]] : [];
  });
  return Object.fromEntries(parts) as Partial<Written>;
}

/** An instance as written, whichever form it came in. */
interface Draft {
  readonly id: string;
  readonly kind: string;
  readonly from: readonly string[];
  readonly path: Path;
  readonly paramsPath: Path;
}

function checkForm(draft: Partial<Written>, document: Document, problems: Problem[]): Draft[] | undefined {
  const given = document.value as Record<string, unknown> | null;
  const has = (key: string): boolean =>
    typeof given === "object" && given !== null && Object.hasOwn(given, key);
  if (has("stages") && has("graph")) {
    const hint = "`stages` gives params to the default graph, `graph` wires one of your own: keep one";
    problems.push(
      at(
        document,
        ["graph"],
        { code: "two_forms", message: "`stages` and `graph` exclude each other", hint },
        "key",
      ),
    );
    return undefined;
  }
  if (!has("stages") && !has("graph") && isMapping(given)) {
    const hint =
      "give `stages:` with params by kind, such as `recipes:` or `enumerate:`, or a whole `graph:`";
    problems.push(
      at(document, [], { code: "no_stages", message: "the config has no `stages` and no `graph`", hint }),
    );
  }
  if (draft.graph !== undefined) return draft.graph.map(fromGraph);
  return draft.stages === undefined ? undefined : fromStages(draft.stages, document, problems);
}

function fromGraph(entry: NonNullable<Written["graph"]>[number], i: number): Draft {
  const path = ["graph", i];
  return { id: entry.id, kind: entry.stage, from: entry.from, path, paramsPath: [...path, "params"] };
}

function fromStages(
  stages: Readonly<Record<string, unknown>>,
  document: Document,
  problems: Problem[],
): Draft[] {
  const given = Object.keys(stages);
  if (!OPTIONAL_SOURCES.some((kind) => given.includes(kind))) {
    const hint = "give `recipes`, `enumerate` or both, or `problems`";
    problems.push(
      at(document, ["stages"], { code: "no_source_stage", message: "nothing in `stages` makes tasks", hint }),
    );
  }
  problems.push(...misplaced(given, document));
  const present = defaultInstances(given);
  const known: readonly string[] = DEFAULT_ORDER;
  // A kind outside the default graph keeps its place in the list, so that it is looked at and refused.
  const others = given.filter((kind) => !known.includes(kind));
  return [...present, ...others].map((id) => ({
    id,
    kind: known.includes(id) ? defaultKind(id) : id,
    from: known.includes(id) ? defaultInputs(id, present) : [],
    path: ["stages", id],
    paramsPath: ["stages", id],
  }));
}

/** What problems do not pass: it would do nothing here, and looks as if it did. */
function misplaced(given: readonly string[], document: Document): Problem[] {
  if (!given.includes("problems")) return [];
  return given
    .filter((id) => isDefault(id) && !PROBLEM_ORDER.includes(id))
    .map((id) => {
      const message = `\`${id}\` has no place in the graph of \`problems\`, which have no table behind them`;
      const hint = `it is ${PROBLEM_ORDER.join(" → ")}; wire both kinds with \`graph:\`, or make two configs`;
      return at(document, ["stages", id], { code: "not_of_problems", message, hint }, "key");
    });
}

interface Resolved extends Node {
  readonly paramsPath: Path;
}

function resolveKind(draft: Draft, document: Document, registry: Registry, problems: Problem[]): Resolved[] {
  const stage = registry.get(draft.kind);
  const short = draft.path[0] === "stages";
  if (stage !== undefined && !(short && !isDefault(draft.id))) {
    return [{ id: draft.id, stage, from: draft.from, path: draft.path, paramsPath: draft.paramsPath }];
  }
  if (stage !== undefined) {
    const message = `\`${draft.kind}\` has no place in the default graph`;
    problems.push(
      at(
        document,
        draft.path,
        { code: "no_default_place", message, hint: "wire it yourself: use `graph:` instead of `stages:`" },
        "key",
      ),
    );
    return [];
  }
  const kinds = short ? [...DEFAULT_ORDER] : registry.kinds();
  const hint = suggest(draft.kind, kinds);
  const place = short ? draft.path : [...draft.path, "stage"];
  problems.push(
    at(
      document,
      place,
      { code: "unknown_stage", message: `unknown stage kind \`${draft.kind}\``, hint },
      short ? "key" : "value",
    ),
  );
  return [];
}

function isDefault(kind: string): boolean {
  return (DEFAULT_ORDER as readonly string[]).includes(kind);
}

type Parsed = Instance & { readonly path: Path; readonly valid: boolean };

function checkParams(node: Resolved, document: Document, problems: Problem[]): Parsed {
  const result = validate(document, node.stage.params, node.paramsPath, {});
  // The document's own problems are among the first check's.
  if ("problems" in result) problems.push(...result.problems.filter((p) => !document.problems.includes(p)));
  const valid = "value" in result;
  const params = valid ? result.value : undefined;
  const { id, stage, from, paramsPath: path } = node;
  return { id, stage, from, params, path, valid };
}

/** Problems about a table that is not there are no news when its source had problems itself. */
const FOLLOWS_FROM_SOURCE = new Set(["unknown_table", "missing_source"]);

function checkAgainstCards(
  one: Parsed,
  found: readonly FoundCard[],
  kinds: ReadonlySet<string>,
  complete: boolean,
  document: Document,
): Problem[] {
  if (!one.valid || one.stage.check === undefined) return [];
  const cards = new Map(found.map((f) => [f.card.id, f.card]));
  return one.stage
    .check(one.params, { cards, kinds })
    .filter((p) => complete || !FOLLOWS_FROM_SOURCE.has(p.code))
    .map(({ path = [], location: _location, ...p }) => at(document, [...one.path, ...path], p));
}

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((p) => [JSON.stringify([p.message, p.location]), p]));
  return [...seen.values()];
}

function resolved(
  written: Written,
  instances: readonly Instance[],
  found: readonly FoundCard[],
  roles: ReadonlyMap<string, Role>,
): Config {
  return {
    name: written.name,
    seed: String(written.seed),
    sources: found.map((f) => f.card.id),
    target: written.target ?? null,
    models: plainJson(Object.fromEntries([...roles].map(([name, role]) => [name, specOf(role)]))),
    budget: plainJson(written.budget ?? null),
    bounds: plainJson(written.bounds ?? null),
    ...(written.environment === undefined ? {} : { environment: plainJson(written.environment) }),
    graph: instances.map(({ id, stage, from, params }) => ({
      id,
      stage: stage.kind,
      from,
      params: plainJson(params ?? null),
    })),
  };
}

function specOf({ spec, identity, off }: Role): object {
  return off ? { ...spec, base_url: "", model: "" } : { ...spec, base_url: identity.endpoint };
}

/** What was parsed from JSON by a schema of JSON values. */
function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
