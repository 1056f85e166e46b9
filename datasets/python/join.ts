import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fail } from "../../pipeline/base/errors.js";

/**
 * The Python package `taskmill_reward` as one file, which ships beside the pools: a trainer is handed a path, not a package. The modules
 * are put one behind the other, each behind those it imports, so that no name is used before it stands.
 */

/** The folder of the package: beside the source, or above `dist/` once compiled. */
function packageFolder(): string {
  const beside = fileURLToPath(new URL("./taskmill_reward/", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../datasets/python/taskmill_reward/", import.meta.url));
}

/** A module taken apart. */
interface PythonModule {
  readonly name: string;
  /** Its first text, which says what it is for. */
  readonly about: string;
  /** Lines that import from the standard library. */
  readonly imports: readonly string[];
  /** Modules of the package that it imports from. */
  readonly needs: readonly string[];
  readonly body: string;
}

/** The text of `taskmill_reward.py`: standard library only, Python 3.9 or later. The same bytes on any machine. */
export function pythonReward(): string {
  joined ??= joinModules(sources());
  return joined;
}

let joined: string | undefined;

/** Names and texts of the package's modules, in the order of their names. */
function sources(): Map<string, string> {
  const folder = packageFolder();
  const names = readdirSync(folder).filter((name) => name.endsWith(".py"));
  return new Map(names.sort().map((name) => [name.slice(0, -3), readFileSync(`${folder}${name}`, "utf8")]));
}

/**
 * Joins modules into one file; `__init__` gives the text above it and the names that it offers.
 * @throws TaskmillError for a circle of imports, an import under another name and a name that two modules have
 */
export function joinModules(texts: ReadonlyMap<string, string>): string {
  const first = takeApart("__init__", texts.get("__init__") ?? "");
  const modules = [...texts]
    .filter(([name]) => name !== "__init__")
    .map(([name, text]) => takeApart(name, text));
  refuseDoubles(modules);
  const imports = [...new Set(modules.flatMap((m) => m.imports))].sort();
  const future = imports.filter((line) => line.startsWith("from __future__ "));
  const library = imports.filter((line) => !line.startsWith("from __future__ "));
  // What follows the first paragraph is for those who write the modules.
  const about = `"""${first.about.split("\n\n")[0]}"""`;
  const head = [about, future.join("\n"), library.join("\n")].filter((part) => part !== "").join("\n\n");
  return `${[head, ...inOrder(modules).map(section), first.body].join("\n\n\n")}\n`;
}

const section = ({ about, name, body }: PythonModule): string =>
  `# ${name}: ${about.replaceAll("\n", "\n# ").replaceAll(/ +$/gm, "")}\n\n${body}`;

const ABOUT = /^"""(.*?)"""\n/s;
/** An import at the beginning of a line, its names in brackets or not. */
const IMPORT = /^(?:from +(\.?)([\w.]+) +import +(\([^()]*\)|[^\n(]+)|import +[^\n]+)\n/gm;

function takeApart(name: string, text: string): PythonModule {
  const about = ABOUT.exec(text)?.[1]?.trim() ?? "";
  const imports: string[] = [];
  const needs: string[] = [];
  const rest = text
    .replace(ABOUT, "")
    .replaceAll(IMPORT, (line, dot: string | undefined, from: string, names: string) => {
      if (dot !== ".") imports.push(line.trim());
      else if (/\bas\b/.test(names)) broken(`${name}.py imports a name of ${from}.py under another one`);
      else needs.push(from);
      return "";
    });
  return { name, about, imports, needs, body: rest.trim() };
}

/** Each module behind those it needs; where several might come next, by name. */
function inOrder(modules: readonly PythonModule[]): PythonModule[] {
  const ordered: PythonModule[] = [];
  const done = new Set<string>();
  let waiting = [...modules];
  while (waiting.length > 0) {
    const next = waiting.find((m) => m.needs.every((need) => done.has(need)));
    if (next === undefined)
      broken(`modules import each other, or one that is not there: ${waiting.map((m) => m.name).join(", ")}`);
    ordered.push(next);
    done.add(next.name);
    waiting = waiting.filter((m) => m !== next);
  }
  return ordered;
}

const DEFINED = /^(?:def +(\w+)|class +(\w+)|(\w+) *(?::[^=\n]+)?=(?!=))/gm;

function refuseDoubles(modules: readonly PythonModule[]): void {
  const owners = new Map<string, string>();
  for (const { name, body } of modules) {
    for (const match of body.matchAll(DEFINED)) {
      const defined = (match[1] ?? match[2] ?? match[3])!;
      const owner = owners.get(defined) ?? name;
      if (owner !== name) broken(`${owner}.py and ${name}.py both have the name ${defined}`);
      owners.set(defined, name);
    }
  }
}

/** A fault of ours, not of a user. */
function broken(what: string): never {
  fail("internal", "python_reward", `the Python reward cannot be joined: ${what}`);
}
