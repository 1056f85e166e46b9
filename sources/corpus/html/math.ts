import { childrenOf, type HtmlElement, type HtmlNode, isElement, lineOf } from "./dom.js";

/** A formula as text: from its TeX where the page has it, else from MathML. */
export function mathText(math: HtmlElement): string {
  const tex =
    math.getAttribute("alttext") ?? math.querySelector('annotation[encoding*="tex" i]')?.textContent ?? "";
  return tex.trim() === "" ? lineOf(flat(math)) : texToPlain(tex);
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\\times(?![a-z])/gi, "×"],
  [/\\cdot(?![a-z])/gi, "·"],
  [/\\pm(?![a-z])/gi, "±"],
  [/\\approx(?![a-z])/gi, "≈"],
  [/\\leq?(?![a-z])/gi, "≤"],
  [/\\geq?(?![a-z])/gi, "≥"],
  [/\\(?:left|right|displaystyle|textstyle|scriptstyle|quad|qquad|limits)(?![a-z])/gi, " "],
  [/\\[,;:! ]|~/g, " "],
  [/\\(?:math[a-z]{2,4}|text[a-z]{0,2}|operatorname)\s*\{([^{}]{0,200})\}/gi, "$1"],
  [/\\frac\s*\{([^{}]{0,200})\}\s*\{([^{}]{0,200})\}/g, "($1)/($2)"],
  [/([\^_])\{\s*([+\-−]?[\p{L}\p{N}.]{1,40})\s*\}/gu, "$1$2"],
  [/([\^_])\{([^{}]{0,200})\}/g, "$1($2)"],
];

/** TeX as prose has it, as far as figures go: `5.2 × 10^3`. The rest stays TeX. */
export function texToPlain(tex: string): string {
  let text = tex.slice(0, 20_000);
  // Twice: what stands in braces may itself have had some.
  for (let i = 0; i < 2; i++) for (const [word, plain] of WORDS) text = text.replace(word, plain);
  const bare = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  return lineOf(bare !== undefined && !/[{}]/.test(bare) ? bare : text).replace(/([\^_])−(?=\d)/g, "$1-");
}

/** Children of these are parted by a sign. */
const SIGNS: Readonly<Record<string, string>> = { msup: "^", msub: "_", mfrac: "/" };

function flat(node: HtmlNode): string {
  if (!isElement(node)) return node.textContent ?? "";
  if (/^annotation/.test(node.localName)) return "";
  const parts = [...childrenOf(node)].map(flat).filter((part) => part.trim() !== "");
  const sign = SIGNS[node.localName];
  if (node.localName === "msqrt") return `sqrt(${parts.join("")})`;
  if (sign === undefined)
    return parts.join(node.localName === "mrow" || node.localName === "math" ? " " : "");
  return parts.map((part) => held(lineOf(part))).join(sign);
}

function held(part: string): string {
  const text = part.replace(/^[−-]\s*(?=\d)/, "-");
  return /^-?[\p{L}\p{N}.,]+$/u.test(text) ? text : `(${text})`;
}
