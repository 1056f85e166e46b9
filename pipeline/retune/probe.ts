import { type DropRule, rightsNeeded } from "../../verifiers/drop-rule.js";
import { type Fate, IN, open, out } from "./changes.js";
import { isGraded, type Regrade } from "./grades.js";

/** What a probe is to go by. */
export interface ProbeRule {
  readonly k: number;
  readonly drop: DropRule;
  readonly roles: readonly string[];
}

/**
 * Decides a probe from recorded samples. A row is out once a role has as many right ones as the rule needs, whatever else there is. It is in
 * when no role could come to that many, even if every draw that is missing were right. Else the recorded draws do not decide.
 */
export function decideProbe(samples: readonly Regrade[], { k, drop, roles }: ProbeRule): Fate {
  const need = rightsNeeded(drop, k);
  let missing: string | undefined;
  for (const role of roles) {
    const graded = samples.filter((s) => s.role === role && isGraded(s)).slice(0, k);
    const right = graded.filter(({ outcome }) => outcome === "right").length;
    if (right >= need) return out("known by heart");
    if (right + k - graded.length >= need)
      missing ??= `${graded.length} of ${k} draws of ${role} are recorded`;
  }
  return missing === undefined ? IN : open(missing);
}
