import type { Field } from "../layout/layout.js";
import { bracketsIn, unitInName } from "../unit-text.js";

/** Abbreviations of names that every reader knows. */
const SPELT: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  lat: "latitude",
  lon: "longitude",
  lng: "longitude",
  long: "longitude",
  elev: "elevation",
  alt: "altitude",
  temp: "temperature",
  num: "number",
  avg: "mean",
  pop: "population",
  dist: "distance",
  ecc: "eccentricity",
  freq: "frequency",
});

/** A field's name in plain words, its unit left out: "Mass (kg)", "mass_kg" and "massKg" are "mass". */
export function wordsOf(field: Field): string[] {
  return spelt(wordsIn(field.description ?? bareName(field), 1));
}

function bareName({ name }: Field): string {
  return unitInName(name)?.rest ?? bracketsIn(name)?.rest ?? name;
}

/** The words of the last steps of a path: of `name.common`, 1 gives "common", 2 "name common". */
function wordsIn(path: string, steps: number): string[] {
  return path.split(/[/.]/).slice(-steps).flatMap(wordsOfStep);
}

function wordsOfStep(step: string): string[] {
  const inner = /\[\w+=(?:\w+:)?([^\]]+)\]/.exec(step)?.[1] ?? step;
  return inner
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((w) => w !== "");
}

function spelt(words: readonly string[]): string[] {
  return words.map(
    (word) => SPELT[word.toLowerCase()] ?? (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()),
  );
}

/** What a card and prose call a column. */
export interface Called {
  /** Lower-case letters, digits and _, starting with a letter, of no other column. */
  readonly id: string;
  readonly noun: string;
}

/** Ids and nouns of all fields: by the last step of their path, and by all of it where others end in the same (or it is a number). */
export function callingOf(fields: readonly Field[]): Called[] {
  const short = fields.map((field) => idOfWords(wordsIn(bareName(field), 1)));
  const [once, twice, taken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const id of short) (once.has(id) ? twice : once).add(id);
  return fields.map((field, i) => {
    const path = bareName(field);
    const whole = /(?:^|[/.])\d+$/.test(path) || twice.has(short[i]!);
    const words = wordsIn(path, whole ? Number.POSITIVE_INFINITY : 1);
    const said = field.description === undefined ? spelt(words) : wordsOf(field);
    const noun = said.length === 0 ? "value" : said.join(" ").slice(0, 80);
    return { id: free(idOfWords(words), taken), noun };
  });
}

function idOfWords(words: readonly string[]): string {
  const plain = words
    .join("_")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "");
  const id = (/^[a-z]/.test(plain) ? plain : `column_${plain}`).replace(/_+$/, "").slice(0, 55);
  return /^(?:true|false|null)$/.test(id) ? `column_${id}` : id;
}

function free(base: string, taken: Set<string>): string {
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}_${n}`;
  taken.add(id);
  return id;
}
