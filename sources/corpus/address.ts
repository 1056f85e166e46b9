/** Characters that mean the same with and without percent-encoding, in any part of an address that we compare. */
const PLAIN = /[A-Za-z0-9\-._~!'()*]/;

/**
 * The form in which addresses are compared: scheme and host in lower case, `http` as `https`, no user, default port, fragment or
 * trailing slash, percent-encoding only where it is needed. What is no address is compared as it is.
 */
export function addressKey(url: string): string {
  const parsed = parsedUrl(url.trim());
  if (parsed === undefined) return url.trim();
  const { protocol, hostname, port, pathname, search } = parsed;
  const web = protocol === "http:" || protocol === "https:";
  const host = hostname.toLowerCase().replace(/\.$/, "");
  const place = `${web ? "https:" : protocol}//${host}${port === "" ? "" : `:${port}`}`;
  return `${place}${plainly(pathname).replace(/\/+$/, "")}${plainly(search)}`;
}

/** The host of an address in lower case, or "" if it has none. */
export function hostOf(url: string): string {
  return parsedUrl(url)?.hostname.toLowerCase().replace(/\.$/, "") ?? "";
}

/** The address of a document that has none of its own. @param name path or number inside the corpus */
export function ownAddress(corpus: string, name: string): string {
  return `corpus://${[corpus, ...name.split("/")].map(encodeURIComponent).join("/")}`;
}

function parsedUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function plainly(part: string): string {
  return part.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return PLAIN.test(character) ? character : code.toUpperCase();
  });
}
