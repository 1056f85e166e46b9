import type { Card } from "../card.js";
import { excerpt } from "../problems.js";
import { lasting } from "./fault.js";
import type { Records } from "./records.js";
import type { Page } from "./store.js";

/**
 * Judges keys that stand twice. On two pages that is what servers do whose order of records is not stable: where one came twice, another
 * was lost. On one page it is the publisher's, and the card's `on_duplicate_key` has to deal with it.
 * @returns notes. @throws FetchFault for the former
 */
export function judgeRepeated(card: Card, { repeated }: Records, pages: readonly Page[]): string[] {
  if (repeated.length === 0) return [];
  const pageOf = pageFinder(pages);
  const across = repeated.filter(({ first, again }) => pageOf(first.record) !== pageOf(again.record));
  const alike = across.filter(({ first, again }) => first.digest === again.digest);
  const unstable = card.on_duplicate_key === "fail" ? across : alike;
  if (unstable.length > 0) {
    const { key, first, again } = unstable[0]!;
    throw lasting(
      `${unstable.length} records came twice on different pages, e.g. ${name(key)} on pages ${pageOf(first.record)} and ${pageOf(again.record)}: others are lost`,
      "the server's order is not stable: ask for an order by a unique key, and begin anew",
    );
  }
  const example = repeated[0]!;
  return [
    `${repeated.length} records share their key with another, e.g. ${name(example.key)} in records ${example.first.record} and ${example.again.record}; \`on_duplicate_key: ${card.on_duplicate_key}\``,
  ];
}

function name(key: string): string {
  return JSON.stringify(excerpt(key));
}

/** The page of a record, by its number in the whole. */
function pageFinder(pages: readonly Page[]): (record: number) => number {
  const ends: number[] = [];
  let sum = 0;
  for (const { count } of pages) {
    sum += count ?? 0;
    ends.push(sum);
  }
  return (record) => {
    const index = ends.findIndex((end) => record <= end);
    return pages[index < 0 ? pages.length - 1 : index]?.number ?? 1;
  };
}
