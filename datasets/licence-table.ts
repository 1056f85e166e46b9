/** What a licence asks of a dataset made from data under it. */
export interface LicenceTerms {
  /** Identifier on the Hub, or undefined where it has none. */
  readonly hub?: string;
  /** Credit and licence text must go along. */
  readonly attribution: boolean;
  /** What is made from it must be under this licence, or under one of `into`. */
  readonly shareAlike: boolean;
  readonly nonCommercial?: boolean;
  readonly noDerivatives?: boolean;
  /** Licences under which what is made from it may be published instead, by its own terms or its steward's word. */
  readonly into?: readonly string[];
}

const free: LicenceTerms = { attribution: false, shareAlike: false };
const credit: LicenceTerms = { attribution: true, shareAlike: false };
const copyleft: LicenceTerms = { attribution: true, shareAlike: true };

/**
 * Licences by SPDX id. Sources for `into`: CC BY-SA 3.0 §4(b) (later versions), CC's list of compatible licences (BY-SA 4.0 into
 * GPL-3.0, one way), GPL "or any later version", Artistic-2.0 §4(c)(ii) and the FSF's licence list (into the GPL).
 */
export const LICENCES: Readonly<Record<string, LicenceTerms>> = {
  "public-domain": free,
  "CC0-1.0": { ...free, hub: "cc0-1.0" },
  "PDDL-1.0": { ...free, hub: "pddl" },
  Unlicense: { ...free, hub: "unlicense" },
  MIT: { ...credit, hub: "mit" },
  "BSD-2-Clause": { ...credit, hub: "bsd-2-clause" },
  "BSD-3-Clause": { ...credit, hub: "bsd-3-clause" },
  ISC: { ...credit, hub: "isc" },
  "Apache-2.0": { ...credit, hub: "apache-2.0" },
  "CC-BY-3.0": { ...credit, hub: "cc-by-3.0" },
  "CC-BY-4.0": { ...credit, hub: "cc-by-4.0" },
  "ODC-By-1.0": { ...credit, hub: "odc-by" },
  "Artistic-2.0": { ...credit, hub: "artistic-2.0" },
  "CC-BY-SA-3.0": {
    ...copyleft,
    hub: "cc-by-sa-3.0",
    into: ["CC-BY-SA-4.0", "GPL-3.0-only"],
  },
  "CC-BY-SA-4.0": { ...copyleft, hub: "cc-by-sa-4.0", into: ["GPL-3.0-only"] },
  "ODbL-1.0": { ...copyleft, hub: "odbl" },
  "GPL-2.0-only": { ...copyleft, hub: "gpl-2.0" },
  "GPL-2.0-or-later": {
    ...copyleft,
    hub: "gpl-2.0",
    into: ["GPL-2.0-only", "GPL-3.0-only", "GPL-3.0-or-later"],
  },
  "GPL-3.0-only": { ...copyleft, hub: "gpl-3.0" },
  "GPL-3.0-or-later": { ...copyleft, hub: "gpl-3.0", into: ["GPL-3.0-only"] },
  "CC-BY-NC-4.0": { ...credit, hub: "cc-by-nc-4.0", nonCommercial: true },
  "CC-BY-NC-SA-4.0": { ...copyleft, hub: "cc-by-nc-sa-4.0", nonCommercial: true },
  "CC-BY-ND-4.0": { ...credit, hub: "cc-by-nd-4.0", noDerivatives: true },
  "CC-BY-NC-ND-4.0": { ...credit, hub: "cc-by-nc-nd-4.0", nonCommercial: true, noDerivatives: true },
};

/** Pairs that cannot go together though neither is named by the rules on share-alike and non-commercial use. */
export const FORBIDDEN_PAIRS: readonly (readonly [string, string, string])[] = [
  ["Apache-2.0", "GPL-2.0-only", "the patent terms of Apache-2.0 are restrictions that GPL-2.0 forbids"],
];

/** Other spellings found on cards. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  "public domain": "public-domain",
  "licenseref-public-domain": "public-domain",
  pd: "public-domain",
  "us-pd": "public-domain",
  "gpl-2.0": "GPL-2.0-only",
  "gpl-2.0+": "GPL-2.0-or-later",
  "gpl-3.0": "GPL-3.0-only",
  "gpl-3.0+": "GPL-3.0-or-later",
};
