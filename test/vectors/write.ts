import { canonicalJson } from "../../pipeline/base/canonical.js";
import { vectors } from "./families.js";

/** The text of reward.json: a vector on each line. */
export const vectorsText = (): string => `[\n${vectors().map(canonicalJson).join(",\n")}\n]\n`;
