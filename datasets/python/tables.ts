/**
 * The tables of the Python verifier, made from what the TypeScript one uses, so that neither is typed twice: units from
 * `verifiers/unit-table.ts`, classes of characters from this engine's Unicode. A test holds the written modules against these texts.
 */
import { ATOMS, PREFIXES } from "../../verifiers/unit-table.js";

/** The Unicode version that the table of characters is made for. */
export const UNICODE = process.versions.unicode ?? "";

const CLASSES = [
  "L",
  "Lu",
  "Ll",
  "M",
  "N",
  "Nd",
  "S",
  "Cf",
  "Variation_Selector",
  "Script=Latin",
  "Script=Common",
  "Script=Inherited",
];

/**
 * Characters that came after Unicode 13, the one of Python 3.9, and have a compatibility form: Latin and Cyrillic look-alikes, which
 * an older interpreter would let stand.
 */
const NEWER: readonly (readonly [first: number, last: number])[] = [
  [0xa7f1, 0xa7f4],
  [0x10781, 0x10785],
  [0x10787, 0x107b0],
  [0x107b2, 0x107ba],
  [0x1ccd6, 0x1ccf9],
  [0x1e030, 0x1e06d],
];

/** `unicode_table.py`: for each class its ranges, as gaps and lengths in base 36; newer characters' plain forms. */
export function unicodeTable(): string {
  const newer = NEWER.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => {
      const plain = String.fromCodePoint(first + i).normalize("NFKD");
      return `    0x${(first + i).toString(16)}: ${JSON.stringify(plain)},`;
    }),
  );
  const rows = CLASSES.map((name) => `    "${name}": (\n${folded(rangesOf(name))}\n    ),`);
  return (
    `"""Classes of characters of Unicode ${UNICODE}, from the table that the TypeScript verifier uses: made by tables.ts.\n\n` +
    'A class is gaps and lengths of its ranges in base 36, in turn: interpreters differ in the Unicode version they know.\n"""\n\n' +
    `UNICODE_CLASSES = {\n${rows.join("\n")}\n}\n\n` +
    "# Characters newer than Unicode 13 and their compatibility forms.\n" +
    `UNICODE_NEWER = {\n${newer.join("\n")}\n}\n`
  );
}

function rangesOf(name: string): string {
  const form = new RegExp(`^\\p{${name}}$`, "u");
  const marks: number[] = [];
  let [start, end] = [-1, 0];
  for (let code = 0; code <= 0x110000; code++) {
    const member = code < 0x110000 && form.test(String.fromCodePoint(code));
    if (member && start < 0) start = code;
    if (member || start < 0) continue;
    marks.push(start - end, code - start);
    [start, end] = [-1, code];
  }
  return marks.map((m) => m.toString(36)).join(" ");
}

/** A long text as adjacent Python literals of a line each. */
function folded(text: string): string {
  const lines = text.match(/.{1,110}(?: |$)/g) ?? [];
  return lines.map((line) => `        "${line}"`).join("\n");
}

/** `units_table.py`: symbols, mantissa, power of ten, dimension, prefixes, offset, names. */
export function unitsTable(): string {
  const prefixes = PREFIXES.map((p) => `    (${tuple(p.symbols)}, ${p.ten}, ${JSON.stringify(p.word)}),`);
  const atoms = ATOMS.map((a) => {
    const fields = [
      tuple(a.symbols),
      number(a.mantissa),
      String(a.ten),
      `(${a.dimension.join(", ")})`,
      JSON.stringify(a.prefixes),
      number(a.offset ?? 0),
      JSON.stringify(a.singular),
      JSON.stringify(a.plural),
    ];
    return `    (${fields.join(", ")}),`;
  });
  return (
    '"""Units and prefixes, from verifiers/unit-table.ts, which names the source of each figure: made by tables.ts."""\n\n' +
    `UNIT_PREFIXES = (\n${prefixes.join("\n")}\n)\n\n` +
    "# symbols, mantissa, power of ten, exponents of m kg s A K mol cd, prefixes taken, offset, singular, plural\n" +
    `UNIT_ATOMS = (\n${atoms.join("\n")}\n)\n`
  );
}

const tuple = (texts: readonly string[]): string =>
  `(${texts.map((t) => `${JSON.stringify(t)},`).join(" ")})`;

/** A double as Python reads it back: always with a point or an exponent, so that it is no int. */
const number = (value: number): string =>
  Number.isInteger(value) && value < 1e21 ? `${value}.0` : String(value);
