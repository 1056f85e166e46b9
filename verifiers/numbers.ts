/**
 * Numbers as text: rounding to significant digits on the decimal digits themselves, never by binary arithmetic.
 *
 * Rounding is half away from zero ("half up"), as in school and in lab reports: 2.5 → 3, -2.5 → -3. A number is rounded from its
 * shortest decimal form, the one that ECMAScript prints, so 1.005 rounds to 1.01 though its binary value is a little less.
 */

/** A decimal number: 0.digits × 10^point, no leading or trailing zeros in `digits` ("" for zero). */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

const FORM = /^([+\-−]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function parse(text: string): Decimal {
  const match = FORM.exec(text);
  if (match === null || `${match[2]}${match[3] ?? ""}` === "")
    throw new RangeError(`not a decimal number: "${text}"`);
  const whole = match[2]!;
  const all = whole + (match[3] ?? "");
  const leading = /^0*/.exec(all)![0].length;
  const digits = all.slice(leading).replace(/0+$/, "");
  const point = digits === "" ? 0 : whole.length - leading + Number(match[4] ?? 0);
  return { negative: match[1] === "-" || match[1] === "−", digits, point };
}

/** Exactly `count` digits (padded with zeros), rounded half away from zero. */
function toDigits(value: Decimal, count: number): Decimal {
  const kept = value.digits.slice(0, count).padEnd(count, "0");
  if (value.digits === "" || (value.digits[count] ?? "0") < "5") return { ...value, digits: kept };
  const raised = String(BigInt(kept) + 1n);
  const carried = raised.length > count;
  return { ...value, digits: raised.slice(0, count), point: value.point + (carried ? 1 : 0) };
}

function checkDigits(digits: number): void {
  if (!Number.isInteger(digits) || digits < 1 || digits > 100) {
    throw new RangeError(`significant digits are a whole number from 1 to 100, not ${digits}`);
  }
}

function plain({ negative, digits, point }: Decimal): string {
  const sign = negative && /[1-9]/.test(digits) ? "-" : "";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${"0".repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * A decimal text rounded to `digits` significant digits, trailing zeros kept: ("1.2745", 3) gives "1.27", ("0.9996", 3) "1.00",
 * ("123456", 2) "120000".
 * @throws RangeError if the text is no decimal number or `digits` no whole number from 1 to 100.
 */
export function roundText(text: string, digits: number): string {
  checkDigits(digits);
  const value = parse(text);
  if (value.digits === "") return digits === 1 ? "0" : `0.${"0".repeat(digits - 1)}`;
  return plain(toDigits(value, digits));
}

/** A finite number rounded to `digits` significant digits, as a number. Never -0. */
export function roundTo(value: number, digits: number): number {
  return Number(roundText(finite(value), digits)) + 0;
}

/** At 12 significant digits: how values are stored and hashed. The same on any machine; never -0. */
export function round12(value: number): number {
  return roundTo(value, 12);
}

function finite(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no digits`);
  return String(value);
}

export interface FormatOptions {
  /** `plain` "20600000", `scientific` "2.06 × 10^7", `auto` (default): plain from 0.001 up to a million. */
  readonly notation?: "auto" | "plain" | "scientific";
  /** Between groups of three digits of the whole part, from 5 digits on: "", ",", " " (default: ","). */
  readonly group?: "" | "," | " " | "\u202f";
  /** Superscripts for the exponent: "10⁷" (default) or "10^7". */
  readonly superscript?: boolean;
  /** "-" (default) or the typographic "−". */
  readonly minus?: "-" | "−";
}

/**
 * A value at `digits` significant digits for prose: 1.2745 at 3 gives "1.27", 20634567 "2.06 × 10⁷", 142984 at 6 "142,984".
 * Automatic notation never shows a zero that is not significant: 142984 at 2 is "1.4 × 10⁵".
 */
export function formatValue(value: number, digits: number, options: FormatOptions = {}): string {
  checkDigits(digits);
  const { notation = "auto", group = ",", minus = "-" } = options;
  const exact = parse(finite(value));
  const rounded =
    exact.digits === "" ? { ...exact, digits: "0".repeat(digits), point: 1 } : toDigits(exact, digits);
  const { point } = rounded;
  const readable = point > -3 && point <= 6 && point <= digits;
  const text =
    notation === "plain" || (notation === "auto" && readable)
      ? grouped(plain(rounded), group)
      : scientific(rounded, options.superscript ?? true);
  return text.replace(/^-|(?<=\^)-/g, minus);
}

/** A whole number with grouping: 12345 gives "12,345". All its digits are shown, whatever its size. */
export function formatInteger(value: number, group: FormatOptions["group"] = ","): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an exact integer`);
  return grouped(String(value), group);
}

function grouped(text: string, group: string): string {
  const [whole, fraction] = text.split(".");
  // Four digits are not grouped (SI Brochure 5.4.4).
  const bare = whole!.replace("-", "").length <= 4 ? whole! : whole!.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? bare : `${bare}.${fraction}`;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** An integer as superscript digits: -3 gives "⁻³". */
export function superscript(integer: number): string {
  return [...String(integer)].map((c) => (c === "-" ? "⁻" : RAISED[Number(c)])).join("");
}

function scientific({ negative, digits, point }: Decimal, raised: boolean): string {
  const mantissa = `${negative ? "-" : ""}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}`;
  return `${mantissa} × 10${raised ? superscript(point - 1) : `^${point - 1}`}`;
}
