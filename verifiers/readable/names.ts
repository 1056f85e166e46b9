/** Which entities a text names: a dictionary of names, looked up word by word. */
import { plainText, type Word, wordsOf } from "../plain-text.js";

/** An entity that may be named in many ways. */
export interface Named {
  readonly names: readonly string[];
  /** Names that are common words too ("moon"): they count only as they are written, in this case. */
  readonly asWritten?: readonly string[];
}

/** A name found. */
export interface Mention {
  /** Numbers of the entities that bear it, ascending. */
  readonly entities: readonly number[];
  readonly start: number;
  readonly end: number;
}

interface Entry {
  readonly words: readonly string[];
  readonly raw: string | undefined;
  readonly entity: number;
}

/** Up to this length a folded name could be another word: io, Io, IO. */
const SHORT = 3;

/** Names of entities, numbered in the order given. */
export class Names {
  /** By first word, longest names first. */
  private readonly entries = new Map<string, Entry[]>();

  constructor(entities: readonly Named[]) {
    entities.forEach((entity, i) => {
      for (const name of new Set(entity.names)) this.add(name, i, entity.asWritten?.includes(name) ?? false);
    });
    for (const list of this.entries.values())
      list.sort((a, b) => b.words.length - a.words.length || a.entity - b.entity);
  }

  private add(name: string, entity: number, asWritten: boolean): void {
    const words = wordsOf(plainText(name));
    if (words.length === 0) return;
    const folded = words.map((w) => w.folded);
    const exact = asWritten || folded.join("").length <= SHORT;
    const entry = { words: folded, raw: exact ? words.map((w) => w.raw).join(" ") : undefined, entity };
    const list = this.entries.get(folded[0]!);
    if (list === undefined) this.entries.set(folded[0]!, [entry]);
    else list.push(entry);
  }

  /** Names in a plain text, leftmost and longest first, none inside another. */
  mentions(plain: string, words: readonly Word[] = wordsOf(plain)): Mention[] {
    const found: Mention[] = [];
    for (let i = 0; i < words.length; ) {
      const mention = this.at(words, i);
      if (mention === undefined) i++;
      else {
        found.push(mention.mention);
        i += mention.length;
      }
    }
    return found;
  }

  /** Entities whose name is the whole of a plain text. */
  exactly(plain: string): readonly number[] {
    const words = wordsOf(plain);
    const found = this.at(words, 0);
    return found?.length === words.length ? found.mention.entities : [];
  }

  private at(words: readonly Word[], i: number): { mention: Mention; length: number } | undefined {
    const first = words[i];
    const list = first === undefined ? undefined : this.entries.get(first.folded);
    if (first === undefined || list === undefined) return undefined;
    let length = 0;
    const entities = new Set<number>();
    for (const entry of list) {
      if (entry.words.length < length) break;
      if (!fits(entry, words, i)) continue;
      length = entry.words.length;
      entities.add(entry.entity);
    }
    if (length === 0) return undefined;
    const end = words[i + length - 1]!.end;
    return { mention: { entities: [...entities].sort((a, b) => a - b), start: first.start, end }, length };
  }
}

/** Whether the words of a name stand here, with nothing but marks between them. */
function fits({ words: name, raw }: Entry, words: readonly Word[], i: number): boolean {
  if (i + name.length > words.length) return false;
  for (let k = 0; k < name.length; k++) {
    if (words[i + k]!.folded !== name[k]) return false;
    if (k > 0 && words[i + k]!.start - words[i + k - 1]!.end > 2) return false;
  }
  if (raw === undefined) return true;
  return (
    words
      .slice(i, i + name.length)
      .map((w) => w.raw)
      .join(" ") === raw
  );
}

/**
 * What a page may be about by its title, the whole of it first: "Uranus (planet)", "Uranus: orbit" and "The Uranus" name Uranus too,
 * "Moons of Uranus" does not.
 */
export function titleSubjects(title: string): string[] {
  const whole = plainText(title).trim();
  const short = whole
    .replace(/\([^()]*\)/g, " ")
    .split(/:| [-–—|] /, 1)[0]!
    .trim()
    .replace(/^the /i, "");
  return [whole, short];
}
