import { nearest, type Problem } from "../pipeline/base/errors.js";
import { FORBIDDEN_PAIRS, LICENCES, type LicenceTerms, SPELLINGS } from "./licence-table.js";

/** The licence that a source card declares. */
export interface SourceLicence {
  readonly source: string;
  readonly id: string;
  readonly url?: string;
  readonly share_alike: boolean;
}

export interface MergedLicence {
  /** Ids that the dataset is under, all of which must be kept: one where one covers the others. */
  readonly effective: readonly string[];
  /** Hub ids of them, or `other` when one has none. */
  readonly hub: readonly string[];
  /** What whoever uses the dataset must do, in sentences. */
  readonly duties: readonly string[];
}

interface Known extends LicenceTerms {
  readonly id: string;
  readonly source: string;
}

/**
 * The licence of a dataset made from these sources, or why they cannot be combined (`licence_conflict`) or judged
 * (`unknown_licence`). Careful rather than clever: the dataset is taken as one work made from all of its sources.
 */
export function mergeLicences(sources: readonly SourceLicence[]): MergedLicence | { problems: Problem[] } {
  const known: Known[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    const found = termsOf(source);
    if ("code" in found) problems.push(found);
    else known.push(found);
  }
  problems.push(...conflicts(known));
  return problems.length > 0 ? { problems } : merged(known);
}

function termsOf(licence: SourceLicence): Known | Problem {
  const { source, share_alike: shareAlike } = licence;
  const id = idOf(licence.id);
  if (id !== undefined) {
    const terms = LICENCES[id]!;
    return { ...terms, shareAlike: terms.shareAlike || shareAlike, id, source };
  }
  // A licence of nobody's list: its own text must be at hand, and the card says whether it is share-alike.
  if (/^LicenseRef-[A-Za-z0-9.-]+$/.test(licence.id) && licence.url !== undefined) {
    return { id: licence.id, source, attribution: true, shareAlike };
  }
  const like = nearest(licence.id, Object.keys(LICENCES));
  return {
    code: "unknown_licence",
    message: `source ${source} declares the licence ${JSON.stringify(licence.id)}, which is not known`,
    hint: `${like === undefined ? "" : `did you mean ${like}? `}give an SPDX id (${Object.keys(LICENCES).join(", ")}), or \`LicenseRef-NAME\` with \`url\`, and \`share_alike: true\` if it asks for it`,
  };
}

/** The SPDX id that a card's spelling stands for, or undefined. */
export function idOf(spelling: string): string | undefined {
  const lower = spelling.trim().toLowerCase();
  const own = Object.hasOwn(SPELLINGS, lower) ? SPELLINGS[lower] : undefined;
  const id = own ?? Object.keys(LICENCES).find((known) => known.toLowerCase() === lower);
  return id;
}

function conflicts(known: readonly Known[]): Problem[] {
  const problems: Problem[] = [];
  for (const { id, source, noDerivatives } of known) {
    if (noDerivatives) problems.push(conflict([source], `${id} does not allow datasets to be made from it`));
  }
  known.forEach((a, i) => {
    for (const b of known.slice(i + 1)) {
      const why = between(a, b);
      if (why !== undefined) problems.push(conflict([a.source, b.source], why));
    }
  });
  if (problems.length === 0 && sharedLicence(known) === null) {
    const sources = known.filter((k) => k.shareAlike).map((k) => k.source);
    problems.push(conflict(sources, "no licence fits all of their share-alike terms"));
  }
  return problems;
}

/** Why two sources cannot go into one dataset, or undefined. */
function between(a: Known, b: Known): string | undefined {
  if (a.id === b.id) return undefined;
  const pair = FORBIDDEN_PAIRS.find(([x, y]) => (x === a.id && y === b.id) || (x === b.id && y === a.id));
  if (pair !== undefined) return pair[2];
  if (a.shareAlike && b.shareAlike && common(a, b) === undefined) {
    return `${a.id} and ${b.id} each ask that what is made from them be under itself alone`;
  }
  const [nc, other] = a.nonCommercial ? [a, b] : [b, a];
  if (nc.nonCommercial && other.shareAlike && !other.nonCommercial) {
    return `${other.id} forbids further restrictions, and ${nc.id} forbids commercial use`;
  }
  return undefined;
}

/** A licence that both may be published under. */
function common(a: Known, b: Known): string | undefined {
  const ofB = [b.id, ...(b.into ?? [])];
  return [a.id, ...(a.into ?? [])].find((id) => ofB.includes(id));
}

function conflict(sources: readonly string[], why: string): Problem {
  return {
    code: "licence_conflict",
    message: `source${sources.length > 1 ? "s" : ""} ${sources.join(" and ")} cannot be in one dataset: ${why}`,
    hint: "make a dataset of its own from one of them, or leave it out of `sources`",
  };
}

function merged(known: readonly Known[]): MergedLicence {
  const effective = effectiveOf(known);
  const hub = effective.map((id) => LICENCES[id]?.hub ?? "other");
  const under = (test: (k: Known) => boolean | undefined) =>
    [...new Set(known.filter(test).map((k) => k.source))].sort();
  const credited = under((k) => k.attribution);
  const duties: string[] = [];
  if (credited.length > 0)
    duties.push(`Credit the sources ${credited.join(", ")} as below, with their licences.`);
  const shared = known.some((k) => k.shareAlike);
  if (shared) {
    const asking = under((k) => k.shareAlike);
    duties.push(
      `Share alike: what you make from this dataset must be under ${effective.join(", ")} (asked by ${asking.join(", ")}).`,
    );
  }
  if (known.some((k) => k.nonCommercial))
    duties.push(`No commercial use (asked by ${under((k) => k.nonCommercial).join(", ")}).`);
  if (duties.length === 0)
    duties.push("No duties: all sources are in the public domain. Credit is good practice.");
  return { effective, hub: hub.includes("other") ? ["other"] : [...new Set(hub)], duties };
}

/** The licence that all share-alike sources allow; undefined if none is share-alike, null if they allow no common one. */
function sharedLicence(known: readonly Known[]): string | null | undefined {
  const shared = known.filter((k) => k.shareAlike);
  if (shared.length === 0) return undefined;
  const allowed = shared.map((k) => [k.id, ...(k.into ?? [])]);
  const fitting = [...new Set(allowed.flat())]
    .filter((id) => allowed.every((ids) => ids.includes(id)))
    .sort();
  // Rather a licence that a source has than one that it may be turned into.
  return fitting.find((id) => shared.some((k) => k.id === id)) ?? fitting[0] ?? null;
}

/** A share-alike licence covers all others; else each distinct licence with duties stays; else the freest. */
function effectiveOf(known: readonly Known[]): string[] {
  const shared = sharedLicence(known);
  if (typeof shared === "string") return [shared];
  const ids = [...new Set(known.filter((k) => k.attribution).map((k) => k.id))].sort();
  return ids.length > 0 ? ids : [...new Set(known.map((k) => k.id))].sort().slice(0, 1);
}
