import { readName } from "./name.js";
import { Reading } from "./reading.js";
import { Refusal } from "./refusal.js";
import { tokenize } from "./tokens.js";

/** The name that the parser gives a variable, however it is written: `\theta_{1}`, `theta_1` and `θ1` are one. */
export function canonicalName(written: string): string {
  const whole = new Set([written]);
  try {
    const tokens = tokenize(written, /^[a-zA-Z]{2,40}$/.test(written) ? whole : new Set(), new Reading());
    const { name, token } = readName(tokens, 0, (why) => {
      throw new Refusal(why, 0);
    });
    return token === tokens.length - 1 ? name : written;
  } catch (error) {
    if (error instanceof Refusal) return written;
    throw error;
  }
}
