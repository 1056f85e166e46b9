import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { OwnAdapters, SourceAdapter } from "../sources/adapters/adapter.js";
import { PORTS, type Stage } from "../stages/stage.js";
import { compareText } from "./base/canonical.js";
import { fail, type Problem, TaskmillError } from "./base/errors.js";

/** Stage kinds by name: the built-in ones and those that a plugin or the API adds. */
export class Registry {
  readonly #stages = new Map<string, Stage>();
  /** Source adapters that a plugin or the API adds, by name. */
  readonly adapters: OwnAdapters;

  constructor(stages: Iterable<Stage> = [], adapters: Iterable<SourceAdapter> = []) {
    this.add(...stages);
    this.adapters = adaptersByName(adapters);
  }

  /** @throws TaskmillError (usage) for a stage that is no stage, or a kind that is taken. */
  add(...stages: readonly Stage[]): this {
    for (const stage of stages) {
      const problem = this.#problemOf(stage);
      if (problem !== undefined) throw new TaskmillError("usage", [problem]);
      this.#stages.set(stage.kind, stage);
    }
    return this;
  }

  get(kind: string): Stage | undefined {
    return this.#stages.get(kind);
  }

  has(kind: string): boolean {
    return this.#stages.has(kind);
  }

  /** Kinds in code-unit order. */
  kinds(): string[] {
    return [...this.#stages.keys()].sort(compareText);
  }

  all(): Stage[] {
    return this.kinds().map((kind) => this.#stages.get(kind)!);
  }

  /** A registry of its own with more stages and adapters. */
  with(stages: readonly Stage[], adapters: readonly SourceAdapter[] = []): Registry {
    return new Registry(this.#stages.values(), [...this.adapters.values(), ...adapters]).add(...stages);
  }

  #problemOf(stage: Stage): Problem | undefined {
    const wrong = faultOf(stage);
    if (wrong !== undefined) {
      return { code: "bad_stage", message: `not a stage: ${wrong}`, hint: "make it with `defineStage`" };
    }
    if (!this.#stages.has(stage.kind)) return undefined;
    return {
      code: "duplicate_stage",
      message: `there is already a stage kind \`${stage.kind}\``,
      hint: "give it another kind",
    };
  }
}

/** @throws TaskmillError (usage) for an adapter that is none, or a name that is taken. */
function adaptersByName(adapters: Iterable<SourceAdapter>): OwnAdapters {
  const byName = new Map<string, SourceAdapter>();
  for (const adapter of adapters) {
    if (typeof adapter?.name !== "string" || typeof adapter.read !== "function") {
      fail(
        "usage",
        "bad_adapter",
        "not a source adapter: it has no `name` or no `read`",
        "make it with `defineSource`",
      );
    }
    if (byName.has(adapter.name)) {
      fail(
        "usage",
        "duplicate_adapter",
        `there are two source adapters \`${adapter.name}\``,
        "give one another name",
      );
    }
    byName.set(adapter.name, adapter);
  }
  return byName;
}

/** Plugins are plain JavaScript: what TypeScript would have said is said here. */
function faultOf(stage: unknown): string | undefined {
  if (typeof stage !== "object" || stage === null) return "it is no object";
  const s = stage as Partial<Record<keyof Stage, unknown>> & { input?: unknown; output?: unknown };
  const isSchema = (value: unknown): boolean =>
    typeof (value as { safeParse?: unknown } | null)?.safeParse === "function";
  if (typeof s.kind !== "string" || !/^[a-z][a-z0-9_]*$/.test(s.kind))
    return "`kind` is a name of lower-case letters, digits and _";
  if (!Number.isSafeInteger(s.version)) return "`version` is a whole number";
  if (!["row", "set", "source"].includes(String(s.mode))) return "`mode` is row, set or source";
  if (typeof s.summary !== "string") return "`summary` is a text";
  if (!isSchema(s.params)) return "`params` is a zod schema";
  if (!isSchema(s.output)) return "`output` is a zod schema";
  if (s.mode !== "source" && !isSchema(s.input)) return "`input` is a zod schema";
  const ports: readonly unknown[] = PORTS;
  if (!ports.includes(s.takes) || !(s.gives === "same" || ports.includes(s.gives)))
    return `\`takes\` and \`gives\` are among ${PORTS.join(", ")}; \`gives\` may be same`;
  if (typeof s.reasons !== "object" || s.reasons === null) return "`reasons` maps codes to what they mean";
  return typeof s.run === "function" ? undefined : "`run` is a function";
}

/** What a plugin module may give: `export default [stage, ...]`, one stage, or `{ stages, adapters }`. */
export interface Plugin {
  readonly stages: readonly Stage[];
  readonly adapters: readonly SourceAdapter[];
}

/**
 * Imports a local ES module named on the command line or by the API. A config alone can never bring code in.
 * @throws TaskmillError (usage) when it cannot be imported or gives something else.
 */
export async function loadPlugin(file: string): Promise<Plugin> {
  if (/^[a-z]{2,}:/i.test(file)) fail("usage", "bad_plugin", `a plugin is a local file, not ${file}`);
  let given: unknown;
  try {
    given = ((await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }).default;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0]! : String(cause);
    const problem = { code: "bad_plugin", message: `the plugin ${file} cannot be imported: ${why}` };
    throw new TaskmillError("usage", [problem], { cause });
  }
  return pluginOf(given, file);
}

function pluginOf(given: unknown, file: string): Plugin {
  if (Array.isArray(given)) return { stages: given as Stage[], adapters: [] };
  if (typeof given === "object" && given !== null) {
    if ("kind" in given) return { stages: [given as Stage], adapters: [] };
    const { stages = [], adapters = [] } = given as { stages?: unknown; adapters?: unknown };
    if (Array.isArray(stages) && Array.isArray(adapters) && stages.length + adapters.length > 0) {
      return { stages: stages as Stage[], adapters: adapters as SourceAdapter[] };
    }
  }
  const hint = "its default export is a list of stages, or { stages, adapters }";
  return fail("usage", "bad_plugin", `the plugin ${file} gives no stages`, hint);
}
