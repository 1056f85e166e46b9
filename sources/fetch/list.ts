import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { sourceError } from "../problems.js";
import type { FetchSpec } from "./spec.js";

/** The values of `paging: { by: list }`, in order; empty for other ways. @param card path of the card file. @throws TaskmillError (source) */
export async function listValues({ paging }: FetchSpec, card: string): Promise<string[]> {
  if (paging?.by !== "list") return [];
  if (paging.values !== undefined) return paging.values.map(String);
  if (paging.range !== undefined) {
    const { from, to } = paging.range;
    return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  }
  const lines = (await readList(resolve(dirname(card), paging.file!), paging.file!)).split(/\r\n|\n|\r/);
  const values = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (values.length === 0) sourceError("empty_list", `${paging.file} holds no values to ask for`);
  const twice = repeated(values);
  if (twice !== undefined)
    sourceError("repeated_value", `${paging.file} asks for ${JSON.stringify(twice)} twice`);
  return values;
}

function repeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return values.find((value) => seen.size === seen.add(value).size);
}

async function readList(path: string, name: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const why = error instanceof TypeError ? "is not UTF-8" : "cannot be read";
    return sourceError("no_list", `the list ${name} ${why}`, {
      hint: "one value a line, in a file beside the card",
      location: { file: path },
    });
  }
}
