// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a document writes them
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../../pipeline/base/errors.js";
import { findCard } from "../../../sources/cards.js";
import { openDatabase } from "../../../sources/duckdb.js";
import { loadSource } from "../../../sources/load.js";
import { decide } from "../../../sources/profile/decide/decide.js";
import { draftCard } from "../../../sources/profile/draft.js";
import { layoutOf } from "../../../sources/profile/layout/guess.js";
import { profileFile } from "../../../sources/profile/profile.js";
import type { Told } from "../../../sources/profile/told.js";
import { flow, scalar } from "../../../sources/profile/yaml-text.js";
import { openSnapshot } from "../../../sources/snapshot.js";
import { snapshotFile } from "../helper.js";

/** The card that is drafted for a table, once the table was loaded through it. */
async function reloaded(content: string | Uint8Array, told: Partial<Told> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "taskmill-hostile-"));
  const database = await openDatabase(":memory:", { folders: [dir], threads: 1 });
  try {
    const path = join(dir, "table.txt");
    writeFileSync(path, content);
    const snapshot = await openSnapshot(path);
    const profile = await profileFile(snapshot, await layoutOf(snapshot));
    const text = draftCard(profile, decide(profile, []), { id: "things", hosts: [], ...told });
    writeFileSync(join(dir, "card.yaml"), text);
    const { card } = await findCard(join(dir, "card.yaml"), ".");
    const report = await loadSource(card, path, database);
    return { card, report, fields: Object.values(card.columns).map((c) => c.from) };
  } finally {
    database.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function fault(content: string | Uint8Array) {
  const error = await openSnapshot(snapshotFile(content))
    .then((snapshot) => layoutOf(snapshot))
    .catch((e: unknown) => e);
  if (!(error instanceof TaskmillError)) throw new Error(`no error: ${JSON.stringify(error)}`);
  const [problem] = error.problems;
  return `${problem!.code}: ${problem!.message} = ${problem!.hint ?? ""} @${problem!.location?.line ?? "-"}`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const rows = Array.from({ length: 6 }, (_, i) => `n${i},${i * 7 + 1}.5,${i * 3 + 2}.25`).join("\n");
const withHeader = (a: string, b: string): string => `name,${quoted(a)},${quoted(b)}\n${rows}\n`;

describe("a draft always loads", () => {
  it.each([
    ["a line break", "mass\n(kg)"],
    [
      "a line break of Windows, and a long line",
      `mass of the thing, in full${" and more".repeat(12)}\r\n(kg)`,
    ],
    ["a variable", "${HOME}"],
    ["half a variable", "a ${ b"],
    ["C1 controls", "ma\u0080ss"],
    ["other controls", "ma\u0007\u001b[31mss"],
    ["a no-break space at its end", "mass\u00a0"],
    ["a no-break space at its start", "\u00a0mass"],
    ["a byte-order mark at its end", "mass\ufeff"],
    ["line separators", "ma\u2028s\u2029s"],
    ["marks of YAML", ": - #{[&*!|>'\"%@`"],
    ["a direction mark", "a\u202eb"],
    ["null", "null"],
    ["a number with zeros", "007"],
    ["a character beyond 16 bits that nobody sees", "a\u{e0001}b"],
  ])("with %s in a header", async (_, header) => {
    const { fields, report } = await reloaded(withHeader(header, "other"));
    expect(fields).toContain(header);
    expect(report.loaded).toBe(6);
  });

  it("keeps a second byte-order mark as the reader does", async () => {
    const { fields } = await reloaded(`\ufeff\ufeffname,mass,b\n${rows}\n`);
    expect(fields).toContain("\ufeffname");
  });

  it("whatever the headers are", async () => {
    const nasty = fc.constantFrom(
      ...[
        "\n",
        "\r\n",
        "${A}",
        "$${",
        "\u0085",
        "\u009f",
        "\u00a0",
        "\ufeff",
        "\u2028",
        ": ",
        " #",
        "'",
        '"',
        "\\",
      ],
      ...[
        "{",
        "]",
        "&",
        "*",
        "!",
        "~",
        "%",
        "-",
        "?",
        "\t",
        "é",
        "質",
        "😀",
        "\u200d",
        "a",
        "mass",
        "(kg)",
        " ",
      ],
    );
    const header = fc.array(nasty, { minLength: 1, maxLength: 6 }).map((parts) => `h${parts.join("")}`);
    await fc.assert(
      fc.asyncProperty(header, header, async (a, b) => {
        const { report } = await reloaded(withHeader(a, `${b}x`));
        expect(report.loaded).toBe(6);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("whatever the user says of the table", async () => {
    const text = "it's ${HOME}: # \u0085, {a}\n\u2028";
    const told = { entity: text, plural: text, scope: text, publisher: text, citation: text, complete: text };
    const { card } = await reloaded(withHeader("mass", "other"), told);
    expect(card.entity.singular).toBe(text);
    expect([card.citation, card.publisher.name, card.complete[0]?.source]).toEqual([text, text, text]);
  });

  it("writes any text on one line", () => {
    expect(scalar("plain text")).toBe("plain text");
    expect(scalar("a\nb\u0085\u{e0001}")).toBe('"a\\nb\\u0085\\U000e0001"');
    expect(flow({ a: ["x\ny", "z"] })).toBe('{ a: [ "x\\ny", z ] }');
  });
});

describe("encodings of headers", () => {
  it("reads windows-1252 where the adapter does", async () => {
    const header = Buffer.concat([
      Buffer.from("name,price ("),
      Buffer.from([0x80, 0x96]),
      Buffer.from("),b\n"),
    ]);
    const { fields } = await reloaded(Buffer.concat([header, Buffer.from(`${rows}\n`)]));
    expect(fields).toContain("price (€–)");
  });

  it("reads the bytes of Shift-JIS as it says", async () => {
    const header = Buffer.from([0x96, 0xbc, 0x81, 0x5b, 0x2c, 0x8e, 0xbf, 0x2c, 0x62, 0x0a]);
    const { report } = await reloaded(Buffer.concat([header, Buffer.from(`${rows}\n`)]));
    expect(report.loaded).toBe(6);
  });
});

describe("what is no table", () => {
  const bytes = (...head: number[]) => Buffer.from([...head, ...Array(64).fill(7)]);
  it.each([
    ["a ZIP archive", bytes(0x50, 0x4b, 3, 4), /ZIP archive, as \.xlsx/],
    ["bzip2", Buffer.from("BZh91AY&SY..."), /bzip2.*unpack/],
    ["xz", bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), /xz.*unpack/],
    ["an LZ4 frame", bytes(4, 0x22, 0x4d, 0x18), /LZ4.*unpack/],
    ["PDF", Buffer.from("%PDF-1.7\nx,y\n1,2\n"), /PDF/],
    ["RTF", Buffer.from("{\\rtf1\\ansi a,b\\par 1,2}"), /RTF.*CSV/],
    ["HTML", Buffer.from("<!DOCTYPE html>\n<html><body></html>"), /web page/],
    ["HTML without a doctype", Buffer.from("<html lang='en'>\n</html>"), /web page/],
    ["old Excel", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /\.xls.*CSV/],
    ["UTF-32 with a mark", Buffer.from("\ufffe\0\0a\0\0\0", "latin1"), /binary_data/],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0x2c, 0, 0, 0, 0x62, 0, 0, 0]), /UTF-32/],
    [
      "UTF-32 without a mark",
      Buffer.from([..."a,b\n1,2\n"].flatMap((c) => [c.charCodeAt(0), 0, 0, 0])),
      /zero/,
    ],
    ["one NUL", Buffer.from("a,b\n1,\0\n3,4\n"), /byte 6 is zero/],
    [
      "packed data of an unknown kind",
      Buffer.from(Array.from({ length: 900 }, (_, i) => ((i * i * 7 + 13 * i) % 255) + 1)),
      /control characters/,
    ],
  ])("%s is said by name", async (_, content, said) => {
    expect(await fault(content)).toMatch(said);
  });

  it("has more fields than a person reads", async () => {
    const line = (cell: (i: number) => string) => Array.from({ length: 2001 }, (_, i) => cell(i)).join(",");
    expect(await fault(`${line((i) => `c${i}x`)}\n${line(String)}\n`)).toMatch(/too_many_fields.*2000/);
  });
});

describe("faults have their line", () => {
  it.each([
    ["NDJSON", '{"a":1}\n{"a":2}\n{"a":3,,"b":"z"}\n', /record 3 \(line 3\).*@3/],
    [
      "NDJSON from its first line on",
      '{"a":1,"a":2}\n{"a":3}\n',
      /record 1 \(line 1\).*two members are named "a".*@1/,
    ],
    ["JSON", '[{"a":1},\n{"a":2},\n{"a":,}]', /record 3 \(line 3\).*@3/],
    ["JSON around the records", '{"data":[{"a":1}],\n"x" 1}', /line 2.*@2/],
    ["a member given twice", '{"data":[{"a":1}],\n"data":[{"a":2}]}', /two members are named "data".*@2/],
    [
      "a member given twice as something else",
      '{"data":[{"a":1}],\n"data":{"x":1}}',
      /two members are named "data".*@2/,
    ],
    ["YAML", "- a: 1\n  b: 2\n- a: 1\n  b: 2\n  a: 3\n", /line 5: a second key `a`.*@5/],
  ])("%s", async (_, content, said) => {
    expect(await fault(content)).toMatch(said);
  });
});
