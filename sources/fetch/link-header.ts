/**
 * The address with `rel="next"` in a header `Link` (RFC 8288), as it is written there. Addresses may hold commas and semicolons, so that
 * the header cannot be split at them.
 */
export function nextLink(header: string | undefined): string | undefined {
  const text = header ?? "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<", at);
    const close = text.indexOf(">", open + 1);
    if (open < 0 || close < 0) return undefined;
    const end = paramsEnd(text, close + 1);
    if (isNext(text.slice(close + 1, end))) return text.slice(open + 1, close).trim();
    at = end;
  }
}

/** The comma behind the parameters; those in quotes are part of them. */
function paramsEnd(text: string, from: number): number {
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (text[i] === "," && !quoted) return i + 1;
  }
  return text.length;
}

function isNext(params: string): boolean {
  return params.split(";").some((param) => {
    const [name, value = ""] = param.split("=", 2).map((part) => part.trim());
    const relations = value.replace(/^"|"$/g, "").toLowerCase().split(/\s+/);
    return name!.toLowerCase() === "rel" && relations.includes("next");
  });
}
