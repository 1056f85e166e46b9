import { isBall } from "./ball.js";
import { evaluate } from "./evaluate.js";
import type { Point, Points } from "./points.js";
import { type Node, variablesOf } from "./tree.js";

/**
 * Expressions up to an added constant. Asked for where the expected one ends in `+ C` (and `C` has no declared range): the answer must
 * then have a constant of its own, and may differ by any number.
 */

/** The expected expression without its constant, if it ends in one. */
export function withoutConstant(node: Node, isOrdinary: (name: string) => boolean): Node | undefined {
  if (node.kind !== "sum" || isOrdinary("C")) return undefined;
  const last = node.parts.at(-1)!;
  if (last.kind !== "variable" || last.name !== "C") return undefined;
  const rest = sum(node.parts.slice(0, -1));
  return variablesOf(rest).includes("C") ? undefined : rest;
}

/** The answer without its constant: one term that is a letter by itself, found nowhere else. */
export function withoutOwnConstant(node: Node, taken: ReadonlySet<string>): Node | undefined {
  if (node.kind !== "sum") return undefined;
  const at = node.parts.findIndex(
    (p) => p.kind === "variable" && /^[CcKk](_[0-9])?$/.test(p.name) && !taken.has(p.name),
  );
  if (at < 0) return undefined;
  const constant = node.parts[at]!;
  const rest = sum(node.parts.filter((_, i) => i !== at));
  return constant.kind === "variable" && variablesOf(rest).includes(constant.name) ? undefined : rest;
}

/** The answer, moved by a number so that both agree at one point. Undefined if there is no point at which both are real. */
export function aligned(expected: Node, answer: Node, points: Points): Node | undefined {
  for (let i = 0; i < 24; i++) {
    const point = points.at(i);
    const values = [expected, answer].map((n) => evaluate(n, point, { left: 20_000 }));
    if (!values.every((v) => isBall(v) && v.real)) continue;
    const difference = sum([fixed(expected, point), { kind: "negative", of: fixed(answer, point) }]);
    return sum([answer, difference]);
  }
  return undefined;
}

function sum(parts: readonly Node[]): Node {
  return parts.length === 1 ? parts[0]! : { kind: "sum", parts };
}

/** An expression with numbers in the place of its variables. */
function fixed(node: Node, point: Point): Node {
  switch (node.kind) {
    case "variable": {
      const value = point.get(node.name);
      if (value === undefined) return node;
      const size: Node = { kind: "number", text: String(Math.abs(value)) };
      return value < 0 ? { kind: "negative", of: size } : size;
    }
    case "sum":
    case "product":
      return { ...node, parts: node.parts.map((p) => fixed(p, point)) };
    case "negative":
    case "factorial":
      return { ...node, of: fixed(node.of, point) };
    case "quotient":
      return { ...node, over: fixed(node.over, point), under: fixed(node.under, point) };
    case "power":
      return { ...node, base: fixed(node.base, point), exponent: fixed(node.exponent, point) };
    case "call":
      return { ...node, args: node.args.map((a) => fixed(a, point)) };
    case "series": {
      const outer = new Map([...point].filter(([name]) => name !== node.index));
      return {
        ...node,
        from: fixed(node.from, point),
        to: fixed(node.to, point),
        body: fixed(node.body, outer),
      };
    }
    default:
      return node;
  }
}
