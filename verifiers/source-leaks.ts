/** Sources and publishers in a text: their names, their hosts, any address. Linear in the text's length. */
import type { Finding } from "./findings.js";
import { nameLeaks } from "./name-leaks.js";
import { excerpt } from "./plain-text.js";

/**
 * @param names names of the source and its publisher
 * @param hosts publisher hosts, e.g. `ssd.jpl.nasa.gov`; a longer host that ends in one counts too
 */
export function sourceLeaks(
  plain: string,
  names: readonly string[],
  hosts: readonly string[],
  allowed: readonly string[],
): Finding[] {
  const parts = names.flatMap((name) => [
    name,
    ...name.split(/\s*[/,;]\s*/).filter((part) => part.length > 2),
  ]);
  const findings = nameLeaks(plain, { names: parts, aliases: [], allowed, vocabulary: [] }, "source_named");
  const lower = plain.toLowerCase();
  for (const host of hosts) {
    const at = lower.indexOf(host.toLowerCase());
    if (at >= 0)
      findings.push({
        code: "source_named",
        what: `the host ${host} is named`,
        where: excerpt(plain, at, at + host.length),
      });
  }
  const address = /\b(?:https?:\/\/|www\.)[^\s]{1,80}/i.exec(plain);
  if (address !== null)
    findings.push({
      code: "source_named",
      what: "there is an address",
      where: excerpt(plain, address.index, address.index + address[0].length),
    });
  return findings;
}
