import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { documentsOf } from "../../../sources/corpus/documents.js";
import { corpusFiles } from "../../../sources/corpus/files.js";
import { failure, signal, writeFiles } from "./helper.js";

async function texts(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { text } of documentsOf(await corpusFiles([{ id: "c", path }]), signal)) found.push(text);
  return found;
}

it("refuses a link to a folder, whose documents would be missing without a word", async () => {
  const [root, other] = [writeFiles({ "a.md": "# A" }), writeFiles({ "b.md": "# B" })];
  symlinkSync(other, join(root, "more"));
  expect((await failure(texts(root))).problems[0]!.code).toBe("corpus_link");
});

it("passes over a link to what is no document", async () => {
  const root = writeFiles({ "a.md": "# A", "b.bin": "" });
  symlinkSync(join(root, "b.bin"), join(root, "c.bin"));
  expect(await texts(root)).toEqual(["# A"]);
});

it("reads front matter without warnings, and refuses what nests without end", async () => {
  const warn = vi.spyOn(process, "emitWarning");
  expect(await texts(writeFiles({ "a.md": "---\nurl: !!js/function x\n---\ntext" }))).toEqual(["text"]);
  expect(warn).not.toHaveBeenCalled();
  const deep = writeFiles({ "a.md": `---\na: ${"[".repeat(1e5)}\n---\ntext` });
  expect((await failure(texts(deep))).problems[0]!.code).toBe("bad_front_matter");
});
