import { asciiHost, decoded } from "./address.js";

/**
 * Addresses inside addresses: proxies, archives, translators and redirectors carry their target along, plainly or encoded.
 * All of it is linear in the address, which has a bounded length.
 */

/** A host and the path behind it, as found. */
export interface Found {
  readonly host: string;
  /** As {@link decoded}; the caller normalises it. */
  readonly path: string;
}

/** Encodings that are opened inside one another: base64 in percent signs in base64. */
const LAYERS = 3;
/** Characters that are looked through for one address, all layers together. */
const WORK = 400_000;

/** All that looks like a host in what an address carries, under all encodings that such carriers use. */
export function* carried(rest: string): Generator<Found> {
  const budget = { left: WORK };
  yield* inText(rest, LAYERS, budget);
}

/** Hosts that a host's own name spells: `ssd-jpl-nasa-gov.translate.goog`, `ssd.jpl.nasa.gov.proxy.example`. */
export function* spelt(host: string): Generator<Found> {
  const labels = host.split(".");
  for (let end = labels.length - 1; end > 1; end--) yield { host: labels.slice(0, end).join("."), path: "" };
  for (const label of labels) {
    if (!label.includes("-")) continue;
    const name = label.replaceAll("--", "\0").replaceAll("-", ".").replaceAll("\0", "-");
    const parts = name.split(".");
    for (let end = parts.length; end > 1; end--) yield { host: parts.slice(0, end).join("."), path: "" };
  }
}

function* inText(raw: string, layers: number, budget: { left: number }): Generator<Found> {
  budget.left -= raw.length;
  if (budget.left < 0) return;
  const text = folded(raw);
  yield* hostsIn(text);
  if (layers === 0) return;
  // As written too: lower case breaks base64.
  for (const inner of encodedIn(decoded(raw))) yield* inText(inner, layers - 1, budget);
}

/** Decoded, one form for each letter, dot and slash, invisible characters dropped. */
function folded(raw: string): string {
  return decoded(raw)
    .replace(/\\u([0-9a-f]{4})|&#x([0-9a-f]{1,5});|&#(\d{1,6});/gi, (_, a?: string, b?: string, c?: string) =>
      String.fromCodePoint(
        Math.min(0x10ffff, Number.parseInt(a ?? b ?? c ?? "0", c === undefined ? 16 : 10)),
      ),
    )
    .normalize("NFKC")
    .replace(/[。｡．]/g, ".")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase();
}

function* hostsIn(text: string): Generator<Found> {
  // Labels of at most 63 characters: no run is looked at twice.
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}-])[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){1,20}/gu,
  )) {
    const name = match[0];
    const host = /^[\x21-\x7e]+$/.test(name) ? name : asciiHost(name);
    if (host === undefined) continue;
    const end = match.index + name.length;
    yield { host, path: /^\.?(?::\d{1,5})?(\/[^\s?#"'<>]*)/.exec(text.slice(end, end + 500))?.[1] ?? "" };
  }
}

/** What runs of base64 and hexadecimal digits stand for. A run may begin anywhere: each of the four alignments is tried. */
function* encodedIn(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{8,}/g)) {
    for (let skip = 0; skip < 4; skip++) {
      const bytes = Buffer.from(run.slice(skip).replaceAll("-", "+").replaceAll("_", "/"), "base64");
      const inner = printable(bytes);
      if (inner !== "") yield inner;
    }
  }
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}){6,}/gi)) yield printable(Buffer.from(run, "hex"));
}

/** Bytes as text, where enough of them are ASCII to hold a host. */
function printable(bytes: Buffer): string {
  let plain = 0;
  for (const byte of bytes) if (byte >= 0x21 && byte <= 0x7e) plain++;
  return plain >= 5 ? bytes.toString("latin1") : "";
}
