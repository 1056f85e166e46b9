import type { z } from "zod";
import { nearest, type Problem } from "./errors.js";
import type { Schema } from "./shape.js";
import {
  bare,
  describe,
  found,
  isMapping,
  knownKeys,
  listOf,
  literals,
  schemasAt,
  show,
  unwrap,
} from "./shape.js";
import type { Document, Path } from "./yaml.js";

export type Validated<T> = { readonly value: T } | { readonly problems: Problem[] };

type Issue = z.core.$ZodIssue;

/** An issue in words, before it is located. */
interface Leaf {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly path: Path;
  readonly part: "value" | "key";
  /** Path of the known key that an unknown one was taken for. */
  readonly meant?: Path;
}

/**
 * Holds a document (or what stands at `rootPath` in it) against a schema. All problems come back at once, each with its
 * place: unknown keys with the nearest known one, wrong types with what was found and what would be right, unions
 * explained by the branch that the author most likely meant. Where nothing stands at `rootPath`, `fallback` is taken.
 */
export function validate<T>(
  document: Document,
  schema: z.ZodType<T>,
  rootPath: Path = [],
  fallback?: unknown,
): Validated<T> {
  const given = valueAt(document.value, rootPath);
  const input = (given === null || given === undefined) && fallback !== undefined ? fallback : given;
  let result = check(schema, input, rootPath);
  if ("leaves" in result) result = retryWithNumbers(document, schema, rootPath, input, result);
  const own = document.problems.filter((p) => rootPath.length === 0 || startsWith(p.path ?? [], rootPath));
  if ("value" in result && own.length === 0) return { value: result.value };
  const leaves = "leaves" in result ? result.leaves : [];
  const located = leaves
    .filter((leaf) => !own.some((p) => p.path !== undefined && startsWith(leaf.path, p.path)))
    .map(({ part, path, meant: _meant, ...problem }) => at(document, path, problem, part));
  return { problems: [...own, ...located] };
}

/** Holds a value that stands in no document of a user's, such as a manifest, against a schema: the first fault in a sentence, with its path. */
export function hold<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly value: T } | { readonly fault: string } {
  const checked = check(schema, value, []);
  if ("value" in checked) return checked;
  const { message, path } = checked.leaves[0]!;
  return { fault: path.length < 2 ? message : `${message} (${written(path)})` };
}

/** stages[4].id */
function written(path: Path): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${step}`))
    .join("");
}

/** Gives a problem its place in a document. */
export function at(
  document: Document,
  path: Path,
  problem: Omit<Problem, "path" | "location">,
  part: "value" | "key" = "value",
): Problem {
  return { ...problem, path, location: document.locate(path, part) };
}

type Checked<T> = { readonly value: T } | { readonly leaves: Leaf[] };

function check<T>(schema: z.ZodType<T>, input: unknown, prefix: Path): Checked<T> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return { value: result.data };
  const leaves = result.error.issues.flatMap((issue) => explain(issue, { schema, input, prefix }));
  return { leaves: withoutEchoes(leaves) };
}

/** A mistyped key is unknown and its right spelling missing: one mistake, one problem. */
function withoutEchoes(leaves: readonly Leaf[]): Leaf[] {
  const meant = new Set(leaves.flatMap((l) => (l.meant === undefined ? [] : [JSON.stringify(l.meant)])));
  return leaves.filter((l) => l.code !== "missing_key" || !meant.has(JSON.stringify(l.path)));
}

/**
 * `accepted: ${N}` is meant as a number where a number is asked for, and as a text where a text is: variables that
 * stand where the schema objects to a text are read as YAML would have read them, if that helps.
 */
function retryWithNumbers<T>(
  document: Document,
  schema: z.ZodType<T>,
  rootPath: Path,
  input: unknown,
  first: { readonly leaves: Leaf[] },
): Checked<T> {
  let changed = input;
  for (const path of document.substituted) {
    if (!startsWith(path, rootPath)) continue;
    const inner = path.slice(rootPath.length);
    const value = scalarOf(valueAt(input, inner));
    const objected = first.leaves.some((leaf) => samePath(leaf.path, path));
    if (objected && value !== undefined) changed = withValue(changed, inner, value);
  }
  if (changed === input) return first;
  const second = check(schema, changed, rootPath);
  return "value" in second || second.leaves.length < first.leaves.length ? second : first;
}

function scalarOf(text: unknown): number | boolean | undefined {
  if (typeof text !== "string") return undefined;
  if (text === "true" || text === "false") return text === "true";
  if (!/^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return /^[-+]?\d+$/.test(text) && !Number.isSafeInteger(value) ? undefined : value;
}

/** What a leaf is explained against: a schema, the value it was held against, and where that value stands. */
interface Scope {
  readonly schema: Schema;
  readonly input: unknown;
  readonly prefix: Path;
}

function explain(issue: Issue, scope: Scope, base: Path = []): Leaf[] {
  const inner = [...base, ...(issue.path as Path)];
  const path = [...scope.prefix, ...inner];
  const value = valueAt(scope.input, inner);
  const name = label(path);
  const leaf = (code: string, message: string, hint?: string, part: Leaf["part"] = "value"): Leaf[] => [
    { code, message, path, part, ...(hint === undefined ? {} : { hint }) },
  ];
  if (path.length === 0 && value === null) {
    return leaf("empty", "the file is empty", `it takes ${describeAt(scope, inner)}`);
  }
  if (value === undefined && issue.code !== "unrecognized_keys" && issue.code !== "custom") {
    return leaf("missing_key", `${name} is missing`, `it takes ${describeAt(scope, inner)}`);
  }
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, knownKeys(scope.schema, inner, scope.input), path));
    case "invalid_type":
      return leaf(
        "wrong_type",
        `${name} must be ${wanted(issue, scope, inner)}, found ${found(value)}`,
        formHint(issue),
      );
    case "invalid_value":
      return [wrongChoice(path, value, issue.values)];
    case "invalid_union":
      return explainUnion(issue, scope, inner);
    case "invalid_key":
      return leaf("bad_key", `${name} cannot be a key here`, issue.issues.map(plain).join("; "), "key");
    case "too_small":
    case "too_big":
      return leaf("out_of_range", `${name} ${bound(issue)}`);
    case "not_multiple_of":
      return leaf("out_of_range", `${name} must be a multiple of ${issue.divisor}, found ${value}`);
    case "invalid_format":
      return leaf("wrong_form", `${name} cannot be ${show(value)}`, plain(issue));
    default:
      if (typeof value !== "object")
        return leaf("wrong_value", `${name} cannot be ${show(value)}`, plain(issue));
      return leaf("invalid", `${name}: ${plain(issue)}`);
  }
}

function unknownKey(key: string, known: readonly string[], path: Path): Leaf {
  const near = nearest(key, known);
  const list = listOf(
    known.map((k) => `\`${k}\``),
    "and",
  );
  const hint = near !== undefined ? `did you mean \`${near}\`?` : list && `known here: ${list}`;
  const where = path.length === 0 ? "" : ` in ${label(path)}`;
  return {
    code: "unknown_key",
    message: `unknown key \`${key}\`${where}`,
    path: [...path, key],
    part: "key",
    ...(hint ? { hint } : {}),
    ...(near === undefined ? {} : { meant: [...path, near] }),
  };
}

function wrongChoice(path: Path, value: unknown, choices: readonly unknown[]): Leaf {
  const texts = choices.filter((c) => typeof c === "string");
  const near = typeof value === "string" ? (nearest(value, texts) ?? shortened(value, texts)) : undefined;
  const base = { code: "wrong_value", path, part: "value" as const };
  const message = `${label(path)} must be ${listOf(choices.map(bare), "or")}, found ${found(value)}`;
  return near === undefined ? { ...base, message } : { ...base, message, hint: `did you mean ${near}?` };
}

/** "minimum" for "min", and the other way round. */
function shortened(value: string, choices: readonly string[]): string | undefined {
  return choices.find(
    (c) => Math.min(c.length, value.length) > 1 && (c.startsWith(value) || value.startsWith(c)),
  );
}

function explainUnion(issue: Extract<Issue, { code: "invalid_union" }>, scope: Scope, inner: Path): Leaf[] {
  const value = valueAt(scope.input, inner);
  const path = [...scope.prefix, ...inner];
  if (issue.discriminator !== undefined) return [wrongDiscriminator(issue.discriminator, scope, inner)];
  const options = unionOptions(scope, inner, issue.errors.length);
  const whole = (i: number): boolean =>
    issue.errors[i]!.some((e) => e.path.length === 0 && e.code === "invalid_type");
  const fitting = issue.errors.map((_, i) => i).filter((i) => !whole(i));
  if (fitting.length === 0) return [mismatch(scope, inner)];
  const narrowed = narrowByLiteral(options, fitting, value, path);
  if ("leaf" in narrowed) return [narrowed.leaf];
  const best = closest(narrowed.indexes, issue.errors, options, value);
  const branch = options[best];
  return issue.errors[best]!.flatMap((error) =>
    branch === undefined
      ? explain(error, scope, inner)
      : explain(error, { schema: branch, input: value, prefix: path }),
  );
}

/** The member that says which branch of a discriminated union is meant is missing or unknown; `inner` ends in it. */
function wrongDiscriminator(key: string, scope: Scope, inner: Path): Leaf {
  const parent = inner.at(-1) === key ? inner.slice(0, -1) : inner;
  const known = schemasAt(scope.schema, parent, scope.input)
    .flatMap((schema) => optionsOf(schema) ?? [])
    .flatMap((option) => literals(shapeOf(unwrap(option))?.[key] ?? option) ?? []);
  const path = [...scope.prefix, ...parent, key];
  const value = valueAt(scope.input, [...parent, key]);
  return value === undefined ? missingChoice(path, known) : wrongChoice(path, value, known);
}

function mismatch(scope: Scope, inner: Path): Leaf {
  const path = [...scope.prefix, ...inner];
  const message = `${label(path)} must be ${describeAt(scope, inner)}, found ${found(valueAt(scope.input, inner))}`;
  return { code: "wrong_type", message, path, part: "value" };
}

function missingChoice(path: Path, choices: readonly unknown[]): Leaf {
  const hint = `it takes ${listOf(choices.map(bare), "or")}`;
  return { code: "missing_key", message: `${label(path)} is missing`, hint, path, part: "value" };
}

function optionsOf(schema: Schema): readonly Schema[] | undefined {
  return (schema._zod.def as { options?: readonly Schema[] }).options;
}

function unionOptions(scope: Scope, inner: Path, count: number): readonly Schema[] {
  const union = schemasAt(scope.schema, inner, scope.input).find((s) => optionsOf(s)?.length === count);
  return union === undefined ? [] : optionsOf(union)!.map(unwrap);
}

/** Where every branch that fits names itself by a literal (`op: lt`), that literal decides which one was meant. */
function narrowByLiteral(
  options: readonly Schema[],
  fitting: readonly number[],
  value: unknown,
  path: Path,
): { leaf: Leaf } | { indexes: readonly number[] } {
  if (!isMapping(value) || fitting.length < 2) return { indexes: fitting };
  const key = commonLiteralKey(fitting.map((i) => options[i]));
  if (key === undefined) return { indexes: fitting };
  const known = (i: number): readonly unknown[] => literals(shapeOf(options[i])![key]!)!;
  const chosen = fitting.filter((i) => known(i).includes(value[key]));
  if (chosen.length > 0) return { indexes: chosen };
  const all = fitting.flatMap(known);
  return {
    leaf: Object.hasOwn(value, key)
      ? wrongChoice([...path, key], value[key], all)
      : missingChoice([...path, key], all),
  };
}

function commonLiteralKey(options: readonly (Schema | undefined)[]): string | undefined {
  const first = shapeOf(options[0]);
  if (first === undefined) return undefined;
  return Object.keys(first).find((key) =>
    options.every((option) => {
      const member = shapeOf(option)?.[key];
      return member !== undefined && literals(member) !== undefined;
    }),
  );
}

function shapeOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return (schema?._zod.def as { shape?: Record<string, Schema> } | undefined)?.shape;
}

/** The branch with the least to put right. */
function closest(
  indexes: readonly number[],
  errors: readonly (readonly Issue[])[],
  options: readonly Schema[],
  value: unknown,
): number {
  const cost = (i: number): number =>
    errors[i]!.reduce((sum, issue) => sum + costOf(issue, options[i], value), 0);
  return indexes.reduce((best, i) => (cost(i) < cost(best) ? i : best));
}

function costOf(issue: Issue, schema: Schema | undefined, value: unknown): number {
  if (issue.code === "unrecognized_keys") {
    const known = schema === undefined ? [] : knownKeys(schema, issue.path, value);
    return issue.keys.reduce((sum, key) => sum + (nearest(key, known) === undefined ? 3 : 1), 0);
  }
  if (issue.code === "invalid_value") return 4;
  return issue.path.length > 1 ? 1 : 2;
}

/** zod says `int` where a whole number is meant, and takes no infinity for a number. */
function wanted(issue: Extract<Issue, { code: "invalid_type" }>, scope: Scope, inner: Path): string {
  if (issue.expected === "int") return "a whole number";
  if (typeof issue.input === "number" && !Number.isFinite(issue.input)) return "a finite number";
  return describeAt(scope, inner);
}

function formHint(issue: Extract<Issue, { code: "invalid_type" }>): string | undefined {
  if (issue.expected === "array" && typeof issue.input === "string")
    return `a list stands in brackets, also of one: [${JSON.stringify(issue.input)}]`;
  const scalar = typeof issue.input === "number" || typeof issue.input === "boolean";
  return issue.expected === "string" && scalar ? "put it in quotes to make it a text" : undefined;
}

function bound(issue: Extract<Issue, { code: "too_small" | "too_big" }>): string {
  const small = issue.code === "too_small";
  const limit = Number(small ? issue.minimum : issue.maximum);
  const size = (unit: string): string =>
    small && limit === 1
      ? "is empty"
      : `must have ${small ? "at least" : "at most"} ${limit} ${unit}${limit === 1 ? "" : "s"}`;
  if (issue.origin === "string") return size("character");
  if (issue.origin === "array") return size("item");
  if (issue.origin === "set" || issue.origin === "map") return size("member");
  const word = small
    ? issue.inclusive
      ? "at least"
      : "more than"
    : issue.inclusive
      ? "at most"
      : "less than";
  return `must be ${word} ${limit}, found ${String(issue.input)}`;
}

/** A schema's own message, or zod's with a small first letter. */
function plain(issue: Issue): string {
  const message = issue.message.replace(/^Invalid string: must match pattern /, "it must match ");
  return message.startsWith("Invalid") ? message[0]!.toLowerCase() + message.slice(1) : message;
}

/** How a place is called in a sentence: `rank`, item 3 of `sources`. */
export function label(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the document";
  if (typeof last === "string") return `\`${last}\``;
  const parent = path.slice(0, -1);
  return `item ${last + 1} of ${parent.length === 0 ? "the list" : label(parent)}`;
}

function describeAt(scope: Scope, inner: Path): string {
  const schemas = schemasAt(scope.schema, inner, scope.input);
  return listOf([...new Set(schemas.map(describe))], "or") || "another kind of value";
}

export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

function withValue(value: unknown, path: Path, leaf: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return leaf;
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? withValue(item, rest, leaf) : item));
  const mapping = value as Record<string, unknown>;
  return { ...mapping, [step]: withValue(mapping[step as string], rest, leaf) };
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((step, i) => path[i] === step);
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && startsWith(a, b);
}
