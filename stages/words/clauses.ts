import type { Card, Condition } from "../../sources/card.js";
import { amount, amounts } from "./amounts.js";
import { type ColumnWords, columnWords, type Definitions } from "./columns.js";
import { agree, article, list, numberWord } from "./english.js";
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
  /** How superlatives are said, where another one by the same column has set it. */
  readonly by?: "adjective" | "noun" | undefined;
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
  if (column.counted !== undefined && definitions.has(column) && Number.isInteger(value) && value > 1) {
    const many = voice.pick(slot, COUNTING[op]);
    return { form: "with", text: `${many} ${small(value, voice)} ${column.counted}` };
  }
  const done = column.event;
  if (done !== undefined) return { form: "bare", text: `${done} ${voice.pick(slot, DATED[op])} ${value}` };
  const manner = column.manner === "count" ? "any" : column.manner;
  const said = amount(value, column.unit, voice);
  if (column.part !== undefined && definitions.has(column)) {
    return {
      form: "whose",
      text: `${column.part.of} has ${article(column.part.head)} ${column.part.head} ${voice.pick(slot, WITH[op].any)} ${said}`,
    };
  }
  if (prefer === "with" && manner !== "year" && column.counted === undefined) {
    const ways = manner === "any" ? WITH[op].any : [...WITH[op].any, ...WITH[op][manner]];
    return { form: "with", text: `${definitions.withArticle(column)} ${voice.pick(slot, ways)} ${said}` };
  }
  const own = manner === "any" ? [] : WHOSE[op][manner];
  const ways = manner === "year" && own.length > 0 ? own : [...WHOSE[op].any, ...own];
  return { form: "whose", text: `${definitions.noun(column)} ${voice.pick(slot, ways)} ${said}` };
}

/** A small count in words, a larger one in digits. */
function small(value: number, voice: Voice): string {
  return value <= 10 ? numberWord(value) : amount(value, "1", voice);
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
  if (column.part !== undefined && definitions.has(column)) {
    return {
      form: "whose",
      text: `${column.part.of} has ${article(column.part.head)} ${column.part.head} between ${both}${inclusive}`,
    };
  }
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
const ADJECTIVE =
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
  if (column.counted !== undefined && numbers.length === 1 && numbers[0] === 0)
    return { form: "with", text: `no ${column.counted}` };
  if (column.counted !== undefined && numbers.length === 1 && numbers[0]! > 1) {
    return { form: "with", text: `exactly ${small(numbers[0]!, voice)} ${column.counted}` };
  }
  if (column.part !== undefined && definitions.has(column)) {
    return { form: "whose", text: `${column.part.of} has ${column.part.head} ${said}` };
  }
  const plainNoun = column.counted === undefined && !/ (?:in|of|to|at|on) /.test(column.noun);
  if (prefer === "with" && plainNoun && column.manner !== "year" && definitions.has(column)) {
    // "With a type of arch" would be a kind of arch: a text is quoted behind its column.
    const texts = `the ${column.noun} ${list(values.map(String).map(quoted), "or")}`;
    if (numbers.length === 0) return { form: "bare", text: `of ${texts}` };
    const way = voice.pick(slot, [`${column.noun} ${said}`, `${definitions.withArticle(column)} of ${said}`]);
    return { form: "with", text: way };
  }
  // Only numbers are equal to something.
  if (numbers.length === 0) return { form: "whose", text: `${definitions.noun(column)} is ${said}` };
  return {
    form: "whose",
    text: `${definitions.noun(column)} ${voice.pick(slot, ["is", "equals", "is"])} ${said}`,
  };
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
 * A noun with all that is said of it: "planets of the Solar System with a mass above 10²⁴ kg that have a ring system". Where the
 * scope itself says "with", classes come before it and what else would be "with" becomes "that have".
 */
export function modified(noun: string, scope: string, clauses: readonly Clause[], many: boolean): string {
  const of = (form: Clause["form"]) => clauses.filter((c) => c.form === form).map((c) => c.text);
  const scopeHas = scope.startsWith("with ");
  const bare = adjuncts(of("bare"));
  const withs = of("with");
  const lacking = of("bare").some((text) => text.startsWith("without "));
  const relative = [
    ...(scopeHas && withs.length > 0 ? [`that ${agree(`has ${list(withs)}`, many)}`] : []),
    ...sharedVerb(of("that").map((text) => agree(text, many))).map((text) => `that ${text}`),
    ...of("whose").map((text) => `whose ${text}`),
  ];
  const parts = scopeHas || scope.startsWith("(") ? [noun, ...bare, scope] : [noun, scope, ...bare];
  const joined = withs.length > 0 && !scopeHas;
  if (joined) parts.push(`${lacking ? "and with" : "with"} ${list(withs)}`);
  if (relative.length > 0) parts.push(relativeClauses(relative, joined || lacking));
  return parts.filter((part) => part !== "").join(" ");
}

/** "are planar and regular" of "are planar" and "are regular"; after a "not" the verb is said again. */
function sharedVerb(texts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const [, verb, rest] = /^(is|are) ((?:not )?\w+)$/.exec(text) ?? [];
    const before = joined.at(-1) ?? "";
    const shares = verb !== undefined && new RegExp(`^${verb} (?!not )\\w+$`).test(before);
    if (shares) joined[joined.length - 1] = `${before} and ${rest}`;
    else joined.push(text);
  }
  return joined;
}

function adjuncts(texts: readonly string[]): string[] {
  return texts.map((text, i) => (i === 0 ? text : `and ${text}`));
}

function relativeClauses(clauses: readonly string[], follows: boolean): string {
  const joined = list(clauses);
  return follows && joined.startsWith("whose") ? `and ${joined}` : joined;
}

/**
 * All conditions of a program as clauses. Phrases of flags and classes come first; where one of them says "with" or "without",
 * the measured ones follow as "with ..." too, as "with a ring system whose mass" would speak of the rings' mass.
 */
export function clausesOf(where: readonly Condition[], speech: Speech): Clause[] {
  const { card, voice } = speech;
  const worded = (c: Condition) => c.op === "is" || c.op === "eq" || c.op === "in";
  const ordered = [...where.filter(worded), ...where.filter((c) => !worded(c))];
  const drawn = voice.named("conditions", ["with", "whose"]);
  const prefer = where.some((c) => isCounted(card, c))
    ? "with"
    : where.some((c) => c.op === "starts_with")
      ? "whose"
      : drawn;
  const clauses: Clause[] = [];
  for (const condition of ordered) {
    const tied = clauses.some((c) => c.form === "with" || c.text.startsWith("without "));
    const slot = `condition.${condition.column}`;
    const before = where.filter((c) => c.column === condition.column).indexOf(condition);
    clauses.push(
      clauseOf(condition, before === 0 ? slot : `${slot}.${before}`, tied ? "with" : prefer, speech),
    );
  }
  return clauses;
}

/** Whether a condition will read "with more than three moons". */
function isCounted(card: Card, condition: Condition): boolean {
  const number = "value" in condition && typeof condition.value === "number" ? condition.value : 0;
  return (
    condition.op !== "between" && number > 1 && columnWords(card, condition.column).counted !== undefined
  );
}
