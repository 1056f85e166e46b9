import { type FormatOf, snapshotFormat } from "../../format.js";
import { textLines } from "../../lines.js";
import type { Snapshot } from "../../snapshot.js";
import { guessEncoding, headText, linesOf } from "./bytes.js";
import type { Layout } from "./layout.js";

const HEAD = /^\[([^[\]]+)\]\s*$/;
const LINE = /^([^\s:[\]][^:]{0,80}):(?:\s|$)/;
const MAX_FIELDS = 500;

/** Lines of `name: value` under heads such as [Term], or in paragraphs; undefined for any other text. */
export async function guessStanzas(snapshot: Snapshot): Promise<Layout | undefined> {
  const { encoding, why } = await guessEncoding(snapshot);
  const lines = linesOf((await headText(snapshot, encoding)).text).filter((l) => l.trim() !== "");
  const heads = lines.flatMap((line) => HEAD.exec(line)?.[1] ?? []);
  const pairs = lines.filter((line) => LINE.test(line)).length;
  if (lines.length < 3 || (pairs + heads.length) * 10 < lines.length * 8) return undefined;
  const counts = new Map<string, number>();
  for (const head of heads) counts.set(head, (counts.get(head) ?? 0) + 1);
  const stanza = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  const obo = lines.some((line) => line.startsWith("format-version:"));
  const read = snapshotFormat.parse({
    ...{ format: "stanzas", join: "; " },
    ...(stanza === undefined ? {} : { stanza }),
    ...(obo ? { comment: "!", escapes: true } : {}),
    ...(encoding === "utf-8" ? {} : { encoding }),
  });
  const said = [
    `encoding: ${encoding} (${why})`,
    stanza === undefined
      ? "format: paragraphs of `name: value` lines"
      : `format: stanzas; the records: those under [${stanza}]`,
    "fields that come several times in a record are joined with `; `",
    ...(obo ? ["comments: from ! on, as the first lines are those of an OBO file"] : []),
  ];
  return stanzaFields(snapshot, read as FormatOf<"stanzas">, said);
}

export async function stanzaFields(
  snapshot: Snapshot,
  read: FormatOf<"stanzas">,
  said: readonly string[],
): Promise<Layout> {
  const fields = new Set<string>();
  let inside = read.stanza === undefined;
  for await (const lines of textLines(snapshot, read.encoding)) {
    for (const { text } of lines) {
      const head = HEAD.exec(text)?.[1];
      if (head !== undefined)
        inside = read.stanza === undefined || read.stanza === "*" || head === read.stanza;
      else if (inside && fields.size < MAX_FIELDS) {
        const name = text.includes(read.separator) ? text.slice(0, text.indexOf(read.separator)).trim() : "";
        if (
          name !== "" &&
          !/^\s/.test(text) &&
          (read.comment === undefined || !text.startsWith(read.comment))
        )
          fields.add(name);
      }
    }
  }
  return { read, fields: [...fields].map((name) => ({ name })), said };
}
