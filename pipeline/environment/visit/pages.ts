import type { UrlSeen } from "../../../stages/environment.js";
import type { Firewall } from "../../../verifiers/firewall/firewall.js";
import type { Resolve } from "../../base/addresses.js";
import { fail } from "../../base/errors.js";
import type { ToolContext } from "../tool.js";
import { PageFault } from "./fault.js";
import { Blocked, fetchPage, type WebPage } from "./web.js";

export type Visit =
  | { readonly ok: true; readonly page: WebPage; readonly urls: readonly UrlSeen[] }
  /** `why` is null for what the firewall kept back, and for what no document has: the agent is not told which. */
  | { readonly ok: false; readonly why: string | null; readonly urls: readonly UrlSeen[] };

/** Characters of pages that are kept. */
const KEPT = 40_000_000;

/** Pages from documents and the web, judged before anything of them is shown; those that could be read are kept for the run. */
export class Pages {
  readonly #visits = new Map<string, Promise<Visit>>();
  #size = 0;

  constructor(
    private readonly context: Pick<ToolContext, "spec" | "firewall" | "corpus" | "signal">,
    private readonly resolve: Resolve,
  ) {}

  visit(url: string, links: boolean): Promise<Visit> {
    const key = `${links ? "links " : ""}${url}`;
    const before = this.#visits.get(key);
    if (before !== undefined) return before;
    const visit = this.#visit(url, links);
    this.#visits.set(key, visit);
    visit.then(
      (made) => this.#keep(key, made),
      () => this.#visits.delete(key),
    );
    return visit;
  }

  /** What failed may succeed the next time; all are forgotten when room is short. */
  #keep(key: string, visit: Visit): void {
    if (!visit.ok && visit.why !== null) {
      this.#visits.delete(key);
      return;
    }
    // Addresses too: agents may ask for any number of pages that are not there.
    this.#size += key.length + (visit.ok ? visit.page.text.length : 0);
    if (this.#size <= KEPT) return;
    this.#visits.clear();
    this.#size = 0;
  }

  async #visit(url: string, links: boolean): Promise<Visit> {
    const { firewall, spec } = this.context;
    const blocked = firewall.blocks(url) ?? null;
    const urls: UrlSeen[] = [{ url, how: "asked", blocked }];
    if (blocked !== null) return { ok: false, why: null, urls };
    let why: string | null = null;
    for (const place of spec.visit.from) {
      const found = await (place === "corpus" ? this.#document(url) : this.#web(url, links, urls));
      if (found === undefined) continue;
      if (typeof found !== "string") return judged(found, firewall, urls);
      why = found;
    }
    return { ok: false, why: urls.some((seen) => seen.blocked !== null) ? null : why, urls };
  }

  #document(url: string): Promise<WebPage | undefined> {
    return this.context.corpus?.get(url) ?? Promise.resolve(undefined);
  }

  /** @returns a page, what the agent is told in place of one, or undefined for what is not said */
  async #web(url: string, links: boolean, urls: UrlSeen[]): Promise<WebPage | string | undefined> {
    if (!/^https?:/i.test(url)) return undefined;
    const { spec, firewall, signal } = this.context;
    try {
      return await fetchPage(
        url,
        { limits: spec.visit, firewall, resolve: this.resolve, links, signal },
        urls,
      );
    } catch (error) {
      if (error instanceof Blocked) return undefined;
      if (error instanceof PageFault) return error.message;
      if (signal.aborted) return fail("interrupted", "interrupted", "the run was interrupted");
      throw error;
    }
  }
}

/** A page whose address or text is blocked is as if it were not there. */
function judged(page: WebPage, firewall: Firewall, urls: readonly UrlSeen[]): Visit {
  const blocked =
    firewall.blocks(page.url) ?? firewall.copies(`${page.title}\n${page.text}`, page.url) ?? null;
  if (blocked !== null) {
    const others = urls.filter((seen) => seen.url !== page.url);
    const how = urls.find((seen) => seen.url === page.url)?.how ?? "redirected";
    return { ok: false, why: null, urls: [...others, { url: page.url, how, blocked }] };
  }
  const own = page.licence === undefined ? {} : { licence: page.licence };
  return { ok: true, page, urls: [...urls, { url: page.url, how: "served", blocked: null, ...own }] };
}
