import { constantOf } from "../../verifiers/constants.js";
import { formatValue } from "../../verifiers/numbers.js";
import { formatUnit } from "../../verifiers/units.js";
import { askedUnit, significant } from "./amounts.js";
import { list, numberWord, onDate } from "./english.js";
import type { Sayable } from "./reads.js";
import type { Voice } from "./voice.js";

/** A constant is stated with at most so many digits: more than any answer asks for. */
const CONSTANT_DIGITS = 12;

/** "Give the answer in g/cm³ to three significant figures." */
export function askFor(answer: Sayable["answer"], noun: string, twoQuestions: boolean, voice: Voice): string {
  const unit = askedUnit(answer.unit, voice);
  if (answer.type === "integer") return exactly(unit, noun, twoQuestions, voice);
  const count = voice.counts === "words" ? numberWord(answer.digits) : String(answer.digits);
  const figures = `${count} significant ${voice.pick("figures", ["figures", "figures", "digits"])}`;
  const as =
    unit === ""
      ? voice.pick("pure", ["as a pure number", "as a dimensionless number", "as a plain number"])
      : `in ${unit}`;
  const ways = [
    `Give the ${noun} ${as} to ${figures}.`,
    `State the ${noun} ${as}, to ${figures}.`,
    `Report the ${noun} ${as}, rounded to ${figures}.`,
  ];
  if (!twoQuestions) {
    ways.push(
      `Give the answer ${as} to ${figures}.`,
      `Express the result ${as}, to ${figures}.`,
      `Give your answer ${as}, rounded to ${figures}.`,
      `Answer ${as}, to ${figures}.`,
    );
  }
  return voice.pick("ask", ways);
}

function exactly(unit: string, noun: string, twoQuestions: boolean, voice: Voice): string {
  if (unit !== "")
    return voice.pick("ask", [
      `Give the exact integer, in ${unit}.`,
      `Give the ${noun} in ${unit} as an exact integer.`,
    ]);
  const ways = [`Give the ${noun} as an exact integer.`, `State the ${noun} as an exact whole number.`];
  if (!twoQuestions)
    ways.push(
      "Give the exact integer.",
      "Answer with the exact integer.",
      "Give the answer as an exact whole number.",
    );
  return voice.pick("ask", ways);
}

/** What must be given for the answer to be one: constants, inputs whose definition is still to be said, the date of the data. */
export function given(
  constants: readonly string[],
  inputs: readonly string[],
  asOf: ReadonlyMap<string, readonly string[]>,
  voice: Voice,
): string | undefined {
  const things = [...inputs.map((i) => `the ${i}`), ...constants.map(statedConstant)];
  const verb = voice.pick("given", ["Use", "Take"]);
  if (asOf.size === 0) {
    if (things.length === 0) return undefined;
    return `${inputs.length > 0 ? "Use" : verb} ${list(things)}.`;
  }
  const dated = voice.pick("as_of", [
    `values as known ${onDates(asOf)}`,
    `data as known ${onDates(asOf)}`,
    `the values known ${onDates(asOf)}`,
  ]);
  return `Use ${list([...things, dated])}.`;
}

/** "in 2024", or, where tables are of different dates, "in 2015 for airports and in November 2024 for countries". */
export function onDates(dates: ReadonlyMap<string, readonly string[]>): string {
  const each = [...dates].map(([date, nouns]) =>
    dates.size === 1 ? onDate(date) : `${onDate(date)} for ${list(nouns)}`,
  );
  return list(each);
}

/** "G = 6.6743 × 10⁻¹¹ m³ kg⁻¹ s⁻²", "1 au = 1.495978707 × 10¹¹ m". */
export function statedConstant(symbol: string): string {
  const constant = constantOf(symbol)!;
  const digits = Math.min(CONSTANT_DIGITS, significant(constant.value));
  const number = formatValue(constant.value, digits).replaceAll(" × ", "\u00a0×\u00a0");
  const unit = constant.unit === "1" ? "" : `\u00a0${formatUnit(constant.unit).replaceAll(" ", "\u00a0")}`;
  const left =
    constant.prose ?? (symbol === "au" || symbol === "u" || symbol === "atm" ? `1\u00a0${symbol}` : symbol);
  if (left.includes("_")) return `${number}${unit} for the ${constant.name.replace(/ in u$/, "")}`;
  return `${left} = ${number}${unit}`;
}
