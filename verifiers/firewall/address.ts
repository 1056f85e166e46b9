/** Addresses in one form, so that rules compare like with like. Pure. */

export interface Address {
  /** With the colon, e.g. `https:`. */
  readonly scheme: string;
  /** ASCII, lower case, without a trailing dot. */
  readonly host: string;
  readonly port: string;
  /** Percent-decoded, lower case, without empty and `.` segments. */
  readonly path: string;
  readonly userinfo: boolean;
  readonly ip: boolean;
  /** Path, query and fragment as they are written. */
  readonly rest: string;
}

/** An address as browsers read it (WHATWG URL: other spellings of numbers, dots, letters and slashes fold), or undefined. */
export function addressOf(url: string): Address | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const host = parsed.hostname.toLowerCase().replace(/\.+$/, "");
  return {
    scheme: parsed.protocol,
    host,
    port: parsed.port || (parsed.protocol === "http:" ? "80" : parsed.protocol === "https:" ? "443" : ""),
    path: pathOf(parsed.pathname),
    userinfo: parsed.username !== "" || parsed.password !== "",
    ip: host.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host),
    rest: parsed.pathname + parsed.search + parsed.hash,
  };
}

/** A path as servers tend to read it: decoded, whatever its case, without empty segments. */
export function pathOf(path: string): string {
  const segments = decoded(path)
    .toLowerCase()
    .split(/[/\\]/)
    .filter((segment) => segment !== "" && segment !== ".");
  return segments.length === 0 ? "" : `/${segments.join("/")}`;
}

/** Percent-decoded until it stays as it is, four times at most; sequences that are no UTF-8 stand for single bytes. */
export function decoded(text: string): string {
  let now = text;
  for (let i = 0; i < 4 && now.includes("%"); i++) {
    const next = once(now);
    if (next === now) break;
    now = next;
  }
  return now;
}

function once(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });
}

/** A host's ASCII form (`bücher.de` → `xn--bcher-kva.de`), or undefined for what is no host. */
export function asciiHost(host: string): string | undefined {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.+$/, "");
}
