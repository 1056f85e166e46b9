import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { gradeAnswer } from "../../../verifiers/answer/grade.js";
import {
  choice,
  date,
  entity,
  integer,
  integers,
  interval,
  list,
  matrix,
  quantity,
  set,
  text,
  tuple,
  vector,
} from "./answers.js";

/** An answer, its verdict or reason, and the language of the question. Forms and faults written by hand; among them those of public bug reports (numbers in brackets are rows of the list of cases). */
type Row = readonly string[];

function table(title: string, expected: Expected, rows: readonly Row[]): void {
  describe(title, () => {
    it.each(rows)("%j is %s", (answer, verdict, language) => {
      const graded = gradeAnswer(answer!, expected, language === undefined ? {} : { language });
      expect(`${graded.verdict} ${graded.reason}`).toMatch(
        new RegExp(`^${verdict}(?: |$)|^\\w+ ${verdict}$`),
      );
    });
  });
}

table("a density of 1.2745 g/cm³ to 0.5 %", quantity(1.2745, "g/cm^3", 0.005), [
  ["1.27 g/cm³", "right"],
  ["1.27 g/cm^3", "right"],
  ["1.27 g cm⁻³", "right"],
  ["1.27 g·cm^-3", "right"],
  ["1270 kg m^-3", "right"],
  ["1270 kg/m³", "right"],
  ["1,270 kg/m³", "right"],
  ["1 270 kg/m³", "right"],
  ["1 270 kg/m³", "right"],
  ["1.27e3 kg/m^3", "right"],
  ["1.27E+03 kg/m^3", "right"],
  ["1.27 × 10^3 kg/m³", "right"],
  ["1.27 x 10^3 kg/m³", "right"],
  ["1.27*10^3 kg/m³", "right"],
  ["1.27*10**3 kg/m³", "right"],
  ["1.27·10³ kg/m³", "right"],
  ["$1.27 \\times 10^{3}\\,\\text{kg}/\\text{m}^3$", "right"],
  ["$1.27\\times10^{3}\\ \\mathrm{kg\\,m^{-3}}$", "right"],
  ["\\(1.27\\cdot 10^3 \\,\\frac{\\text{kg}}{\\text{m}^3}\\)", "right"],
  ["\\SI{1.27}{g/cm^3}", "right"],
  ["1.27 grams per cubic centimetre", "right"],
  ["1270 kilograms per cubic meter", "right"],
  ["1.27 t/m³", "right"],
  ["≈ 1.27 g/cm³", "right"],
  ["~1.27 g/cm³", "right"],
  ["approximately 1.27 g/cm³", "right"],
  ["about 1.27 g/cm³", "right"],
  ["1.2745 g/cm³", "right"],
  ["1.27 ± 0.005 g/cm³", "right"],
  ["(1.27 ± 0.005) g/cm³", "right"],
  ["(1.270 ± 0.005) × 10^3 kg/m³", "right"],
  ["1.270(5) g/cm³", "right"],
  ["1.27 g/cm³ ± 0.1 %", "right"],
  ["1270 kg/m³ (1.27 g/cm³)", "right"],
  ["1.27 g/cm³ (1270 kg/m³)", "right"],
  ["1.27 g/cm³ = 1270 kg/m³", "right"],
  ["m/V = 5.4/4.25 = 1.27 g/cm³", "right"],
  ["ρ = 1.27 g/cm³", "right"],
  ["\\rho \\approx 1.27~\\mathrm{g/cm^3}", "right"],
  ["The density is 1.27 g/cm³.", "right"],
  ["Its density is approximately 1.27 g/cm³.", "right"],
  ["1.27 g/cm³ (to 3 significant figures)", "right"],
  ["1.27 g/cm³, to three significant figures", "right"],
  ["1.27 g/cm³ (3 s.f.)", "right"],
  ["1.27&nbsp;g/cm<sup>3</sup>", "right"],
  ["１.２７ g/cm³", "right"],
  ["\\boxed{1.27\\ \\text{g/cm}^3}", "right"],
  ["1.27", "missing_unit"],
  ["1270", "missing_unit"],
  ["1.27 kg/m³", "wrong_unit"],
  ["1.27 g", "wrong_dimension"],
  ["1.27 m/s", "wrong_dimension"],
  ["-1.27 g/cm³", "wrong_sign"],
  ["−1.27 g/cm³", "wrong_sign"],
  ["1.28 g/cm³ ± 1", "wrong"],
  ["1.27 ± 0.05 g/cm³", "too_wide"],
  ["1.27(1) g/cm³", "too_wide"],
  ["1 g/cm³", "wrong_value"],
  ["1.3 g/cm³", "wrong_value"],
  ["1.26 g/cm³", "wrong_value"],
  ["12.7 g/cm³", "wrong_value"],
  ["127 kg/m³", "wrong_value"],
  ["1.27 × 10^2 kg/m³", "wrong_value"],
  ["1.27 × 10^-3 kg/m³", "wrong_value"],
  ["1,270 g/cm³", "wrong_value"],
  ["1.2-1.3 g/cm³", "range"],
  ["1.26–1.28 g/cm³", "range"],
  ["1.26 to 1.28 g/cm³", "range"],
  ["between 1.2 and 1.3 g/cm³", "range"],
  ["< 1.28 g/cm³", "range"],
  ["at least 1.27 g/cm³", "range"],
  ["1.27 or 1.5 g/cm³", "several_answers"],
  ["1.27 g/cm³ or 5 g/cm³", "several_answers"],
  ["1.27 g/cm³ (1.5 g/cm³)", "several_answers"],
  ["maybe 1.27 g/cm³", "hedged"],
  ["either 1.27 or 1.28 g/cm³", "hedged"],
  ["I think it could be 1.27 g/cm³", "hedged"],
  ["approximately between 1.2 and 1.3 g/cm³", "hedged"],
  ["I don't know, maybe 1.27 g/cm³", "hedged"],
  ["1,27 g/cm³", "ambiguous_number"],
  ["1.27 g/cm³ for ice and 3 for rock", "several_answers"],
  ["mass over volume", "unreadable"],
  ["1.27 foo/bar", "unreadable"],
  ["2 × 1.27/2 g/cm³", "unreadable"],
  ["", "no_answer"],
  ["<value>", "no_answer"],
  ["...", "no_answer"],
  ["I'm sorry, I cannot answer that.", "refusal"],
  ["1,27 g/cm³", "right", "de"],
  ["1,270 g/cm³", "right", "de"],
  ["1.270 kg/m³", "right", "de"],
  ["1.27 g/cm³", "right", "de"],
  ["1.270 g/cm³", "wrong_value", "de"],
  ["1270 kg/m³", "right", "de"],
  ["1 270 kg/m³", "right", "fr"],
  ["1,27 g/cm³", "right", "fr-CA"],
  ["1.270 kg/m³", "ambiguous_number", "fr"],
  ["1'270 kg/m³", "right", "de-CH"],
  ["1.27 g/cm³", "right", "de-CH"],
]);

table("a pure number: 1270", quantity(1270, "1", 0.001), [
  ["1270", "right"],
  ["1,270", "right"],
  ["1 270", "right"],
  ["1.27e3", "right"],
  ["1.27 thousand", "right"],
  ["127000%", "right"],
  ["1.270", "wrong_value"],
  ["1.27", "wrong_value"],
  ["1270 kg", "wrong_dimension"],
  ["1.270", "right", "de"],
  ["1,270", "wrong_value", "de"],
  ["1,270", "wrong_value", "fr"],
  ["1.27 tausend", "right", "de"],
  ["12,70", "ambiguous_number"],
  ["1,27,0", "ambiguous_number"],
  ["1.270,0", "ambiguous_number"],
  ["1.270,0", "right", "de"],
  ["1,270.0", "right"],
  ["1,270.0", "ambiguous_number", "de"],
]);

table("names of large numbers go with the language", quantity("1.27e12"), [
  ["1.27 trillion", "right"],
  ["1.27 billion", "wrong_value"],
  ["1,27 Billionen", "right", "de"],
  ["1,27 billion", "right", "fr"],
  ["1,27 Milliarden", "wrong_value", "de"],
  ["1.27 million million", "right"],
  ["1270 billion", "right"],
]);

table("12,34,567 in India", quantity(1234567), [
  ["12,34,567", "right", "en-IN"],
  ["12,34,567", "right", "hi"],
  ["1,234,567", "right", "en-IN"],
  ["12,34,567", "ambiguous_number", "en"],
  ["1,234,567", "right"],
]);

table("one third", quantity("0.333333333333", "1", 1e-9), [
  ["1/3", "right"],
  ["\\frac{1}{3}", "right"],
  ["$\\frac13$", "right"],
  ["\\dfrac{1}{3}", "right"],
  ["\\tfrac{2}{6}", "right"],
  ["⅓", "right"],
  ["33.3333333333%", "right"],
  ["\\boxed{\\frac{1}{3}}", "right"],
  ["0.333333333333", "right"],
  ["0.33", "wrong_value"],
  ["3", "wrong_value"],
  ["-1/3", "wrong_sign"],
  ["-\\frac{1}{3}", "wrong_sign"],
  ["\\frac{1}{0}", "unreadable"],
  ["\\frac{1}{", "unreadable"],
]);

table("exact fractions", quantity("1.5"), [
  ["1.5", "right"],
  ["3/2", "right"],
  ["1 1/2", "right"],
  ["1½", "right"],
  ["1\\frac{1}{2}", "right"],
  ["$1\\frac12$", "right"],
  ["\\frac{3}{2}", "right"],
  ["150%", "right"],
  ["1.50", "right"],
  ["+1.5", "right"],
  ["1.50000001", "wrong_value"],
  ["1 3/2", "unreadable"],
  ["11/2", "wrong_value"],
]);

table("[13] small values that differ", quantity("6.7651e-39", "1", 1e-4), [
  ["\\frac{1}{3^{80}}", "right"],
  ["$\\frac{1}{3^{80}}$", "right"],
  ["3^{-80}", "right"],
  ["1/3^80", "right"],
  ["\\frac{1}{3^{79}}", "wrong_value"],
  ["0", "wrong_value"],
  ["1e-39", "wrong_value"],
]);

table("values below the smallest double", quantity("1.5e-400", "1", 0.01), [
  ["1.5e-400", "right"],
  ["1.5 × 10^-400", "right"],
  ["1.5e-401", "wrong_value"],
  ["0", "wrong_value"],
  ["1.4e-400", "wrong_value"],
]);

table("[37] powers beyond any size", quantity("0.333333", "1", 0.01), [
  ["9^{9^{9^{9}}}", "wrong_value"],
  ["\\boxed{9^{9^{9^{9}}}}", "wrong_value"],
  ["1/9^{9^{9^{9}}}", "wrong_value"],
  ["10^(10^(10^10))", "wrong_value"],
  ["1^{9^{9^{9^{9}}}}", "unreadable"],
]);

table("temperatures with a zero of their own", quantity(25, "degC", 0.001), [
  ["25 °C", "right"],
  ["25°C", "right"],
  ["25 degrees Celsius", "right"],
  ["298.15 K", "right"],
  ["77 °F", "right"],
  ["77^\\circ\\text{F}", "right"],
  ["$25\\,^{\\circ}\\mathrm{C}$", "right"],
  ["25 K", "wrong_unit"],
  ["25 °F", "wrong_unit"],
  ["25", "missing_unit"],
  ["-25 °C", "wrong_sign"],
]);

table("compound units", quantity(5, "J mol^-1 K^-1", 0.001), [
  ["5 J/(mol K)", "right"],
  ["5 J/(mol·K)", "right"],
  ["5 J/mol/K", "right"],
  ["5 J mol⁻¹ K⁻¹", "right"],
  ["0.005 kJ/(mol K)", "right"],
  ["5 \\frac{J}{mol\\cdot K}", "right"],
  ["5 J/mol K", "ambiguous_unit"],
  ["5 J/mol", "wrong_dimension"],
  ["5 kJ/(mol K)", "wrong_unit"],
]);

table("a percentage", quantity(45, "percent", 0.001), [
  ["45 %", "right"],
  ["45%", "right"],
  ["45\\%", "right"],
  ["45 percent", "right"],
  ["0.45", "right"],
  ["45", "missing_unit"],
  ["0.45 %", "wrong_value"],
  ["4.5%", "wrong_value"],
]);

table("an angle", quantity(90, "deg", 0.001), [
  ["90°", "right"],
  ["90 degrees", "right"],
  ["$90^\\circ$", "right"],
  ["\\pi/2", "right"],
  ["\\frac{\\pi}{2}", "right"],
  ["1.5708 rad", "right"],
  ["90", "missing_unit"],
  ["90 rad", "wrong_unit"],
]);

table("solar masses", quantity(2, "M_sun", 0.001), [
  ["2 M☉", "right"],
  ["2 M_\\odot", "right"],
  ["$2\\,M_{\\odot}$", "right"],
  ["2 solar masses", "right"],
  ["2 kg", "wrong_unit"],
  ["3.977e30 kg", "right"],
]);

table("a unit with a scale", quantity(5.97, "10^24 kg", 0.001), [
  ["5.97 × 10^24 kg", "right"],
  ["5.97e24 kg", "right"],
  ["5.97e27 g", "right"],
  ["5.97 kg", "wrong_unit"],
  ["5.97", "missing_unit"],
  ["5.97 × 10^25 kg", "wrong_value"],
]);

table("[17] the integer 8", integer(8), [
  ["8", "right"],
  ["8.0", "right"],
  ["8.", "right"],
  ["+8", "right"],
  ["eight", "right"],
  ["16/2", "right"],
  ["2^3", "right"],
  ["\\sqrt{64}", "right"],
  ["0.8e1", "right"],
  ["8 moons", "right"],
  ["8 known moons.", "right"],
  ["the number is 8", "right"],
  ["18", "wrong_value"],
  ["the mass is 18", "wrong_value"],
  ["80", "wrong_value"],
  ["-8", "wrong_sign"],
  ["8.1", "wrong_value"],
  ["8.0000000000000000001", "wrong_value"],
  ["\\sqrt{65}", "wrong_value"],
  ["8 km", "unexpected_unit"],
  ["8%", "unreadable"],
  ["7 or 8", "several_answers"],
  ["7, 8", "several_answers"],
  ["7-9", "range"],
  ["5 + 3", "unreadable"],
  ["\\ln 8", "unreadable"],
  ["x^8", "unreadable"],
  ["two to the third", "unreadable"],
  ["not 8", "unreadable"],
  ["8!", "unreadable"],
]);

table("[17] the integer -7", integer(-7), [
  ["-7", "right"],
  ["−7", "right"],
  ["–7", "right"],
  ["$-7$", "right"],
  ["minus seven", "right"],
  ["negative 7", "right"],
  ["(-7)", "right"],
  ["7", "wrong_sign"],
  ["--7", "unreadable"],
  ["- 7", "right"],
]);

table("an integer of 31 digits", integer("1000000000000000000000000000001"), [
  ["1000000000000000000000000000001", "right"],
  ["1,000,000,000,000,000,000,000,000,000,001", "right"],
  ["10^30", "wrong_value"],
  ["1e30", "wrong_value"],
  ["1000000000000000000000000000000", "wrong_value"],
  ["10^{30}+1", "unreadable"],
]);

table("thousand", integer(1000), [
  ["1e3", "right"],
  ["10^3", "right"],
  ["1,000", "right"],
  ["1 000", "right"],
  ["1.000", "wrong_value"],
  ["1.000", "right", "de"],
  ["one thousand", "right"],
  ["1 thousand", "right"],
  ["1,00", "ambiguous_number"],
  ["1,0000", "ambiguous_number"],
]);

table("Uranus", entity("Uranus", ["Neptune", "Saturn"], ["Herschel's star", "7th planet"]), [
  ["Uranus", "right"],
  ["uranus", "right"],
  ["URANUS", "right"],
  ["Uranus.", "right"],
  ['"Uranus"', "right"],
  ["**Uranus**", "right"],
  ["the planet Uranus", "right"],
  ["It is Uranus.", "right"],
  ["The planet is Uranus", "right"],
  ["Uranus (planet)", "right"],
  ["Herschel's star", "right"],
  ["Herschel’s Star", "right"],
  ["\\text{Uranus}", "right"],
  ["Уранус", "right"],
  ["Neptune", "other_entity"],
  ["Uranium", "other_entity"],
  ["Uranus or Neptune", "several_answers"],
  ["Uranus, Neptune", "several_answers"],
  ["Uranus and Neptune", "several_answers"],
  ["Neptune, not Uranus", "several_answers"],
  ["not Uranus", "unreadable"],
  ["Uranus or Pluto", "unreadable"],
  ["Uranus B", "unreadable"],
  ["Uranus 2", "unreadable"],
  ["maybe Uranus", "hedged"],
  ["天王星", "other_script"],
  ["!!!", "no_answer"],
  ["unknown", "no_answer"],
]);

table("moons by numeral", entity("Jupiter II", ["Jupiter I", "Jupiter III"], ["Europa"]), [
  ["Jupiter 2", "right"],
  ["Jupiter II", "right"],
  ["Europa", "right"],
  ["Jupiter II (Europa)", "right"],
  ["Europa (Jupiter II)", "right"],
  ["Jupiter I", "other_entity"],
  ["Jupiter III", "other_entity"],
  ["Jupiter", "other_entity"],
  ["Jupiter 3", "other_entity"],
]);

table("compound names", entity("20000 Varuna (2000 WR106)", ["20001 Gault"]), [
  ["Varuna", "right"],
  ["20000 Varuna", "right"],
  ["(20000) Varuna", "right"],
  ["2000 WR106", "right"],
  ["20001 Gault", "other_entity"],
  ["20000", "other_entity"],
  ["20001 Varuna", "unreadable"],
]);

table("letters and digits run together", entity("Kepler-22 b", ["Kepler-22 c"]), [
  ["Kepler-22b", "right"],
  ["Kepler 22 b", "right"],
  ["kepler-22 B", "right"],
  ["Kepler-22 c", "other_entity"],
  ["Kepler-222 b", "other_entity"],
  ["Kepler-22", "other_entity"],
  ["Kepler-2 2b", "other_entity"],
]);

table("accents", entity("Gödel"), [
  ["Goedel", "right"],
  ["Godel", "right"],
  ["Gödel", "right"],
  ["GÖDEL", "right"],
  ["Godet", "other_entity"],
]);

table("the ʻokina", entity("ʻOumuamua"), [
  ["Oumuamua", "right"],
  ["ʻOumuamua", "right"],
  ["'Oumuamua", "right"],
  ["1I/ʻOumuamua", "unreadable"],
]);

table("symbols count as written", entity("cobalt", ["carbon monoxide"], ["Co"]), [
  ["Co", "right"],
  ["cobalt", "right"],
  ["Cobalt", "right"],
  ["CO", "other_entity"],
  ["co", "other_entity"],
]);

table("a shared part is no name", entity("Georgia (US 13)", ["Georgia (country)"]), [
  ["Georgia (US 13)", "right"],
  ["Georgia", "other_entity"],
]);

table("yes", { type: "boolean", value: true }, [
  ["yes", "right"],
  ["Yes.", "right"],
  ["TRUE", "right"],
  ["true", "right"],
  ["Correct", "right"],
  ["Yes, because it is larger.", "right"],
  ["The statement is true.", "right"],
  ["ja", "right"],
  ["oui", "right"],
  ["sí", "right"],
  ["да", "right"],
  ["是", "right"],
  ["T", "right"],
  ["not false", "right"],
  ["It isn't false", "right"],
  ["no", "wrong_value"],
  ["No, it is not true", "wrong_value"],
  ["INCORRECT", "wrong_value"],
  ["untrue", "wrong_value"],
  ["not true", "wrong_value"],
  ["not correct", "wrong_value"],
  ["nein", "wrong_value"],
  ["false", "wrong_value"],
  ["yes and no", "several_answers"],
  ["true or false", "several_answers"],
  ["maybe", "hedged"],
  ["True anomaly", "unreadable"],
  ["No planet has one", "unreadable"],
  ["1", "unreadable"],
]);

table("the choice B", choice("B"), [
  ["B", "right"],
  ["b", "right"],
  ["(B)", "right"],
  ["B.", "right"],
  ["B)", "right"],
  ["[B]", "right"],
  ["**B**", "right"],
  ["\\text{B}", "right"],
  ["\\textbf{(B)}", "right"],
  ["Option B", "right"],
  ["option (B)", "right"],
  ["Answer: B", "right"],
  ["B: Venus", "right"],
  ["B. Venus", "right"],
  ["(B) Venus", "right"],
  ["Venus", "right"],
  ["venus", "right"],
  ["B because it is hot", "right"],
  ["A", "wrong_value"],
  ["C", "wrong_value"],
  ["Mars", "wrong_value"],
  ["B. Mars", "several_answers"],
  ["A and B", "several_answers"],
  ["A, B", "several_answers"],
  ["B or C", "several_answers"],
  ["(A) and (B)", "several_answers"],
  ["Both A and B", "wrong_value"],
  ["A planet", "unreadable"],
  ["D", "unreadable"],
  ["Mars or Venus", "unreadable"],
  ["Be", "unreadable"],
]);

table("a choice given by its text", choice("Venus"), [
  ["B", "right"],
  ["Venus", "right"],
  ["A", "wrong_value"],
]);

table("labels that are texts", choice("A", { A: "B", B: "A" }), [["A", "several_answers"]]);

table("an exact date", date("1846-09-23"), [
  ["1846-09-23", "right"],
  ["1846/09/23", "right"],
  ["23 September 1846", "right"],
  ["September 23, 1846", "right"],
  ["Sept. 23, 1846", "right"],
  ["Sep 23 1846", "right"],
  ["23rd September 1846", "right"],
  ["the 23rd of September 1846", "right"],
  ["On 23 September 1846.", "right"],
  ["Wednesday, September 23, 1846", "right"],
  ["23.09.1846", "right"],
  ["23.9.1846", "right"],
  ["09/23/1846", "right"],
  ["23/09/1846", "right"],
  ["23. September 1846", "right"],
  ["23 septembre 1846", "right"],
  ["23 de septiembre de 1846", "right"],
  ["1846-09-23T00:00:00Z", "right"],
  ["1846 September 23", "right"],
  ["24 September 1846", "wrong_value"],
  ["23 October 1846", "wrong_value"],
  ["23 September 1847", "wrong_value"],
  ["1846-09", "less_precise"],
  ["September 1846", "less_precise"],
  ["1846", "less_precise"],
  ["23 September", "unreadable"],
  ["23.09.46", "unreadable"],
  ["31 February 1846", "no_such_date"],
  ["about 1846", "unreadable"],
  ["1845-1847", "unreadable"],
]);

table("day and month either way", date("1846-04-03"), [
  ["03/04/1846", "ambiguous_date"],
  ["04/03/1846", "ambiguous_date"],
  ["03/04/1846", "right", "en-GB"],
  ["04/03/1846", "right", "en-US"],
  ["03/04/1846", "wrong_value", "en-US"],
  ["03/04/1846", "right", "fr"],
  ["3.4.1846", "right"],
  ["4 April 1846", "wrong_value"],
]);

table("a year", date("1846"), [
  ["1846", "right"],
  ["in 1846", "right"],
  ["23 September 1846", "right"],
  ["1846 AD", "right"],
  ["1846 CE", "right"],
  ["1847", "wrong_value"],
  ["1846 BC", "wrong_value"],
]);

table("a year before the common era", date("-0043"), [
  ["44 BC", "right"],
  ["44 BCE", "right"],
  ["43 BC", "wrong_value"],
  ["44", "unreadable"],
  ["44 AD", "wrong_value"],
]);

table("a list in order", list(...integers(1, 2, 3)), [
  ["1, 2, 3", "right"],
  ["1,2,3", "right"],
  ["[1, 2, 3]", "right"],
  ["(1,2,3)", "right"],
  ["1; 2; 3", "right"],
  ["1, 2 and 3", "right"],
  ["1, 2, and 3", "right"],
  ["[1 2 3]", "right"],
  ["1\n2\n3", "right"],
  ["- 1\n- 2\n- 3", "right"],
  ["1. 1\n2. 2\n3. 3", "right"],
  ["$[1, 2, 3]$", "right"],
  ["one, two, three", "right"],
  ["1, 3, 2", "wrong_item"],
  ["1, 2", "wrong_count"],
  ["1, 2, 3, 4", "wrong_count"],
  ["1, 2, 2, 3", "wrong_count"],
  ["1, 2, -3", "wrong_item"],
  ["1, 2, x", "unreadable"],
  ["[1, 2, 3", "wrong"],
]);

table("one number more, behind a word", list(integer(0), integer(5)), [
  ["0 and 5", "right"],
  ["0, 5 and 5", "wrong_count"],
  ["0, 5 & 5", "wrong_count"],
]);
table("commas that part or group", list(integer(1), integer(270)), [
  ["1, 270", "right"],
  ["1; 270", "right"],
  ["[1,270]", "right"],
  ["[1, 270]", "right"],
  ["1,270", "ambiguous_number"],
  ["1,270", "ambiguous_number", "de"],
]);

table("grouped numbers in a list", list(integer(1270), integer(5)), [
  ["1,270, 5", "right"],
  ["[1,270, 5]", "right"],
  ["1,270; 5", "right"],
  ["1270,5", "right"],
  ["1.270; 5", "right", "de"],
  ["1.270, 5", "right", "de"],
]);

table("decimal commas in a list", list(quantity("1.5"), quantity("2.5")), [
  ["1,5; 2,5", "right", "de"],
  ["1,5, 2,5", "right", "de"],
  ["(1,5; 2,5)", "right", "de"],
  ["1.5, 2.5", "right"],
  ["1,5; 2,5", "ambiguous_number", "en"],
]);

table("a set", set(...integers(1, 2, 3)), [
  ["{1, 2, 3}", "right"],
  ["{3, 1, 2}", "right"],
  ["\\{2, 3, 1\\}", "right"],
  ["1, 2, 3", "right"],
  ["3 and 1 and 2", "right"],
  ["{1, 1, 2, 3}", "right"],
  ["x = 1, x = 2 or x = 3", "right"],
  ["x \\in \\{1,2,3\\}", "right"],
  ["$\\left\\{ 1, 2, 3 \\right\\}$", "right"],
  ["{1, 2}", "wrong_count"],
  ["{1, 2, 3, 4}", "wrong_item"],
  ["{1, 2, -3}", "wrong_item"],
  ["{}", "wrong"],
]);

table("both signs", set(...integers(2, -2)), [
  ["±2", "right"],
  ["x = \\pm 2", "right"],
  ["-2, 2", "right"],
  ["2", "wrong_count"],
]);

table("the empty set", set(), [
  ["{}", "right"],
  ["\\{\\}", "right"],
  ["∅", "right"],
  ["\\emptyset", "right"],
  ["empty set", "right"],
  ["{0}", "wrong_item"],
  ["0", "wrong_item"],
]);

table("names in a set", set(entity("Io"), entity("Europa"), entity("Antigua and Barbuda")), [
  ["Io, Europa, Antigua and Barbuda", "right"],
  ["Antigua and Barbuda, Io and Europa", "right"],
  ["Europa; Io; Antigua and Barbuda", "right"],
  ["- Io\n- Europa\n- Antigua and Barbuda", "right"],
  ["Io, Europa", "wrong_count"],
  ["Io, Ganymede, Antigua and Barbuda", "wrong_item"],
]);

table("a tuple", tuple(integer(1), quantity("0.5")), [
  ["(1, 1/2)", "right"],
  ["\\left(1, \\frac{1}{2}\\right)", "right"],
  ["(1,0.5)", "right"],
  ["(1; 0,5)", "right", "de"],
  ["(x, y) = (1, 0.5)", "right"],
  ["(0.5, 1)", "wrong_item"],
]);

table("pairs within a list", list(tuple(...integers(1, 2)), tuple(...integers(3, 4))), [
  ["(1,2), (3,4)", "right"],
  ["[(1, 2), (3, 4)]", "right"],
  ["((1,2),(3,4))", "right"],
  ["(1,2) and (3,4)", "right"],
  ["(3,4), (1,2)", "wrong_item"],
]);

table("a vector", vector(...integers(1, 2)), [
  ["(1, 2)", "right"],
  ["[1, 2]", "right"],
  ["⟨1, 2⟩", "right"],
  ["<1, 2>", "right"],
  ["\\langle 1, 2 \\rangle", "right"],
  ["\\begin{pmatrix}1\\\\2\\end{pmatrix}", "right"],
  ["\\begin{bmatrix} 1 & 2 \\end{bmatrix}", "right"],
  ["\\begin{pmatrix} 1 \\\\ 2 \\\\ \\end{pmatrix}", "right"],
  ["[1 2]", "right"],
  ["[[1],[2]]", "right"],
  ["v = (1, 2)", "right"],
  ["\\begin{array}{c}1\\\\2\\end{array}", "right"],
  ["(2, 1)", "wrong_item"],
  ["(1, -2)", "wrong_item"],
  ["(1, 2, 0)", "wrong_count"],
]);

table("a vector with a shared unit", vector(quantity(100, "cm"), quantity(200, "cm")), [
  ["(1, 2) m", "right"],
  ["(1 m, 2 m)", "right"],
  ["[100, 200] cm", "right"],
  ["(1, 2)", "wrong_item"],
  ["(1, 2) km", "wrong_item"],
]);

table("a matrix", matrix([1, 2], [3, 4]), [
  ["\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "right"],
  ["\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}", "right"],
  ["$$\\begin{bmatrix}1&2\\\\3&4\\\\\\end{bmatrix}$$", "right"],
  ["\\left[\\begin{array}{cc}1&2\\\\3&4\\end{array}\\right]", "right"],
  ["[[1,2],[3,4]]", "right"],
  ["[[1, 2], [3, 4]]", "right"],
  ["[1 2; 3 4]", "right"],
  ["[1, 2; 3, 4]", "right"],
  ["((1,2),(3,4))", "right"],
  ["A = [[1,2],[3,4]]", "right"],
  ["{{1,2},{3,4}}", "right"],
  ["[[1,3],[2,4]]", "wrong_item"],
  ["[[1,2],[3,-4]]", "wrong_item"],
  ["[[1,2,3],[4,5,6]]", "wrong_shape"],
  ["[1,2,3,4]", "wrong_shape"],
  ["1 2 3 4", "unreadable"],
  ["[[3,4],[1,2]]", "wrong_item"],
]);

table("an interval, half open", interval(1, 2, "[)"), [
  ["[1, 2)", "right"],
  ["[1,2)", "right"],
  ["[1; 2)", "right"],
  ["[1, 2[", "right"],
  ["\\left[1, 2\\right)", "right"],
  ["$[1,2)$", "right"],
  ["1 ≤ x < 2", "right"],
  ["1 \\le x < 2", "right"],
  ["1 <= x < 2", "right"],
  ["2 > x ≥ 1", "right"],
  ["x ∈ [1, 2)", "right"],
  ["x \\in [1, 2)", "right"],
  ["[1, 2]", "wrong_closure"],
  ["(1, 2)", "wrong_closure"],
  ["(1, 2]", "wrong_closure"],
  ["]1, 2]", "wrong_closure"],
  ["1 < x < 2", "wrong_closure"],
  ["[1, 3)", "wrong_end"],
  ["[-1, 2)", "wrong_end"],
  ["[2, 1)", "wrong_end"],
  ["[1, ∞)", "wrong_end"],
  ["x ≥ 1", "wrong_end"],
  ["[1, 2) ∪ (3, 4)", "unreadable"],
  ["1, 2", "unreadable"],
  ["1 to 2", "unreadable"],
]);

table("no lower end", interval(null, 3, "(]"), [
  ["(-\\infty, 3]", "right"],
  ["(-∞, 3]", "right"],
  ["(−∞; 3]", "right"],
  ["x ≤ 3", "right"],
  ["x <= 3", "right"],
  ["3 ≥ x", "right"],
  ["-\\infty < x \\leq 3", "right"],
  ["(-inf, 3]", "right"],
  ["x < 3", "wrong_closure"],
  ["x ≥ 3", "wrong_end"],
  ["[-∞, 3]", "wrong_closure"],
  ["(∞, 3]", "unreadable"],
]);

table("free text", text("Wien's displacement law"), [
  ["wien's displacement law", "right"],
  ["Wien’s Displacement Law.", "right"],
  ["Wiens displacement-law", "right"],
  ["Planck's law", "wrong_value"],
]);

table("marks in texts that are no punctuation", text("-3.5"), [
  ["-3.5", "right"],
  ["−3.5", "right"],
  ["3.5", "wrong_value"],
  ["-35", "wrong_value"],
]);

table("texts that hedge elsewhere", text("unknown"), [
  ["Unknown.", "right"],
  ["maybe", "hedged"],
]);

table("[15] formulas", { type: "expression", text: "2 - \\frac{3}{\\mathrm{e}}" }, [
  ["$2 - \\frac{3}{\\mathrm{e}}$", "right"],
  ["$2 + \\frac{3}{\\mathrm{e}}$", "wrong"],
]);

table("[15] a formula is no number", integer(2), [
  ["2 - \\frac{3}{\\mathrm{e}}", "unreadable"],
  ["2x", "unreadable"],
  ["f(2)", "unreadable"],
  ["2e", "unreadable"],
]);

/** The table of docs/answers.md: what 1,270, 1.270, 1.27 and 1,27 are. */
describe("marks in numbers, by language", () => {
  it.each([
    ["en", 1270, 1.27, 1.27, null],
    ["ja", 1270, 1.27, 1.27, null],
    ["es-MX", 1270, 1.27, 1.27, null],
    ["de", 1.27, 1270, 1.27, 1.27],
    ["es", 1.27, 1270, 1.27, 1.27],
    ["tr", 1.27, 1270, 1.27, 1.27],
    ["fr", 1.27, null, 1.27, 1.27],
    ["fr-CH", 1.27, null, 1.27, 1.27],
    ["ru", 1.27, null, 1.27, 1.27],
    ["de-CH", null, 1.27, 1.27, null],
    ["en-IN", 1270, 1.27, 1.27, null],
  ])("%s", (language, ...values) => {
    ["1,270", "1.270", "1.27", "1,27"].forEach((answer, i) => {
      for (const value of [1270, 1.27, 127]) {
        const graded = gradeAnswer(answer, quantity(value), { language }).verdict;
        expect([answer, value, graded]).toEqual([
          answer,
          value,
          values[i] === null ? "undecided" : values[i] === value ? "right" : "wrong",
        ]);
      }
    });
  });
});
