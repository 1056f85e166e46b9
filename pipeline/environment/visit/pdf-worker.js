// Reads one PDF file in a thread of its own; see pdf.ts. It posts one message and is ended.
import { parentPort, workerData } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";

const { bytes, pages, characters } = workerData;

try {
  // No fonts to draw with, no code from the file, no look-ups: only words are wanted.
  const options = {
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  };
  const document = await getDocumentProxy(bytes, options);
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const title = typeof info?.Title === "string" ? info.Title.trim().slice(0, 300) : "";
  const parts = [];
  let left = characters;
  for (let n = 1; n <= Math.min(document.numPages, pages) && left > 0; n++) {
    const page = await document.getPage(n);
    const { items } = await page.getTextContent();
    const text = textOf(items).slice(0, left);
    left -= text.length;
    parts.push(text);
    page.cleanup();
  }
  parentPort.postMessage({ ok: true, title, text: parts.join("\n\n") });
} catch {
  parentPort.postMessage({ ok: false });
}

/** Pieces of text in reading order. A smaller piece that stands higher or lower is raised or lowered: 10^24, H_2O. */
function textOf(items) {
  const lines = [];
  let line = "";
  let last;
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    const [, , , scale, x, y] = item.transform;
    const height = item.height || Math.abs(scale);
    if (item.str.trim() !== "") {
      if (last !== undefined && line !== "") line += joint(last, { x, y, height }, line);
      line += item.str;
      const small = last !== undefined && last.base !== undefined && height < 0.85 * last.base.height;
      last = { x: x + item.width, y, height, base: small ? last.base : { y, height } };
    } else if (item.str !== "" && line !== "" && !line.endsWith(" ")) line += " ";
    if (item.hasEOL && !(last !== undefined && last.height < 0.85 * (last.base?.height ?? 0))) {
      lines.push(line.trim());
      line = "";
      last = undefined;
    }
  }
  lines.push(line.trim());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** What stands between two pieces of a line. */
function joint(last, next, line) {
  const base = last.base ?? last;
  const shift = (next.y - base.y) / base.height;
  if (next.height < 0.85 * base.height && shift > 0.15 && shift < 0.9) return mark("^", last, line);
  if (next.height < 0.85 * base.height && shift < -0.05 && shift > -0.6) return mark("_", last, line);
  const gap = next.x - last.x;
  const apart = Math.abs(next.y - last.y) > 0.9 * Math.max(last.height, next.height);
  if (apart && last.height >= 0.85 * base.height) return "\n";
  return gap > 0.15 * next.height && !line.endsWith(" ") ? " " : "";
}

/** A run of raised pieces is marked once. */
function mark(sign, last, line) {
  if (last.base !== undefined && last.height < 0.85 * last.base.height) return "";
  return /[\p{L}\p{N})\]]$/u.test(line) ? sign : "";
}
