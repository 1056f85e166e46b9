/** The tree of an expression. What is written in several ways (a fraction, a root, a product without a sign) has one form here. */
export type Node =
  /** Digits with an optional point and exponent, as `Number` and Decimal read them; any length. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "constant"; readonly name: "pi" | "e" | "i" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "sum" | "product"; readonly parts: readonly Node[] }
  | { readonly kind: "negative" | "factorial"; readonly of: Node }
  | { readonly kind: "quotient"; readonly over: Node; readonly under: Node }
  | { readonly kind: "power"; readonly base: Node; readonly exponent: Node }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Node[] }
  /** Sum or product of `body` for whole numbers `index` = `from`, ..., `to`. */
  | {
      readonly kind: "series";
      readonly op: "sum" | "product";
      readonly index: string;
      readonly from: Node;
      readonly to: Node;
      readonly body: Node;
    };

/** Functions of one argument. */
export const UNARY = [
  "sin",
  "cos",
  "tan",
  "cot",
  "sec",
  "csc",
  "arcsin",
  "arccos",
  "arctan",
  "sinh",
  "cosh",
  "tanh",
  "arcsinh",
  "arccosh",
  "arctanh",
  "exp",
  "ln",
  "abs",
  "sign",
  "floor",
  "ceil",
] as const;
export type UnaryName = (typeof UNARY)[number];

/** `log` is the logarithm without a base, `logb` has its base first; `binom`, `min` and `max` are what they say. */
export type FunctionName = UnaryName | "log" | "logb" | "binom" | "min" | "max";

/** The nodes right below. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "sum":
    case "product":
      return node.parts;
    case "negative":
    case "factorial":
      return [node.of];
    case "quotient":
      return [node.over, node.under];
    case "power":
      return [node.base, node.exponent];
    case "call":
      return node.args;
    case "series":
      return [node.from, node.to, node.body];
    default:
      return [];
  }
}

/** Names of the free variables, in the order in which they come; a series hides its index. */
export function variablesOf(node: Node): string[] {
  const found = new Set<string>();
  const visit = (n: Node, bound: ReadonlySet<string>): void => {
    if (n.kind === "variable") {
      if (!bound.has(n.name)) found.add(n.name);
    } else if (n.kind === "series") {
      visit(n.from, bound);
      visit(n.to, bound);
      visit(n.body, new Set([...bound, n.index]));
    } else for (const child of children(n)) visit(child, bound);
  };
  visit(node, new Set());
  return [...found];
}

/** Variables that count something, under a factorial, in `binom` or in the bounds of a series: only whole numbers make sense for them. */
export function countersOf(node: Node): Set<string> {
  const found = new Set<string>();
  const add = (n: Node): void => {
    for (const name of variablesOf(n)) found.add(name);
  };
  const visit = (n: Node): void => {
    if (n.kind === "factorial") add(n.of);
    if (n.kind === "call" && n.name === "binom") n.args.forEach(add);
    if (n.kind === "series") {
      add(n.from);
      add(n.to);
    }
    children(n).forEach(visit);
  };
  visit(node);
  return found;
}

/** One line of plain text with all the brackets that are needed, for evidence. */
export function printed(node: Node): string {
  switch (node.kind) {
    case "number":
      return node.text;
    case "constant":
    case "variable":
      return node.name;
    case "sum":
      return `(${node.parts.map((p) => printed(p)).join(" + ")})`.replaceAll("+ -", "- ");
    case "product":
      return node.parts.map(printed).join("*");
    case "negative":
      return `-${atom(node.of)}`;
    case "factorial":
      return `${atom(node.of)}!`;
    case "quotient":
      return `${atom(node.over)}/${atom(node.under)}`;
    case "power":
      return `${atom(node.base)}^${atom(node.exponent)}`;
    case "call":
      return `${node.name}(${node.args.map(bare).join(", ")})`;
    case "series":
      return `${node.op}(${printed(node.body)}, ${node.index}, ${printed(node.from)}, ${printed(node.to)})`;
  }
}

/** The whole expression, without brackets around it. */
export function bare(node: Node): string {
  const text = printed(node);
  return node.kind === "sum" ? text.slice(1, -1) : text;
}

function atom(node: Node): string {
  const text = printed(node);
  const simple = ["number", "constant", "variable", "sum", "call", "series"].includes(node.kind);
  return simple ? text : `(${text})`;
}
