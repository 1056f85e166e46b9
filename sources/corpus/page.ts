import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import { tooDeepAt } from "../../pipeline/base/nesting.js";
import { sourceError } from "../problems.js";
import { ownAddress } from "./address.js";
import type { Document } from "./corpus.js";
import type { CorpusFile, FileKind } from "./files.js";
import { readHtml } from "./html.js";
import { titleOf } from "./title.js";

/** In bytes. */
const LARGEST = 64 * 2 ** 20;
/** Where a page declares its charset and its canonical address, in characters. */
const HEAD = 65_536;

/** The one document of a file of HTML, Markdown or plain text. @throws TaskmillError (source) for a file that is too large or no text */
export async function readPage(
  file: CorpusFile,
  kind: Exclude<FileKind, "parquet" | "jsonl">,
): Promise<Document> {
  const name = file.name === "" ? basename(file.path) : file.name;
  const own = ownAddress(file.corpus, name);
  if ((await stat(file.path)).size > LARGEST)
    sourceError("too_long", `${name} is larger than ${LARGEST} bytes`);
  const bytes = await readFile(file.path);
  if (kind === "html") {
    const html = decoded(bytes, charsetOf(bytes), name);
    const url = canonicalOf(html) ?? own;
    const { title, text } = readHtml(html, url);
    return { url, title: title || titleOf(text, url), text };
  }
  const whole = decoded(bytes, "utf-8", name).replaceAll("\r\n", "\n");
  const { fields, text } = kind === "markdown" ? frontMatter(whole, name) : { fields: {}, text: whole };
  const url = typeof fields.url === "string" && URL.canParse(fields.url) ? fields.url : own;
  const title = typeof fields.title === "string" ? fields.title.trim() : "";
  return { url, title: title || titleOf(text, url), text };
}

function decoded(bytes: Uint8Array, charset: string, name: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return sourceError("bad_encoding", `${name} is not text in ${charset}`, {
      hint: "write it in UTF-8; an HTML file may name another charset in a `meta` element",
    });
  }
}

/** As browsers find it: a byte-order mark, else a `meta` element near the start. */
function charsetOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const label = /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w:-]{1,40})/i.exec(head)?.[1];
  return label === undefined || /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** The address that an HTML file gives itself. */
function canonicalOf(html: string): string | undefined {
  for (const [tag] of html.slice(0, HEAD).matchAll(/<link\s[^>]{1,2000}>/gi)) {
    if (!/\srel\s{0,5}=\s{0,5}["']?canonical["'\s/>]/i.test(tag)) continue;
    const href = /\shref\s{0,5}=\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
    const url = (href?.[1] ?? href?.[2] ?? href?.[3])?.trim().replaceAll("&amp;", "&");
    if (url !== undefined && /^https?:/i.test(url) && URL.canParse(url)) return url;
  }
  return undefined;
}

/** YAML between two lines of `---` at the start of a Markdown file. */
function frontMatter(whole: string, name: string): { fields: Record<string, unknown>; text: string } {
  const end = whole.startsWith("---\n") ? whole.indexOf("\n---\n", 3) : -1;
  if (end < 0) return { fields: {}, text: whole };
  const yaml = whole.slice(4, end + 1);
  try {
    if (tooDeepAt(yaml) !== undefined) throw new RangeError("nested too deeply");
    const fields: unknown = parse(yaml, { maxAliasCount: 0, logLevel: "error" });
    const isMap = typeof fields === "object" && fields !== null && !Array.isArray(fields);
    return { fields: isMap ? (fields as Record<string, unknown>) : {}, text: whole.slice(end + 5) };
  } catch {
    return sourceError(
      "bad_front_matter",
      `${name}: what stands between its first two lines \`---\` is no YAML`,
    );
  }
}
