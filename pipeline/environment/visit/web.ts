import type { UrlSeen } from "../../../stages/environment.js";
import type { Firewall } from "../../../verifiers/firewall/firewall.js";
import type { Resolve } from "../../base/addresses.js";
import { type Content, contentOf } from "./content.js";
import { type Answer, exchange, type Limits } from "./exchange.js";
import { PageFault } from "./fault.js";

export interface WebPage extends Content {
  /** Where it was found at last. */
  readonly url: string;
  /** Of a document of a corpus that names one. */
  readonly licence?: string;
}

export interface WebOptions {
  readonly limits: Limits & { readonly redirects: number };
  readonly firewall: Firewall;
  readonly resolve: Resolve;
  readonly links: boolean;
  /** Of the run. */
  readonly signal: AbortSignal;
}

/** A blocked address on the way: nothing was asked of it. */
export class Blocked extends Error {
  override readonly name = "Blocked";
}

/**
 * The page at an address. Each redirect is judged like a first address, by the firewall and by where its host lies, before it is followed.
 * @param way gets the addresses that redirects lead to, also when the page cannot be had
 * @throws PageFault, Blocked
 */
export async function fetchPage(url: string, options: WebOptions, way: UrlSeen[]): Promise<WebPage> {
  const { limits, signal } = options;
  const clock = new AbortController();
  const stop = (): void => clock.abort();
  const timer = setTimeout(stop, limits.timeout * 1000);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { at, answer } = await follow(new URL(url), options, clock.signal, way);
    const how = { links: options.links, signal, seconds: limits.timeout };
    const content = await contentOf(answer.body, answer.type, at.href, how);
    return { ...content, url: at.href };
  } catch (error) {
    if (clock.signal.aborted && !signal.aborted)
      throw new PageFault(`the page did not come within ${limits.timeout} s`);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function follow(
  from: URL,
  { limits, firewall, resolve }: WebOptions,
  signal: AbortSignal,
  way: UrlSeen[],
): Promise<{ at: URL; answer: Answer }> {
  let at = from;
  at.hash = "";
  for (let hops = 0; hops <= limits.redirects; hops++) {
    const answer = await exchange(at, limits, resolve, signal);
    if (answer.status >= 200 && answer.status < 300) return { at, answer };
    if (![301, 302, 303, 307, 308].includes(answer.status) || answer.location === undefined)
      throw new PageFault(`the server answers ${answer.status}`);
    const next = targetOf(answer.location, at);
    const blocked = firewall.blocks(next) ?? null;
    way.push({ url: next, how: "redirected", blocked });
    if (blocked !== null) throw new Blocked(blocked);
    at = new URL(next);
    at.hash = "";
  }
  throw new PageFault(`the page redirects more than ${limits.redirects} times`);
}

/** Header bytes come as Latin-1; addresses in them are UTF-8, if they are not ASCII. */
function targetOf(location: string, base: URL): string {
  const text = Buffer.from(location, "latin1").toString("utf8");
  if (!URL.canParse(text, base.href)) throw new PageFault("the page redirects to what is no address");
  return new URL(text, base.href).href;
}
