import { type Document, Lexer, type LineCounter, Parser, parseDocument } from "yaml";
import { excerpt, sourceError } from "../problems.js";
import type { Snapshot } from "../snapshot.js";
import { MAX_DEPTH, tooDeep, YamlFault } from "./yaml-tree.js";

/** A document by the grammar alone, scalars as they are written. @throws YamlFault */
export function yamlDocument(text: string, lineCounter: LineCounter): Document {
  // Keys that come twice are looked for in YamlTree: the library compares all pairs of them.
  const document = parseDocument(text, {
    ...{ schema: "failsafe", lineCounter, stringKeys: true, uniqueKeys: false },
    ...{ prettyErrors: false, logLevel: "error" },
  });
  const [error] = document.errors;
  if (error === undefined) return document;
  // Lists in lists without end overflow the library's stack.
  if (error.code === "RESOURCE_EXHAUSTION") tooDeep(depthFault(text));
  const what = error.code === "MULTIPLE_DOCS" ? "a second document begins here" : error.message;
  throw new YamlFault("bad_yaml", what, undefined, error.pos[0]);
}

/** Where a text nests deeper than it may; the library's own parser keeps its stack in an array. */
function depthFault(text: string): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return parser.offset;
  }
  return undefined;
}

/** A fault as an error about the file, with its line. */
export function failYaml(
  snapshot: Snapshot,
  lines: LineCounter,
  { code, message, hint, at }: YamlFault,
): never {
  const place = at === undefined ? undefined : lines.linePos(at);
  const where = place === undefined ? snapshot.name : `${snapshot.name}, line ${place.line}`;
  sourceError(code, `${where}: ${excerpt(message, 200)}`, {
    hint,
    location: {
      file: snapshot.path,
      ...(place === undefined ? {} : { line: place.line, column: place.col }),
    },
  });
}
