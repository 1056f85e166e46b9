import { lasting } from "./fault.js";

/** Header bytes come as Latin-1; addresses in them are UTF-8, if they are not ASCII. */
export function targetOf(location: string, base: URL): URL {
  return addressIn(Buffer.from(location, "latin1").toString("utf8"), base);
}

/** An address, whole or relative. @throws FetchFault */
export function addressIn(text: string, base: URL): URL {
  if (!URL.canParse(text, base.href)) throw lasting("the server leads to what is no address");
  const url = new URL(text, base.href);
  url.hash = "";
  return url;
}

/** Whether an address is of the card's own server; the same host over a safer connection is. */
export function sameHost(url: URL, own: URL): boolean {
  const port = (u: URL): string => u.port || (u.protocol === "https:" ? "443" : "80");
  const safer = own.protocol === "http:" && url.protocol === "https:" && own.port === "" && url.port === "";
  return (
    url.hostname === own.hostname && (safer || (port(url) === port(own) && url.protocol === own.protocol))
  );
}
