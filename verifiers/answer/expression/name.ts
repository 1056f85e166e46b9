import { MARKS, type Token } from "./tokens.js";

/**
 * The variable that begins at a token: a letter, a mark on it, a subscript, primes. `x_1`, `x_{1}` and `x1` are one name, as are
 * `v_{\text{max}}` and `v_max`.
 * @returns its name and the index of the token behind it
 */
export function readName(
  tokens: readonly Token[],
  start: number,
  refuse: (why: string) => never,
): { name: string; token: number } {
  let at = start;
  let name = "";
  const first = tokens[at]!;
  if (first.kind === "command" && MARKS[first.text] !== undefined) {
    const braced = tokens[at + 1]?.text === "{";
    const letter = tokens[at + (braced ? 2 : 1)];
    if (letter?.kind !== "name" || (braced && tokens[at + 3]?.text !== "}"))
      refuse("a mark stands on a single letter");
    name = `${MARKS[first.text]}${letter!.text}`;
    at += braced ? 4 : 2;
  } else if (first.kind === "name") {
    name = first.text;
    at++;
  } else refuse("a name should stand here");
  const glued = tokens[at]!;
  if (glued.kind === "number" && !glued.spaced && !first.latex && /^[0-9]+$/.test(glued.text)) {
    name += `_${glued.text}`;
    at++;
  } else if (glued.text === "_") {
    const script = subscript(tokens, at + 1, refuse);
    name += `_${script.text}`;
    at = script.token;
  }
  while (tokens[at]!.text === "'") {
    name += "'";
    at++;
  }
  return { name, token: at };
}

/** The plain text of a subscript. */
function subscript(
  tokens: readonly Token[],
  start: number,
  refuse: (why: string) => never,
): { text: string; token: number } {
  const first = tokens[start]!;
  if (first.text !== "{") {
    if (first.kind !== "name" && first.kind !== "number" && first.kind !== "function")
      refuse("a subscript should follow");
    // In plain text a whole word is the subscript: v_max; in LaTeX too, as people write it.
    let at = start + 1;
    let text = first.text;
    while (first.kind === "name" && !first.latex && glues(tokens[at]!)) text += tokens[at++]!.text;
    return { text, token: at };
  }
  let text = "";
  let at = start + 1;
  for (let depth = 1; depth > 0; at++) {
    const token = tokens[at]!;
    if (token.kind === "end") refuse("a brace is not closed");
    if (token.text === "{") depth++;
    else if (token.text === "}") depth--;
    else if (token.kind !== "command") text += token.text;
  }
  return { text, token: at };
}

function glues(token: Token): boolean {
  return (
    !token.spaced &&
    !token.latex &&
    (token.kind === "name" || token.kind === "number" || token.kind === "function")
  );
}
