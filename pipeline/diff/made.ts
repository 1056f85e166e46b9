import type { Json } from "../base/canonical.js";
import { CASSETTE } from "../finish.js";
import type { Manifest } from "../manifest.js";
import { type Change, changesBetween } from "./json.js";

/** One way in which two datasets were made differently. */
export interface Setting extends Change {
  readonly part:
    | "taskmill"
    | "seed"
    | "target"
    | "source"
    | "stage"
    | "model"
    | "recordings"
    | "formula"
    | "other";
  /** Id of the source, stage instance or role, or name of the formula; empty where there is but one. */
  readonly of: string;
}

type Part = Setting["part"];

/** Keys of a resolved config that are told apart, or that stages and sources have already told. */
const TOLD = new Set(["name", "seed", "sources", "graph", "stages", "target", "models"]);

/** How the making of two datasets differs, by their manifests: versions, seed, target, sources, stages, models, recordings. */
export function settingsBetween(a: Manifest, b: Manifest): Setting[] {
  return [
    ...told("taskmill", "", a.taskmill, b.taskmill),
    ...told("seed", "", a.seed, b.seed),
    ...told("target", "", a.target, b.target),
    ...sources(a, b),
    ...stages(a, b),
    ...models(a, b),
    ...told("recordings", "", cassetteOf(a), cassetteOf(b)),
    ...rest(a, b),
  ];
}

export function told(part: Part, of: string, a: unknown, b: unknown): Setting[] {
  return changesBetween(a, b).map((change) => ({ part, of, ...change }));
}

function sources(a: Manifest, b: Manifest): Setting[] {
  const facts = ({ sources }: Manifest) =>
    new Map(
      sources.map(({ id, card, snapshot, rows }) => [
        id,
        { card: card.sha256, snapshot: snapshot.sha256, rows },
      ]),
    );
  return byName("source", facts(a), facts(b));
}

function stages(a: Manifest, b: Manifest): Setting[] {
  const facts = ({ stages }: Manifest) =>
    new Map(
      stages
        .filter(({ id }) => !id.startsWith("("))
        .map(({ id, stage, version, params, files, from }) => [id, { stage, version, params, files, from }]),
    );
  return byName("stage", facts(a), facts(b));
}

function models(a: Manifest, b: Manifest): Setting[] {
  return byName("model", rolesOf(a), rolesOf(b));
}

function rolesOf(manifest: Manifest): Map<string, Json> {
  const { models } = resolvedOf(manifest);
  return new Map(Object.entries((models ?? {}) as Record<string, Json>));
}

function rest(a: Manifest, b: Manifest): Setting[] {
  const left = (manifest: Manifest) =>
    new Map(Object.entries(resolvedOf(manifest)).filter(([key]) => !TOLD.has(key)));
  return byName("other", left(a), left(b));
}

function resolvedOf({ config }: Manifest): Record<string, Json> {
  const { resolved } = config;
  return resolved !== null && typeof resolved === "object" && !Array.isArray(resolved)
    ? (resolved as Record<string, Json>)
    : {};
}

function cassetteOf({ files }: Manifest): string | null {
  return files.find(({ file }) => file === CASSETTE)?.sha256 ?? null;
}

function byName(part: Part, a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): Setting[] {
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.flatMap((name) => {
    const [left, right] = [a.get(name), b.get(name)];
    if (left === undefined || right === undefined)
      return [
        {
          part,
          of: name,
          path: "",
          a: left === undefined ? null : "present",
          b: right === undefined ? null : "present",
        },
      ];
    return told(part, name, left, right);
  });
}
