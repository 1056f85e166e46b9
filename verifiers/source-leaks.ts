/** Sources and publishers in a text: their names, their hosts, any address. Linear in the text's length. */
import type { Finding } from "./findings.js";
import { nameLeaks } from "./name-leaks.js";
import { excerpt } from "./plain-text.js";

/** A word without a capital is no name of its own: "countries" of "mledoze/countries". */
const ORDINARY = /^\p{Ll}+$/u;

/** The names that count: each as a whole, and the parts of one that is several: "NASA/JPL". */
export function sourceNames(names: readonly string[]): string[] {
  const parts = names.flatMap((name) => name.split(/\s*[/,;]\s*/));
  return [...new Set([...names, ...parts.filter((part) => part.length > 2 && !ORDINARY.test(part))])];
}

/**
 * @param names names of the source and its publisher
 * @param vocabulary words of the question's own subject: they count only as written, with a capital
 * @param hosts publisher hosts, e.g. `ssd.jpl.nasa.gov`; a longer host that ends in one counts too
 */
export function sourceLeaks(
  plain: string,
  names: readonly string[],
  hosts: readonly string[],
  allowed: readonly string[],
  vocabulary: readonly string[] = [],
): Finding[] {
  const wanted = { names: sourceNames(names), aliases: [], allowed, vocabulary };
  const findings = nameLeaks(plain, wanted, "source_named");
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
