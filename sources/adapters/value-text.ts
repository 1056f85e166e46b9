/**
 * Binary values as text, written as DuckDB's cast to VARCHAR writes them, so that a table gives the same cells from Arrow, Parquet
 * and SQLite.
 */

/** The shortest decimal that is this double: `0.1`, `36.0`, `1e-05`, `1e+16`. */
export function doubleText(value: number): string {
  return shortest(value, value.toExponential());
}

/** The shortest decimal that is this value among 32-bit floats. */
export function floatText(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toExponential(digits - 1);
    if (Math.fround(Number(text)) === value) return shortest(value, text);
  }
  return shortest(value, value.toExponential(8));
}

/** `exponential` is JavaScript's: digits, then `e+5`. Beyond 10^16 and under 10^-4 the exponent stays. */
function shortest(value: number, exponential: string): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [mantissa = "", power = "0"] = exponential.split("e");
  const exponent = Number(power);
  const sign = Object.is(value, -0) || mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "").replace(/(?!^)0+$/, "");
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** A whole number of units of 10^-scale, with all its places: 150 and 2 give `1.50`. */
export function decimalText(value: bigint, scale: number): string {
  const sign = value < 0n ? "-" : "";
  const digits = String(value < 0n ? -value : value);
  if (scale <= 0) return `${sign}${digits}${value === 0n ? "" : "0".repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/**
 * The date that lies `days` after 1970-01-01 in the Gregorian calendar, extended backwards: `2013-07-18`, `0044-03-15 (BC)`. Years are
 * counted from March in cycles of 400, so that the leap day ends a year.
 */
export function dateText(days: bigint): string {
  const CYCLE = 146_097n;
  const shifted = days + 719_468n;
  const cycle = (shifted < 0n ? shifted - (CYCLE - 1n) : shifted) / CYCLE;
  const day = shifted - cycle * CYCLE;
  const year = (day - day / 1460n + day / 36_524n - day / 146_096n) / 365n;
  const dayOfYear = day - (365n * year + year / 4n - year / 100n);
  const month = (5n * dayOfYear + 2n) / 153n;
  const date = dayOfYear - (153n * month + 2n) / 5n + 1n;
  const calendarMonth = month < 10n ? month + 3n : month - 9n;
  const calendarYear = year + cycle * 400n + (calendarMonth <= 2n ? 1n : 0n);
  const [shown, era] = calendarYear > 0n ? [calendarYear, ""] : [1n - calendarYear, " (BC)"];
  return `${pad(shown, 4)}-${pad(calendarMonth, 2)}-${pad(date, 2)}${era}`;
}

/** A time of day in units of 10^-places seconds: `16:00:00`, `16:00:00.25`. */
export function timeText(units: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const seconds = units / scale;
  const fraction = places === 0 ? "" : pad(units % scale, places).replace(/0+$/, "");
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((n) => pad(n, 2)).join(":");
  return fraction === "" ? clock : `${clock}.${fraction}`;
}

function pad(value: bigint, width: number): string {
  return String(value).padStart(width, "0");
}
