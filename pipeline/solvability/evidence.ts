import type { Document } from "../../sources/corpus/corpus.js";
import type { Catalog } from "../../sources/table.js";
import type { Firewall } from "../../verifiers/firewall/firewall.js";
import { type Named, Names, titleSubjects } from "../../verifiers/readable/names.js";
import { type Passage, passagesOf } from "../../verifiers/readable/passages.js";
import { statesPhrase, statesSuperlative } from "../../verifiers/readable/phrases.js";
import { readValue } from "../../verifiers/readable/values.js";
import { canonicalJson } from "../base/canonical.js";
import type { Need } from "./needs.js";
import { linkWanted, type Wanted, type WantedSuperlative, wantedOf } from "./wanted.js";

/**
 * Looks for facts in a corpus. All facts are known before, so that each document is read once and forgotten: memory holds the facts
 * and one document, however large the corpus.
 */

/** Where something stands. */
export interface Evidence {
  readonly url: string;
  readonly excerpt: string;
}

interface Fact {
  readonly wanted: readonly Wanted[];
  evidence: Evidence | undefined;
}

interface Superlative {
  readonly wanted: WantedSuperlative;
  evidence: Evidence | undefined;
}

/** Facts and superlatives of one entity that are still looked for. */
interface Sought {
  readonly facts: Set<Fact>;
  readonly superlatives: Set<Superlative>;
}

const PRONOUN = /^(?:it|its|this)\b/i;

const keyOf = ({ table, row, column, to }: Need): string =>
  `${table} ${column} ${row}${to === undefined ? "" : ` to ${to.table}`}`;

const superlativeKey = (table: string, row: number, wanted: WantedSuperlative): string =>
  `${table} ${row} ${canonicalJson(wanted)}`;

export class EvidenceSearch {
  private readonly facts = new Map<string, Fact>();
  private readonly superlatives = new Map<string, Superlative>();
  /** By entity number, as `names` has them. */
  private readonly sought = new Map<number, Sought>();
  private readonly offsets = new Map<string, number>();
  private readonly names: Names;

  constructor(private readonly catalog: Catalog) {
    const entities: Named[] = [];
    const tables = [...catalog.tables.values()];
    const common = tables
      .flatMap(({ card }) => [card.entity.singular, card.entity.plural])
      .map((n) => n.toLowerCase());
    for (const { id, keys, names, aliases } of tables) {
      this.offsets.set(id, entities.length);
      keys.forEach((_, row) => {
        const all = [names[row]!, ...aliases[row]!];
        entities.push({ names: all, asWritten: all.filter((n) => common.includes(n.toLowerCase())) });
      });
    }
    this.names = new Names(entities);
  }

  /** From now on what a task needs is looked for; each cell once, whoever needs it. */
  want(need: Need): void {
    const key = keyOf(need);
    if (this.facts.has(key)) return;
    const { tables } = this.catalog;
    const { table, row, column, to } = need;
    const wanted =
      to === undefined
        ? wantedOf(tables.get(table)!.columns.get(column)!, row)
        : linkWanted(tables.get(to.table)!, to.row);
    const fact = { wanted, evidence: undefined };
    this.facts.set(key, fact);
    // What is unknown stands nowhere.
    if (wanted.length > 0) this.of(table, row).facts.add(fact);
  }

  evidence(need: Need): Evidence | undefined {
    return this.facts.get(keyOf(need))?.evidence;
  }

  /** From now on a superlative that is said of an entity is looked for. */
  wantSuperlative(table: string, row: number, wanted: WantedSuperlative): void {
    const key = superlativeKey(table, row, wanted);
    if (this.superlatives.has(key)) return;
    const superlative = { wanted, evidence: undefined };
    this.superlatives.set(key, superlative);
    this.of(table, row).superlatives.add(superlative);
  }

  superlative(table: string, row: number, wanted: WantedSuperlative): Evidence | undefined {
    return this.superlatives.get(superlativeKey(table, row, wanted))?.evidence;
  }

  private of(table: string, row: number): Sought {
    const entity = this.offsets.get(table)! + row;
    let sought = this.sought.get(entity);
    if (sought === undefined) {
      sought = { facts: new Set(), superlatives: new Set() };
      this.sought.set(entity, sought);
    }
    return sought;
  }

  /** Reads one document. */
  read({ url, title, text }: Document): void {
    const subject = titleSubjects(title)
      .map((name) => this.names.exactly(name))
      .find((entities) => entities.length > 0);
    for (const passage of passagesOf(text)) {
      const about = this.about(passage, subject ?? []);
      for (const entity of about.entities) {
        const sought = this.sought.get(entity);
        if (sought !== undefined) this.look(passage, sought, about.subject.has(entity), url);
      }
    }
  }

  /**
   * Whom a passage is about. A row of a table: whose name is a whole cell, else the page's subject. A sentence: all whom it names, and
   * the page's subject; what it says in words is said of the one it names first, or, if it names none or begins with a pronoun, of the
   * page's subject.
   */
  private about(
    passage: Passage,
    page: readonly number[],
  ): { entities: ReadonlySet<number>; subject: ReadonlySet<number> } {
    if (passage.kind === "row") {
      const named = passage.cells.map((c) => this.names.exactly(c.text)).find((e) => e.length > 0) ?? page;
      const entities = new Set(named);
      return { entities, subject: entities };
    }
    const mentions = this.names.mentions(passage.text);
    const entities = new Set([...page, ...mentions.flatMap((m) => m.entities)]);
    const first = page.length > 0 && PRONOUN.test(passage.text) ? page : (mentions[0]?.entities ?? page);
    return { entities, subject: new Set(first) };
  }

  private look(passage: Passage, { facts, superlatives }: Sought, subject: boolean, url: string): void {
    for (const fact of facts) {
      const excerpt = excerptFor(passage, fact.wanted, subject);
      if (excerpt === undefined) continue;
      fact.evidence = { url, excerpt };
      facts.delete(fact);
    }
    if (!subject) return;
    for (const superlative of superlatives) {
      const { superlatives: said, nouns, conditions } = superlative.wanted;
      if (!statesSuperlative(passage.text, said, nouns, conditions)) continue;
      superlative.evidence = { url, excerpt: passage.text };
      superlatives.delete(superlative);
    }
  }
}

function excerptFor(passage: Passage, wanted: readonly Wanted[], subject: boolean): string | undefined {
  for (const one of wanted) {
    if (one.kind === "value") {
      const reading = readValue(passage, one);
      if (reading !== undefined) return reading.excerpt;
    } else if (subject && statesPhrase(withHeadings(passage), one)) return passage.text;
  }
  return undefined;
}

function withHeadings(passage: Passage): string {
  if (passage.kind === "prose") return passage.text;
  return passage.cells.map((c) => `${c.heading} ${c.text}`).join(" ");
}

/** Documents that were read and those that the firewall keeps back, by its rules. */
export interface Reading {
  readonly documents: number;
  readonly blocked: Readonly<Record<string, number>>;
}

/** Reads all documents behind a firewall: what is blocked, and what copies a construction table, is evidence of nothing. */
export async function readCorpus(
  corpus: AsyncIterable<Document>,
  firewall: Firewall,
  search: EvidenceSearch,
  signal?: AbortSignal,
): Promise<Reading> {
  const blocked = new Map<string, number>();
  let documents = 0;
  for await (const document of corpus) {
    signal?.throwIfAborted();
    documents++;
    const rule = firewall.blocks(document.url) ?? firewall.copies(document.text, document.url);
    if (rule === undefined) search.read(document);
    else blocked.set(rule, (blocked.get(rule) ?? 0) + 1);
  }
  return { documents, blocked: Object.fromEntries([...blocked].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
