import type { Firewall } from "./firewall.js";

/** What the audit reads of an observation. */
export interface SeenAddress {
  readonly url: string;
  readonly how: "asked" | "redirected" | "listed" | "served";
  /** What the tool said of it. */
  readonly blocked: string | null;
}

export interface UrlAudit {
  /** Addresses that the agent asked for. */
  readonly asked: number;
  /** Asked for, met on the way or found by a search, and kept back. */
  readonly blocked: number;
  /** Blocked content that the agent was shown: rejects the trajectory. */
  readonly served: readonly { readonly url: string; readonly rule: string }[];
}

/**
 * Judges the addresses of a trajectory again by the rules, not by what the tool said: a recorded observation may be older than the
 * rules, or a tool at fault. A search result that was shown counts as served, since its snippet is content.
 */
export function auditUrls(
  observations: readonly { readonly urls: readonly SeenAddress[] }[],
  firewall: Pick<Firewall, "blocks">,
): UrlAudit {
  let asked = 0;
  let blocked = 0;
  const served: { url: string; rule: string }[] = [];
  for (const { url, how, blocked: said } of observations.flatMap((o) => o.urls)) {
    const rule = firewall.blocks(url);
    const shown = how === "served" || (how === "listed" && said === null);
    if (how === "asked") asked++;
    if (rule !== undefined && shown) served.push({ url, rule });
    else if (rule !== undefined || said !== null) blocked++;
  }
  return { asked, blocked, served };
}
