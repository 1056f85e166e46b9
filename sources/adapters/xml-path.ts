import { sourceError } from "../problems.js";

/** An element kept in memory while its record is read. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
  text: string;
}

interface Step {
  readonly name: string;
  readonly tests: readonly { readonly attribute: string; readonly value: string }[];
}

/** A path such as `scalar[dictRef=bo:halfLife]@units`, `isotopes/isotope@number`, `@id`, or `.` for the record's own text. */
export interface XmlPath {
  readonly steps: readonly Step[];
  readonly attribute: string | undefined;
}

const NAME = "[\\p{L}_][\\p{L}\\p{N}_.:-]*";
const STEP = new RegExp(`^(${NAME}|\\*)((?:\\[@?${NAME}=(?:"[^"]*"|'[^']*'|[^\\]]*)\\])*)`, "u");
const TEST = new RegExp(`\\[@?(${NAME})=(?:"([^"]*)"|'([^']*)'|([^\\]]*))\\]`, "gu");
const ATTRIBUTE = new RegExp(`^@(${NAME})$`, "u");

/** @throws TaskmillError (source) for text that is no path. */
export function parseXmlPath(text: string): XmlPath {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== "" && rest !== "." && !rest.startsWith("@")) {
    const m = STEP.exec(rest);
    if (m === null) badPath(text);
    steps.push({ name: m[1]!, tests: testsOf(m[2]!) });
    rest = rest.slice(m[0].length);
    if (rest.startsWith("/")) rest = rest.slice(1);
    else if (rest !== "" && !rest.startsWith("@")) badPath(text);
  }
  if (rest === "" || rest === ".") return { steps, attribute: undefined };
  const attribute = ATTRIBUTE.exec(rest);
  if (attribute === null) badPath(text);
  return { steps, attribute: attribute[1]! };
}

function testsOf(text: string): Step["tests"] {
  return [...text.matchAll(TEST)].map((m) => ({ attribute: m[1]!, value: m[2] ?? m[3] ?? m[4]! }));
}

function badPath(text: string): never {
  sourceError("bad_path", `\`${text}\` is not a path into an XML record`, {
    hint: "e.g. `@id`, `scalar[dictRef=bo:mass]`, `label[dictRef=bo:name]@value`",
  });
}

/** All that a path leads to, in document order. */
export function selectXml(record: XmlNode, path: XmlPath): string[] {
  let nodes: readonly XmlNode[] = [record];
  for (const step of path.steps)
    nodes = nodes.flatMap((n) => n.children.filter((child) => fits(child, step)));
  const { attribute } = path;
  if (attribute === undefined) return nodes.map((n) => n.text.trim());
  return nodes.map((n) => n.attributes.get(attribute)).filter((v) => v !== undefined);
}

/** A name without a prefix fits the local name in any namespace. */
function fits(node: XmlNode, step: Step): boolean {
  const named = step.name === "*" || node.name === step.name || node.name.replace(/^.*:/, "") === step.name;
  return named && step.tests.every((t) => node.attributes.get(t.attribute) === t.value);
}
