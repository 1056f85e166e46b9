import { sourceNames } from "../../../verifiers/source-leaks.js";
import type { Card, ColumnCard } from "../../card.js";
import type { ClassCount } from "../../catalog.js";
import type { IngestReport } from "../../table.js";
import { PLACEHOLDER } from "../told.js";
import { flow } from "../yaml-text.js";
import { error, type Objection, remark, warning } from "./objection.js";

/** Objections to what a card says, or leaves out, of the table as a whole. */
export function declaredObjections(
  card: Card,
  classes: readonly ClassCount[],
  report: IngestReport,
): Objection[] {
  return [
    ...publicationObjections(card),
    ...entityObjections(card, report.loaded),
    ...completenessObjections(classes, report),
  ];
}

/** Records that are of the table and were not loaded, by reason; those that `rows` turns away are none of it. */
export function leftOutText({ rejected }: IngestReport): string {
  return Object.entries(rejected)
    .filter(([reason]) => reason !== "not_kept")
    .map(([reason, n]) => `${reason} ${n}`)
    .join(", ");
}

function publicationObjections(card: Card): Objection[] {
  const found: Objection[] = [];
  if (card.publisher.hosts.includes(PLACEHOLDER.host)) {
    const why =
      "solvers with a browser are kept from the publisher's hosts; from this one they would look the answer up elsewhere";
    found.push(
      error(
        "placeholder",
        "publisher",
        `the publisher's host is still ${PLACEHOLDER.host}`,
        why,
        "give the hosts that publish the table",
      ),
    );
  }
  const texts = { licence: card.licence.id, citation: card.citation, publisher: card.publisher.name };
  for (const [about, text] of Object.entries(texts)) {
    if (text !== PLACEHOLDER.text) continue;
    found.push(
      error(
        "placeholder",
        about,
        `the ${about} is not filled in`,
        "it goes into the card of every dataset made of the table",
        `write the ${about}`,
      ),
    );
  }
  if (card.source_names.length === 0) {
    const why =
      "a question that names its source sends the solver there, and one that does not is what the lint looks for";
    found.push(
      remark(
        "no_source_names",
        "source_names",
        "no names of the source are given",
        why,
        "list the publisher, the catalogue and their short forms",
      ),
    );
  }
  return [...found, ...nounObjections(card)];
}

/** A source called by a word that every question has to use is not kept out of them by it. */
function nounObjections(card: Card): Objection[] {
  const { entity, columns, publisher, source_names } = card;
  const nouns = Object.values(columns).flatMap(({ phrase }) => phrase?.noun ?? []);
  const words = new Set([entity.singular, entity.plural, ...nouns].map((word) => word.toLowerCase()));
  const names = sourceNames([...source_names, publisher.name]).filter((name) =>
    words.has(name.toLowerCase()),
  );
  return names.map((name) =>
    remark(
      "source_name_is_noun",
      "source_names",
      `"${name}" is a name of the source, and a word of its questions`,
      "it counts as the source's only where it is written with a capital inside a sentence",
      "give the name that tells the source from others: who publishes it, what the catalogue is called",
    ),
  );
}

function entityObjections(card: Card, rows: number): Objection[] {
  const found: Objection[] = [];
  const { entity } = card;
  if (!entity.public) {
    found.push(
      error(
        "not_public",
        "entity",
        `single ${entity.plural} have no public identity`,
        "nobody could find the entity that a question asks for: every task is refused",
        "give a key that the public knows, or use the table as a link's target only",
      ),
    );
  }
  if (entity.singular === entity.plural) {
    found.push(
      remark(
        "same_plural",
        "entity",
        `singular and plural are both "${entity.singular}"`,
        "both stand in questions",
        "write the plural, unless they are the same word",
      ),
    );
  }
  if (rows <= 20 && !entity.tiny) {
    found.push(
      remark(
        "tiny",
        "entity",
        `there are ${rows} rows`,
        "quotas on entities would leave few tasks of so small a table",
        "set `tiny: true`, and list the table under `tiny_tables` of `balance`",
      ),
    );
  }
  return found;
}

function completenessObjections(classes: readonly ClassCount[], report: IngestReport): Objection[] {
  const whole = "`complete: [{ where: [...], total: N, source: who says so }]`";
  if (classes.length === 0) {
    const why =
      "the largest of what is here need not be the largest there is: without a complete class every task is refused";
    return [
      error(
        "nothing_complete",
        "complete",
        "no class of entities is declared complete",
        why,
        `declare what is known to be whole: ${whole}; the whole table has ${report.loaded} rows`,
      ),
    ];
  }
  return classes
    .filter((c) => c.present !== c.total || c.leftOut > 0)
    .map((c) => {
      const name = c.where.length === 0 ? "the whole table" : `the class ${JSON.stringify(c.where)}`;
      const why = "the class does not count as complete, and tasks over it are refused";
      const has = `${name} has ${c.present} rows, its known total is ${c.total}`;
      if (c.leftOut === 0)
        return error(
          "incomplete_class",
          "complete",
          has,
          why,
          "correct the total, the condition, or the table",
        );
      const what = `${has}, and ${c.leftOut} records that may belong to it were left out (${leftOutText(report)})`;
      return error(
        "incomplete_class",
        "complete",
        what,
        `one of them may be its extremum: ${why}`,
        READ_THEM,
      );
    });
}

/** Whatever the total says, a record that is not there may be the largest. */
export const READ_THEM =
  "have them read: a joined key tells namesakes apart (`key`), `read`, `nulls` and `number` say how cells are written, `rows: [{ keep, reason }]` leaves out what is none of the table; or mend the file";

/** Objections to a column's declarations, whatever its values are. */
export function columnDeclarations(id: string, column: ColumnCard, known: ReadonlySet<string>): Objection[] {
  return [
    ...marginObjections(id, column),
    ...wordObjections(id, column),
    ...quantityObjections(id, column, known),
  ];
}

function marginObjections(id: string, column: ColumnCard): Objection[] {
  const { scale, drift, uncertainty, may } = column;
  const found: Objection[] = [];
  if (
    may.includes("select") &&
    drift === undefined &&
    scale !== "exact" &&
    scale !== "flag" &&
    scale !== "nominal"
  ) {
    const why =
      "an entity that wins here by less than sources differ loses in another source, and the answer is wrong there";
    found.push(
      warning(
        "no_drift",
        id,
        "it may select, and no drift is declared",
        why,
        "say how far published values differ: `drift: { relative: ... }`",
      ),
    );
  }
  if (scale === "interval" || scale === "log") {
    const relative = [
      drift?.relative !== undefined ? "drift" : "",
      uncertainty !== undefined && "relative" in uncertainty && uncertainty.relative !== undefined
        ? "uncertainty"
        : "",
    ].filter((t) => t !== "");
    if (relative.length > 0)
      found.push(
        warning(
          "relative_margin",
          id,
          `the ${relative.join(" and the ")} of a column of scale ${scale} is relative`,
          "its zero is a convention: 1 % of 2000 is 20 years, 1 % of 0 °C nothing",
          "give `absolute`",
        ),
      );
  }
  return found;
}

/** Nouns of which there are several, and what would tell them apart. */
const AMBIGUOUS: readonly (readonly [RegExp, string])[] = [
  [/\bradius\b|\bdiameter\b/, "mean, equatorial or polar?"],
  [/\bperiod\b/, "sidereal or synodic?"],
  [/\btemperature\b/, "mean, effective, of the surface?"],
  [/\bmagnitude\b/, "absolute or apparent, in which band?"],
  [/\blength of day\b|\bday\b/, "solar or sidereal?"],
  [/\bpopulation\b/, "of the city proper or the agglomeration, in which year?"],
  [/\barea\b/, "with or without water?"],
  [/\belevation\b|\bheight\b/, "above what?"],
  [/\bdistance\b/, "from what, mean or now?"],
  [/\bmass\b|\bweight\b/, "of what, in which state?"],
  [/\bage\b|\blongevity\b|\blifespan\b/, "mean or maximum, in the wild or in captivity?"],
];

function wordObjections(id: string, column: ColumnCard): Objection[] {
  const found: Objection[] = [];
  if (column.may.length === 0) return found;
  const noun = column.phrase?.noun ?? id.replaceAll("_", " ");
  const question = AMBIGUOUS.find(([word]) => word.test(noun))?.[1];
  const narrowed =
    /mean|equatorial|polar|sidereal|synodic|absolute|apparent|effective|maximum|land|total|orbital|rotation/.test(
      noun,
    );
  if (question !== undefined && column.phrase?.definition === undefined && !(narrowed && noun.includes(" ")))
    found.push(
      remark(
        "no_definition",
        id,
        `"${noun}" is not defined: ${question}`,
        "a solver may take another one, and be right",
        `\`phrase: { noun: ${flow(noun)}, definition: ... }\`, which questions then say`,
      ),
    );
  if (column.type === "flag" && column.phrase?.true === undefined)
    found.push(
      warning(
        "no_words",
        id,
        "a flag without phrases",
        "a question cannot say what it means to have it or not",
        `\`phrase: { noun: ${flow(noun)}, true: [that has ...], false: [without ...] }\``,
      ),
    );
  if (column.type === "text" && column.may.includes("filter") && column.phrase?.values === undefined)
    found.push(
      remark(
        "no_words",
        id,
        "its values have no phrases",
        `questions say "with the ${noun} VALUE", which may read badly`,
        `\`phrase: { noun: ${flow(noun)}, values: { VALUE: [of that kind] } }\``,
      ),
    );
  return found;
}

function quantityObjections(id: string, column: ColumnCard, known: ReadonlySet<string>): Objection[] {
  const { quantity } = column;
  if (quantity !== undefined && !known.has(quantity))
    return [
      remark(
        "unused_quantity",
        id,
        `no built-in formula takes the quantity \`${quantity}\``,
        "it feeds no answer, unless a config brings a formula that takes it",
        "see docs/formulas.md for the quantities, or give a formula in the config",
      ),
    ];
  return [];
}
