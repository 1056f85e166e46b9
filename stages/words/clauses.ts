import type { Card, Condition } from "../../sources/card.js";
import { amount, amounts } from "./amounts.js";
import { type ColumnWords, columnWords, type Definitions } from "./columns.js";
import { article, list, numberWord, singular } from "./english.js";
import type { Bound } from "./scope.js";
import type { Voice } from "./voice.js";

/**
 * A condition as a part of speech: `with` a noun phrase, `that` a verb phrase for one thing, `whose` a clause, or an adjunct
 * that follows the noun as it is ("in the main belt", "without a ring system").
 */
export interface Clause {
  readonly form: "with" | "that" | "whose" | "bare";
  readonly text: string;
}

/** Comparatives after "with a mass" and after "whose mass", by operator and manner. */
const WITH: Readonly<
  Record<
    "gt" | "lt" | "ge" | "le",
    Readonly<Record<"any" | "size" | "time" | "level" | "year", readonly string[]>>
  >
> = {
  gt: {
    any: ["above", "greater than", "of more than", "exceeding"],
    size: ["larger than"],
    time: ["longer than", "of more than"],
    level: ["higher than"],
    year: [],
  },
  lt: {
    any: ["below", "of less than", "under"],
    size: ["smaller than"],
    time: ["shorter than"],
    level: ["lower than"],
    year: [],
  },
  ge: { any: ["of at least", "of no less than"], size: [], time: [], level: [], year: [] },
  le: { any: ["of at most", "of no more than"], size: [], time: [], level: [], year: [] },
};
const WHOSE: typeof WITH = {
  gt: {
    any: ["is above", "exceeds", "is greater than", "is more than"],
    size: ["is larger than"],
    time: ["is longer than"],
    level: ["is higher than"],
    year: ["is later than", "is after"],
  },
  lt: {
    any: ["is below", "is less than", "is under"],
    size: ["is smaller than"],
    time: ["is shorter than"],
    level: ["is lower than"],
    year: ["is earlier than", "is before"],
  },
  ge: {
    any: ["is at least", "is no less than", "is not below"],
    size: [],
    time: [],
    level: [],
    year: ["is no earlier than"],
  },
  le: {
    any: ["is at most", "is no more than", "does not exceed"],
    size: [],
    time: [],
    level: [],
    year: ["is no later than"],
  },
};
/** "with more than three moons". */
const COUNTING = {
  gt: ["more than"],
  lt: ["fewer than"],
  ge: ["at least"],
  le: ["at most", "no more than"],
} as const;

/** "discovered after 1900". */
const DATED = {
  gt: ["after", "later than"],
  lt: ["before", "earlier than"],
  ge: ["in or after"],
  le: ["in or before"],
} as const;

/** What the words of a question share. */
export interface Speech {
  readonly card: Card;
  readonly voice: Voice;
  readonly definitions: Definitions;
  /** How superlatives are said, where another one has set it. */
  readonly by?: "adjective" | "noun" | undefined;
  /** The bound of a column that the scope leaves to the condition on it. */
  readonly bound?: Bound | undefined;
}

/** The words of a condition. `prefer` is the part of speech that measured conditions take in this question. */
export function clauseOf(
  condition: Condition,
  slot: string,
  prefer: "with" | "whose",
  speech: Speech,
): Clause {
  const { card, voice } = speech;
  const column = columnWords(card, condition.column);
  switch (condition.op) {
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return compare(condition.op, condition.value, column, slot, prefer, speech);
    case "between":
      return between(condition.low, condition.high, column, slot, prefer, speech);
    case "is":
      return flag(condition.column, condition.value, slot, speech);
    case "known":
      return known(column, prefer, speech);
    case "starts_with": {
      const verb = voice.pick(slot, ["starts with", "begins with"]);
      return {
        form: "whose",
        text: `${speech.definitions.noun(column)} ${verb} ${list(condition.values.map(quoted), "or")}`,
      };
    }
    case "eq":
      return equal([condition.value], column, slot, prefer, speech);
    case "in":
      return equal(condition.values, column, slot, prefer, speech);
  }
}

const quoted = (text: string): string => `“${text}”`;

function compare(
  op: "lt" | "le" | "gt" | "ge",
  value: number,
  column: ColumnWords,
  slot: string,
  prefer: "with" | "whose",
  { voice, definitions }: Speech,
): Clause {
  if (column.counted !== undefined && definitions.has(column) && Number.isInteger(value) && value > 0) {
    const many = voice.pick(slot, COUNTING[op]);
    return { form: "with", text: `${many} ${things([value], column.counted, voice)}` };
  }
  const done = column.event;
  if (done !== undefined) return { form: "bare", text: `${done} ${voice.pick(slot, DATED[op])} ${value}` };
  const manner = column.manner === "count" ? "any" : column.manner;
  const said = amount(value, column.unit, voice);
  if (column.part !== undefined && definitions.has(column))
    return partClause(column, `${voice.pick(slot, WITH[op].any)} ${said}`, prefer);
  if (prefer === "with" && manner !== "year" && column.counted === undefined) {
    const ways = manner === "any" ? WITH[op].any : [...WITH[op].any, ...WITH[op][manner]];
    return { form: "with", text: `${definitions.withArticle(column)} ${voice.pick(slot, ways)} ${said}` };
  }
  const own = manner === "any" ? [] : WHOSE[op][manner];
  const ways = manner === "year" && own.length > 0 ? own : [...WHOSE[op].any, ...own];
  return { form: "whose", text: `${definitions.noun(column)} ${voice.pick(slot, ways)} ${said}` };
}

/** "two or three land neighbours", "one land neighbour", "48 spanning trees": small counts in words. */
function things(counts: readonly number[], counted: string, voice: Voice): string {
  const said = counts.map((n) => (n <= 10 ? numberWord(n) : amount(n, "1", voice)));
  return `${list(said, "or")} ${counts.at(-1) === 1 ? singular(counted) : counted}`;
}

/** "whose centre has an order above 3", or, beside other things that are had, "a centre of order above 3". */
function partClause(column: ColumnWords, compared: string, prefer: "with" | "whose"): Clause {
  const { head, of } = column.part!;
  const bare = compared.replace(/^of /, "");
  const number = column.exact && column.unit === "1";
  // "A longest runway" is none.
  if (prefer === "whose" || /^(?:most|least|\w+est)\b/.test(of)) {
    const text = number && /^\d/.test(bare) ? `${head} ${bare}` : `${article(head)} ${head} ${compared}`;
    return { form: "whose", text: `${of} has ${text}` };
  }
  const text = number ? `of ${head} ${bare}` : `with ${article(head)} ${head} ${compared}`;
  return { form: "with", text: `${article(of)} ${of} ${text}` };
}

function between(
  low: number,
  high: number,
  column: ColumnWords,
  slot: string,
  prefer: "with" | "whose",
  speech: Speech,
): Clause {
  // "an atomic number between 80 and 81 inclusive" is one of two numbers.
  if (column.exact && column.unit === "1" && high - low === 1 && Number.isInteger(low))
    return equal([low, high], column, slot, prefer, speech);
  const { voice, definitions } = speech;
  const done = column.event;
  if (done !== undefined) return { form: "bare", text: `${done} between ${low} and ${high} inclusive` };
  const inclusive = column.exact ? " inclusive" : "";
  const both = amounts([low, high], column.unit, voice, "and");
  const range = amounts([low, high], column.unit, voice, "to");
  if (column.counted !== undefined && definitions.has(column))
    return { form: "with", text: `between ${both} ${column.counted}${inclusive}` };
  if (column.part !== undefined && definitions.has(column))
    return partClause(column, `between ${both}${inclusive}`, prefer);
  if (prefer === "with" && column.manner !== "year" && column.counted === undefined) {
    const way = voice.pick(slot, [`between ${both}`, `of ${range}`, `between ${both}`]);
    return { form: "with", text: `${definitions.withArticle(column)} ${way}${inclusive}` };
  }
  const ways = [`is between ${both}`, `lies between ${both}`, `is in the range from ${range}`];
  return { form: "whose", text: `${definitions.noun(column)} ${voice.pick(slot, ways)}${inclusive}` };
}

/** A card's own phrase, taken apart: "that has a ring system", "with a ring system", "in the main belt". */
export function phraseClause(phrase: string): Clause {
  const [, word, rest] = /^(that|which|who|whose|with) (.+)$/.exec(phrase) ?? [];
  if (word === undefined) return { form: "bare", text: phrase };
  const form = word === "whose" ? "whose" : word === "with" ? "with" : "that";
  return { form, text: rest! };
}

function flag(id: string, value: boolean, slot: string, { card, voice, definitions }: Speech): Clause {
  const phrase = card.columns[id]!.phrase;
  const own = value ? phrase?.true : phrase?.false;
  if (own !== undefined && own.length > 0) return phraseClause(voice.pick(slot, own));
  const column = columnWords(card, id);
  const noun = definitions.noun(column);
  if (phrase?.article !== undefined && phrase.article !== "") {
    return value
      ? { form: "with", text: `${column.article} ${noun}` }
      : { form: "bare", text: `without ${column.article} ${noun}` };
  }
  const named = /^(has|is) (.+)$/.exec(noun);
  if (named?.[1] === "has") {
    const thing = one(named[2]!, isMany(column.noun));
    return { form: "that", text: value ? `has ${thing}` : `does not have ${thing}` };
  }
  // "ring system" is something to have, "solvable" something to be.
  if (named === null && isThing(column.noun)) {
    const thing = one(noun, isMany(column.noun));
    return value ? { form: "with", text: thing } : { form: "bare", text: `without ${thing}` };
  }
  return { form: "that", text: `is ${value ? "" : "not "}${named?.[2] ?? noun}` };
}

/** Endings of adjectives, and adjectives without one. */
export const ADJECTIVE =
  /(?:al|ic|ar|ed|ive|ous|ble|ian|ary|ful|less|ant|ent|[a-z]{3}ing|ct)$|^(?:prime|simple|urban|open|free|rare|even|odd|new|old|big|known|alone)$/;

/** Whether a flag's bare name reads as a noun: its last word tells. */
const isThing = (noun: string): boolean => !ADJECTIVE.test(noun.split(" ").at(-1)!);

const isMany = (noun: string): boolean => /[^s]s$/.test(noun) && !/(?:us|is)$/.test(noun);

/** "A ring system", "rings". */
const one = (noun: string, many = isMany(noun)): string => (many ? noun : `${article(noun)} ${noun}`);

function known(column: ColumnWords, prefer: "with" | "whose", { definitions }: Speech): Clause {
  if (prefer === "with" && definitions.has(column) && column.article !== "the") {
    return { form: "with", text: `a known ${column.noun}` };
  }
  return { form: "whose", text: `${definitions.noun(column)} is known` };
}

function equal(
  values: readonly (string | number)[],
  column: ColumnWords,
  slot: string,
  prefer: "with" | "whose",
  speech: Speech,
): Clause {
  const { card, voice, definitions } = speech;
  const phrases = card.columns[column.id]!.phrase?.values;
  const own = values.map((v) => phrases?.[String(v)]?.map(phraseClause));
  if (own.every((ways) => ways !== undefined))
    return oneOf(
      own.map((ways) => fitting(ways, card.entity.scope)),
      slot,
      voice,
    );
  const numbers = values.filter((v) => typeof v === "number");
  const said =
    numbers.length === values.length
      ? amounts(numbers, column.unit, voice, "or")
      : list(values.map(String), "or");
  const done = column.event;
  if (done !== undefined) return { form: "bare", text: `${done} in ${said}` };
  if (column.counted !== undefined && numbers.length > 0) return counting(numbers, column.counted, voice);
  if (column.part !== undefined && definitions.has(column))
    return numbers.length > 0
      ? partClause(column, `of ${said}`, prefer)
      : { form: "whose", text: `${column.part.of} has ${column.part.head} ${said}` };
  if (prefer === "with" && column.manner !== "year" && definitions.has(column)) {
    // "With a type of arch" would be a kind of arch: a text is quoted behind its column.
    const texts = `the ${column.noun} ${list(values.map(String).map(quoted), "or")}`;
    if (numbers.length === 0) return { form: "bare", text: `of ${texts}` };
    const long = / (?:in|of|to|at|on) /.test(column.noun);
    const ways = long
      ? [`${definitions.withArticle(column)} equal to ${said}`]
      : [`${column.noun} ${said}`, `${definitions.withArticle(column)} of ${said}`];
    return { form: "with", text: voice.pick(slot, ways) };
  }
  // Only numbers are equal to something.
  if (numbers.length === 0) return { form: "whose", text: `${definitions.noun(column)} is ${said}` };
  return {
    form: "whose",
    text: `${definitions.noun(column)} ${voice.pick(slot, ["is", "equals", "is"])} ${said}`,
  };
}

/** "no triangles", "exactly one triangle", "two or three triangles". */
function counting(counts: readonly number[], counted: string, voice: Voice): Clause {
  const [count] = counts;
  if (counts.length === 1 && count === 0) return { form: "with", text: `no ${counted}` };
  return { form: "with", text: `${counts.length === 1 ? "exactly " : ""}${things(counts, counted, voice)}` };
}

/** "moons of the planets that orbit Jupiter", not "moons of the planets of Jupiter": no phrase like the scope before it, if there is another. */
function fitting(ways: readonly Clause[], scope: string): readonly Clause[] {
  const first = scope.split(" ")[0];
  const others = ways.filter((c) => first === "" || c.form !== "bare" || c.text.split(" ")[0] !== first);
  return others.length > 0 ? others : ways;
}

/** One of several classes, all in the same part of speech where the card's phrases allow it. */
function oneOf(own: readonly (readonly Clause[])[], slot: string, voice: Voice): Clause {
  const shared = own[0]!
    .map((c) => c.form)
    .find((form) => own.every((ways) => ways.some((c) => c.form === form)));
  const clauses = own.map((ways, i) => {
    const alike = own.length > 1 && shared !== undefined ? ways.filter((c) => c.form === shared) : ways;
    return voice.pick(i === 0 ? slot : `${slot}.or${i}`, alike);
  });
  if (clauses.length === 1) return clauses[0]!;
  if (shared !== undefined)
    return {
      form: shared,
      text: list(
        clauses.map((c) => c.text),
        "or",
      ),
    };
  return {
    form: "that",
    text: list(
      clauses.map((c) => (c.form === "that" ? c.text : `is ${c.form === "with" ? "with " : ""}${c.text}`)),
      "or",
    ),
  };
}

/**
 * All conditions of a program as clauses. Phrases of flags and classes come first; behind them, and beside counts, the measured ones
 * are "with ..." too, as "with a ring system whose mass" would speak of the rings' mass. Beside a "whose" they all are "whose".
 */
export function clausesOf(where: readonly Condition[], speech: Speech): Clause[] {
  const { card, voice } = speech;
  const worded = (c: Condition) => c.op === "is" || c.op === "eq" || c.op === "in";
  const ordered = [...where.filter(worded), ...where.filter((c) => !worded(c))];
  const drawn = voice.named("conditions", ["with", "whose"]);
  const counted = where.some((c) => isCounted(card, c));
  const owned = where.some((c) => c.op === "starts_with");
  const clauses: Clause[] = [];
  for (const condition of ordered) {
    const tied = counted || clauses.some((c) => c.form !== "whose");
    const prefer = tied ? "with" : owned || clauses.length > 0 ? "whose" : drawn;
    const slot = `condition.${condition.column}`;
    const before = where.filter((c) => c.column === condition.column).indexOf(condition);
    const clause = clauseOf(condition, before === 0 ? slot : `${slot}.${before}`, prefer, speech);
    clauses.push(bounded(clause, condition, speech));
  }
  return clauses;
}

/** "a conductor above 960 and at most 1000", where the scope leaves its bound to the condition. */
function bounded(clause: Clause, { column, op }: Condition, { bound, card, voice }: Speech): Clause {
  if (bound?.column !== column || (op !== "gt" && op !== "ge")) return clause;
  const most = `at most ${amount(bound.at, columnWords(card, column).unit, voice)}`;
  return { ...clause, text: `${clause.text} and ${clause.form === "whose" ? "is " : ""}${most}` };
}

/** Whether a condition will read "with more than three moons". */
function isCounted(card: Card, condition: Condition): boolean {
  if (columnWords(card, condition.column).counted === undefined) return false;
  if (condition.op === "eq" || condition.op === "in" || condition.op === "between") return true;
  return "value" in condition && typeof condition.value === "number" && condition.value > 0;
}
