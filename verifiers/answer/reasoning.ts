/** Reasoning in tags is no answer; undefined if the text ends within it. */
export function withoutReasoning(text: string): string | undefined {
  const tag = /<(\/?)(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[(\/?)THINK\]/gi;
  let out = "";
  let from = 0;
  let depth = 0;
  for (const match of text.matchAll(tag)) {
    const closes = match[1] === "/" || match[2] === "/";
    if (!closes) {
      if (depth === 0) out += text.slice(from, match.index);
      depth++;
    } else {
      // An end without a start: the template opened the tag, and all before it is reasoning.
      if (depth === 0) out = "";
      depth = Math.max(0, depth - 1);
    }
    from = match.index + match[0].length;
  }
  return depth > 0 ? undefined : out + text.slice(from);
}
