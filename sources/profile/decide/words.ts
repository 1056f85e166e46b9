import type { Field } from "../layout/layout.js";
import { unitInName } from "../unit-text.js";

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
  const name =
    field.description ?? unitInName(field.name)?.rest ?? field.name.replace(/\s*[([][^()[\]]*[)\]]\s*$/, "");
  return spelt(wordsIn(name));
}

function wordsIn(name: string): string[] {
  const last = name.split(/[/.]/).at(-1)!;
  const inner = /\[\w+=(?:\w+:)?([^\]]+)\]/.exec(last)?.[1] ?? last;
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

/** How prose calls a column: its words, without the last of a name that repeats the first. */
export function nounOf(field: Field): string {
  const words = wordsOf(field);
  return words.length === 0 ? "value" : words.join(" ").slice(0, 80);
}

/** An id for a card: lower-case letters, digits and _, starting with a letter, taken by no other column. */
export function idOf(field: Field, taken: Set<string>): string {
  const name = unitInName(field.name)?.rest ?? field.name.replace(/\s*[([][^()[\]]*[)\]]\s*$/, "");
  const plain = wordsIn(name)
    .join("_")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "");
  const base = (/^[a-z]/.test(plain) ? plain : `column_${plain}`).replace(/_+$/, "").slice(0, 55);
  let id = base;
  if (/^(?:true|false|null)$/.test(id)) id = `column_${id}`;
  for (let n = 2; taken.has(id); n++) id = `${base}_${n}`;
  taken.add(id);
  return id;
}
