import { compareText } from "../../pipeline/base/canonical.js";
import type { Problem } from "../../pipeline/base/errors.js";
import { type Card, NOT_LOCKED } from "../card.js";
import { type Answer, answerOf, keepOf } from "./answer.js";
import type { FetchSpec } from "./spec.js";

type Path = readonly (string | number)[];
type Report = (path: Path, code: string, message: string, hint?: string) => void;

/** What a schema cannot see of the block `fetch`: whether its parts fit each other and how the snapshot is read. */
export function checkFetch(card: Card): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, code, message, hint) =>
    problems.push({ path, code, message, ...(hint === undefined ? {} : { hint }) });
  const { fetch } = card;
  if (fetch === undefined) checkPinned(card, report);
  else {
    checkAddress(fetch, report);
    checkHeaders(fetch, report);
    checkAnswer(card, fetch, report);
    checkPaging(fetch, answerOf(card, fetch), report);
    checkList(fetch, report);
  }
  return problems;
}

function checkPinned(card: Card, report: Report): void {
  if (card.snapshot.sha256 !== NOT_LOCKED) return;
  const hint = "`pipeline sources lock CARD` writes it; only a card with `fetch` may leave it out";
  report(["snapshot"], "missing_key", "`snapshot.sha256` is missing", hint);
}

const SECRET = /^(?:api[-_]?key|key|token|access[-_]?token|auth|password|secret)$/i;

function checkAddress({ url, query, form, method, total }: FetchSpec, report: Report): void {
  const { username, password, hash } = new URL(url);
  const at: Path = ["fetch", "url"];
  if (username !== "" || password !== "")
    report(at, "secret_in_card", "an address in a card may hold no user or password", "use `headers`");
  if (hash !== "") report(at, "bad_address", "an address to fetch from has no part behind #");
  for (const [where, values] of [
    ["query", query],
    ["form", form],
  ] as const) {
    for (const name of Object.keys(values).filter((n) => SECRET.test(n)))
      report(["fetch", where, name], "secret_in_card", `\`${name}\` looks like a key`, KEYS);
  }
  for (const name of new URL(url).searchParams.keys())
    if (SECRET.test(name)) report(at, "secret_in_card", `\`${name}\` looks like a key`, KEYS);
  if (method === "GET" && Object.keys(form).length > 0)
    report(["fetch", "form"], "form_without_post", "`form` is for `method: POST`", "GET takes `query`");
  if (total !== undefined && "url" in total && !URL.canParse(total.url, url))
    report(["fetch", "total", "url"], "bad_address", "this is no address");
}

const KEYS = "a key goes into `headers`, by the name of the environment variable that holds it";

/** Set by the exchange itself, or without a meaning for one that stands alone. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|accept|accept-encoding|if-.*|range|te|trailer|upgrade|expect|proxy-.*)$/i;

function checkHeaders({ headers }: FetchSpec, report: Report): void {
  for (const name of Object.keys(headers)) {
    const at: Path = ["fetch", "headers", name];
    if (OWN_HEADERS.test(name))
      report(at, "own_header", `the header \`${name}\` is set by the exchange itself`);
  }
}

function checkAnswer(card: Card, fetch: FetchSpec, report: Report): void {
  const { read } = card.snapshot;
  const answer = answerOf(card, fetch);
  const fits: Readonly<Record<Answer, readonly string[]>> = {
    csv: ["csv"],
    json: ["json", "ndjson"],
    ndjson: ["ndjson"],
    file: [],
  };
  const keep = keepOf(fetch);
  if (keep === "records" && !fits[answer].includes(read.format)) {
    const message =
      answer === "file"
        ? `records of the format ${read.format} cannot be put together from pages`
        : `pages of ${answer} cannot become a snapshot of the format ${read.format}`;
    report(["fetch", fetch.answer === undefined ? "keep" : "answer"], "answer_format", message, JOINS);
  }
  if (keep === "records" && read.format === "csv" && read.transposed === true)
    report(
      ["fetch", "keep"],
      "answer_format",
      "transposed tables cannot be put together from pages",
      "keep: answer",
    );
  if (
    keep === "records" &&
    "encoding" in read &&
    read.encoding?.startsWith("utf-16") &&
    read.format !== "csv"
  )
    report(
      ["snapshot", "read", "encoding"],
      "answer_format",
      "records are put together in utf-8",
      "leave `encoding` out",
    );
  if (keep === "answer" && fetch.paging !== undefined)
    report(["fetch", "keep"], "keep_pages", "with paging there is no single answer to keep", "keep: records");
  if (answer !== "json") {
    for (const key of ["records", "fields"] as const)
      if (fetch[key] !== undefined)
        report(["fetch", key], "not_json", `\`${key}\` is for JSON answers, and these are ${answer}`);
  }
}

const JOINS = "csv pages give csv; json pages give json or ndjson; ndjson pages give ndjson";

function checkPaging(fetch: FetchSpec, answer: Answer, report: Report): void {
  const { paging, total, release } = fetch;
  const needsJson = (path: Path): void => {
    if (answer === "json") return;
    report(path, "not_json", `a path leads into JSON, and these answers are ${answer}`, "use `header`");
  };
  if (paging?.by === "next_field") needsJson(["fetch", "paging", "path"]);
  if (paging?.by === "cursor" && "path" in paging.from) needsJson(["fetch", "paging", "from"]);
  if (total !== undefined && "path" in total && !("url" in total)) needsJson(["fetch", "total"]);
  if (release !== undefined && "path" in release) needsJson(["fetch", "release"]);
  if (total !== undefined && "of" in total && paging?.by !== "list")
    report(["fetch", "total"], "no_list", "`total: { of: list }` needs `paging: { by: list }`");
  for (const name of ownParameters(fetch)) {
    const where = fetch.method === "POST" && name in fetch.form ? "form" : "query";
    if (!(name in fetch[where])) continue;
    report(["fetch", where, name], "paged_twice", `\`${name}\` is set by \`paging\``, "leave it out here");
  }
}

function ownParameters({ paging }: FetchSpec): string[] {
  if (paging === undefined) return [];
  const own = "parameter" in paging ? [paging.parameter] : [];
  const size = "size_parameter" in paging ? paging.size_parameter : undefined;
  return [...own, ...(size === undefined ? [] : [size])].sort(compareText);
}

function checkList({ paging }: FetchSpec, report: Report): void {
  if (paging?.by !== "list") return;
  const given = [paging.values, paging.file, paging.range].filter((v) => v !== undefined);
  if (given.length !== 1) {
    const message = `a list needs one of \`values\`, \`file\` and \`range\`, found ${given.length}`;
    report(["fetch", "paging"], "list_values", message);
  }
  const { file, range } = paging;
  if (file !== undefined && (/^(?:[/\\]|[A-Za-z]:)/.test(file) || file.split(/[\\/]/).includes("..")))
    report(["fetch", "paging", "file"], "list_outside", "the list must lie in the card's folder");
  if (range !== undefined && (range.to < range.from || range.to - range.from >= 10_000_000))
    report(["fetch", "paging", "range"], "range_order", "a range goes up, over at most 10,000,000 values");
}
