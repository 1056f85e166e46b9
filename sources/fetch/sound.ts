import { lasting } from "./fault.js";
import type { Page } from "./store.js";

/** Refuses a page that does not belong to those before it, as soon as it is here. @throws FetchFault */
export function refuseOdd(page: Page, others: readonly Page[]): void {
  const first = others.find((other) => other.number === 1);
  if (first === undefined) return;
  refuseOtherColumns(page, first);
  if (page.release !== first.release) {
    throw lasting(
      `page ${page.number} is of the release ${String(page.release)}, page 1 of ${String(first.release)}: the data changed meanwhile`,
      "begin anew: --fresh",
    );
  }
  const same = others.find((other) => other.sha256 === page.sha256 && other.number !== page.number);
  if (same !== undefined && page.count !== 0 && page.count !== null) {
    throw lasting(
      `pages ${same.number} and ${page.number} hold the very same records: the server takes no heed of the page asked for`,
      "see `fetch.paging`: is the parameter right?",
    );
  }
}

function refuseOtherColumns(page: Page, first: Page): void {
  const [mine, theirs] = [page.columns ?? page.fields, first.columns ?? first.fields];
  // A page behind the last may be empty, without so much as a header.
  if (page.count === 0 && mine === undefined) return;
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return;
  const gone = (theirs ?? []).filter((name) => !(mine ?? []).includes(name));
  const come = (mine ?? []).filter((name) => !(theirs ?? []).includes(name));
  const list = (names: readonly string[]): string =>
    names
      .slice(0, 8)
      .map((name) => `\`${name}\``)
      .join(", ");
  const what =
    gone.length + come.length === 0
      ? "the same columns in another order"
      : [gone.length > 0 ? `no ${list(gone)}` : "", come.length > 0 ? `${list(come)} besides` : ""]
          .filter((part) => part !== "")
          .join(", and ");
  throw lasting(`page ${page.number} has ${what}, unlike page 1`, "all pages must have the same header");
}

/** The number of records that the server promised, the last that it told. @throws FetchFault when the download has another */
export function checkTotal(pages: readonly Page[], totals: readonly number[], records: number): void {
  const expected = totals.at(-1);
  if (expected === undefined || expected === records) return;
  const changed =
    new Set(totals).size > 1 ? `; it told ${[...new Set(totals)].slice(0, 5).join(", then ")}` : "";
  const short = shortPages(pages);
  const where = short.length > 0 ? `; short pages: ${short.slice(0, 5).join(", ")}` : "";
  throw lasting(
    `the server tells of ${expected} records, and ${records} came${changed}${where}`,
    "its pages are not stable: ask in the order of a unique key, and begin anew",
  );
}

/** Pages with fewer records than the first, but for the last. */
function shortPages(pages: readonly Page[]): string[] {
  const most = Math.max(0, ...pages.map((page) => page.count ?? 0));
  return pages
    .slice(0, -1)
    .filter((page) => (page.count ?? 0) < most)
    .map((page) => `${page.number} (${page.count} of ${most})`);
}
