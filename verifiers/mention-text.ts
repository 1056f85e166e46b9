import type { Finding } from "./findings.js";
import type { Numeral } from "./number-scan.js";
import type { Word } from "./plain-text.js";

/** A plain text with its words and numbers. */
export interface Text {
  readonly plain: string;
  readonly words: readonly Word[];
  readonly numbers: readonly Numeral[];
}

export const missing = (code: string, what: string): Finding => ({ code, what });
