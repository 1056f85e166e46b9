import { compareText } from "../../pipeline/base/canonical.js";
import type { Records } from "./records.js";

/** What another download did to the records, by key, in the columns that the card reads. */
export interface Changes {
  readonly gained: number;
  readonly lost: number;
  readonly changed: number;
  readonly same: number;
  /** Some keys of each, in code-unit order. */
  readonly examples: { readonly gained: string[]; readonly lost: string[]; readonly changed: string[] };
}

const EXAMPLES = 5;

export function changesBetween(before: Records, after: Records): Changes {
  const gained: string[] = [];
  const changed: string[] = [];
  for (const [key, { digest }] of after.byKey) {
    const old = before.byKey.get(key);
    if (old === undefined) gained.push(key);
    else if (old.digest !== digest) changed.push(key);
  }
  const lost = [...before.byKey.keys()].filter((key) => !after.byKey.has(key));
  const some = (keys: string[]): string[] => keys.sort(compareText).slice(0, EXAMPLES);
  return {
    gained: gained.length,
    lost: lost.length,
    changed: changed.length,
    same: after.byKey.size - gained.length - changed.length,
    examples: { gained: some(gained), lost: some(lost), changed: some(changed) },
  };
}

/** "3 records gained (A, B, C), 1 lost (D), 20 changed (E, ...), 976 the same". */
export function changesText({ gained, lost, changed, same, examples }: Changes): string {
  const part = (count: number, what: string, keys: readonly string[]): string => {
    if (count === 0) return `0 ${what}`;
    const shown = keys.slice(0, 3).map((key) => JSON.stringify(key));
    return `${count} ${what} (${shown.join(", ")}${count > shown.length ? ", ..." : ""})`;
  };
  const parts = [
    part(gained, "gained", examples.gained),
    part(lost, "lost", examples.lost),
    part(changed, "changed", examples.changed),
    `${same} the same`,
  ];
  return `records: ${parts.join(", ")}`;
}
