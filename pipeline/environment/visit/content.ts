import { readHtml } from "../../../sources/corpus/html.js";
import { textOf } from "./charset.js";
import { PageFault } from "./fault.js";
import { readPdf } from "./pdf.js";

export interface Content {
  readonly title: string;
  readonly text: string;
}

const TYPE = /^\s*([\w.+-]{1,80}\/[\w.+-]{1,80})/;
const CHARSET = /;\s{0,5}charset\s{0,5}=\s{0,5}["']?([\w:.-]{1,40})/i;

/**
 * The text of a body: HTML as its main text, PDF as its words, all other text as it is.
 * @param type the `Content-Type` header; where it says nothing of use, the bytes decide
 * @throws PageFault for what is no text
 */
export async function contentOf(
  body: Buffer,
  type: string,
  url: string,
  options: { readonly links: boolean; readonly signal: AbortSignal; readonly seconds: number },
): Promise<Content> {
  const said = TYPE.exec(type)?.[1]?.toLowerCase() ?? "";
  const kind = kindOf(said, body);
  if (kind === "pdf") return readPdf(body, options);
  if (kind === "other") throw new PageFault(`content of the type ${said || "unknown"} is not read`);
  const text = textOf(body, CHARSET.exec(type)?.[1]);
  if (kind === "html") return readHtml(text, url, { links: options.links });
  return { title: "", text: text.replace(/\r\n?/g, "\n").replace(/^\ufeff/, "") };
}

type Kind = "html" | "pdf" | "text" | "other";

const TEXT =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:ndjson|jsonl|json-lines|yaml|csv|tex|latex|sql))$/;
const SAYS_NOTHING =
  /^(?:|application\/(?:octet-stream|binary|force-download|x-download|unknown)|binary\/octet-stream)$/;

function kindOf(type: string, body: Buffer): Kind {
  const head = body.subarray(0, 1024).toString("latin1");
  // Some servers send PDF as text.
  if (/^\s{0,20}%PDF-/.test(head)) return "pdf";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/pdf") return "other";
  if (TEXT.test(type)) return isBinary(body) ? "other" : "text";
  if (!SAYS_NOTHING.test(type) || isBinary(body)) return "other";
  return /^\s{0,200}<(?:!doctype html|html|head|body|title|\?xml)/i.test(head) ? "html" : "text";
}

/** No text holds bytes of zero, but UTF-16, which says so at its start. */
function isBinary(body: Buffer): boolean {
  const marked = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  return !marked && body.subarray(0, 65_536).includes(0);
}
