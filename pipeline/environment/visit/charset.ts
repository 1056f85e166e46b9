/** Bytes as text, as browsers find the encoding: byte-order mark, header, what the document says of itself; else UTF-8, or Windows-1252. */
export function textOf(body: Uint8Array, header: string | undefined): string {
  const label = markOf(body) ?? known(header) ?? known(declared(body));
  if (label !== undefined) return new TextDecoder(label).decode(body);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return new TextDecoder("windows-1252").decode(body);
  }
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined;
}

/** Where documents declare their encoding, in bytes. */
const HEAD = 2048;

/** `<meta charset=...>`, `<meta ... content="...; charset=...">` or `<?xml encoding=...?>`. */
function declared(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, HEAD)).toString("latin1");
  if (!/^\s*</.test(head)) return undefined;
  const found =
    /<meta[^>]{0,300}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:.-]{1,40})/i.exec(head) ??
    /<\?xml[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([\w:.-]{1,40})/i.exec(head);
  // What says so in ASCII is not UTF-16, whatever it says.
  return found?.[1]?.replace(/^utf-?16.*/i, "utf-8");
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
