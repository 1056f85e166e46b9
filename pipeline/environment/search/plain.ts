const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** One line of text from what services send as titles and snippets: with marks round the words found, entities, line breaks. */
export function plain(html: string | null | undefined): string {
  return (html ?? "")
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) =>
      name === undefined ? character(decimal, hex, whole) : (NAMED[name.toLowerCase()] ?? whole),
    )
    .replace(/\s+/g, " ")
    .trim();
}

function character(decimal: string | undefined, hex: string | undefined, whole: string): string {
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  const real = code <= 0x10ffff && code >= 32 && (code < 0xd800 || code > 0xdfff);
  return real ? String.fromCodePoint(code) : whole;
}
