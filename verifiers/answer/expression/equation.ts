import { readName } from "./name.js";
import { Reading } from "./reading.js";
import { Refusal } from "./refusal.js";
import { tokenize } from "./tokens.js";

export interface Equation {
  /** The unknown that a side names; undefined for `f(x)`, a derivative, or where there is no equals sign. */
  readonly label: string | undefined;
  /** The sides that give its value, in order. */
  readonly values: readonly string[];
}

/** The largest number of equals signs in a row. */
const LONGEST = 12;

/**
 * `y = ...`, `f(x) = ...`, `dy/dx = ...`, `... = x`: the sides that count.
 * @throws Refusal if no side is a name
 */
export function readEquation(text: string, named: ReadonlySet<string>): Equation {
  const sides = sidesOf(text);
  if (sides.length === 1) return { label: undefined, values: sides };
  if (sides.length > LONGEST) throw new Refusal("there are too many equals signs", 0);
  const left = labelOf(sides[0]!, named);
  if (left !== undefined) return { label: left.name, values: sides.slice(1) };
  const right = labelOf(sides.at(-1)!, named);
  if (right !== undefined) return { label: right.name, values: sides.slice(0, -1) };
  throw new Refusal("neither side of the equation is a name", sides[0]!.length);
}

/** Splits at equals signs outside braces; `\sum_{k=1}` keeps its own. */
function sidesOf(text: string): string[] {
  const sides: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}") depth--;
    else if (text[i] === "=" && depth <= 0) {
      sides.push(text.slice(start, i));
      start = i + 1;
    }
  }
  sides.push(text.slice(start));
  return sides;
}

const DERIVATIVE =
  /^\s*(\\[dt]?frac\s*\{\s*(d|\\partial)[^{}]{0,20}\}\s*\{\s*(d|\\partial)[^{}]{0,20}\}|d[a-zA-Z]\s*\/\s*d[a-zA-Z])\s*$/;

/** What a side names, if it only names something. */
function labelOf(side: string, named: ReadonlySet<string>): { name: string | undefined } | undefined {
  if (side.length > 100) return undefined;
  if (DERIVATIVE.test(side)) return { name: undefined };
  try {
    const tokens = tokenize(side, named, new Reading());
    const { name, token } = readName(tokens, 0, (why) => {
      throw new Refusal(why, 0);
    });
    const rest = tokens.slice(token, -1).map((t) => t.text);
    if (rest.length === 0) return { name };
    const list = rest.join("").replace(/^\^\{?\(?-1\)?\}?/, "");
    return /^\([^()]*\)$/.test(list) ? { name: undefined } : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
