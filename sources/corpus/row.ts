import { excerpt, sourceError } from "../problems.js";
import type { Document } from "./corpus.js";
import { readHtml } from "./html.js";
import { titleOf } from "./title.js";

/** What a row of a Parquet or JSON Lines file may hold of a document; further fields are passed over. */
export const FIELDS = ["url", "title", "text", "html", "licence"] as const;
export type Field = (typeof FIELDS)[number];

/** A row as it was read, and its place for messages. */
export interface Row {
  readonly fields: Readonly<Partial<Record<Field, unknown>>>;
  /** e.g. `line 17` */
  readonly where: string;
}

/**
 * The document of a row: `text` as it is, else `html` read.
 * @param place file and row, for messages
 * @param address its own, if it names none
 * @throws TaskmillError (source) for a field that is no text, and when there is neither text nor HTML
 */
export function documentOf(fields: Row["fields"], place: string, address: string): Document {
  const url = textIn(fields, "url", place)?.trim() || address;
  const title = textIn(fields, "title", place)?.trim() ?? "";
  const licence = textIn(fields, "licence", place)?.trim();
  const own = licence ? { licence } : {};
  const text = textIn(fields, "text", place);
  if (text !== undefined) return { url, title: title || titleOf(text, url), text, ...own };
  const html = textIn(fields, "html", place);
  if (html === undefined) {
    return sourceError("no_text", `${place}: a document without \`text\` or \`html\``, {
      hint: "each row needs one of the two; `url` and `title` may be left out",
    });
  }
  const page = readHtml(html, url);
  return { url, title: title || page.title || titleOf(page.text, url), text: page.text, ...own };
}

function textIn(fields: Row["fields"], field: Field, place: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  const shown = excerpt(JSON.stringify(value) ?? typeof value, 40);
  return sourceError("bad_field", `${place}: \`${field}\` is not a text but ${shown}`, {
    hint: "`url`, `title`, `text`, `html` and `licence` are texts, or null",
  });
}
