// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables as a document writes them
import { describe, expect, it } from "vitest";
import { TaskmillError } from "../../pipeline/base/errors.js";
import { checkTableOptions, readOption } from "../../pipeline/commands/sources/table-options.js";

function said(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    return `${error.kind}: ${error.problems.map((p) => `${p.message} = ${p.hint}`).join("; ")}`;
  }
  return "";
}

describe("options of a draft", () => {
  it.each([
    ["id", "../x", /--id cannot be "\.\.\/x" = an id is lower-case/],
    ["domain", "../x", /--domain cannot be/],
    ["as-of", "not a date", /--as-of cannot be "not a date" = a date: YYYY/],
    ["host", "..,;", /--host cannot be "\.\." = hosts, divided by commas/],
    ["host", "example.org,", /--host cannot be ""/],
    ["licence", "x y", /--licence cannot be "x y" = an SPDX id/],
    ["entity", "a\nmoon", /--entity cannot be "a\\nmoon" = a text of one line/],
    ["publisher", " ", /--publisher cannot be " "/],
  ])("--%s %j is refused on the command line", (option, value, message) => {
    const found = said(() => checkTableOptions({ [option]: value }));
    expect(found).toMatch(/^usage: /);
    expect(found).toMatch(message);
  });

  it("are taken as cards have them", () => {
    const good = {
      ...{ id: "my-moons", domain: "astronomy", "as-of": "2024-05", host: "ssd.jpl.nasa.gov, nasa.gov" },
      ...{ licence: "LicenseRef-public-domain", entity: "moon", citation: "It's ${plain}: a text" },
    };
    expect(said(() => checkTableOptions(good))).toBe("");
    expect(said(() => checkTableOptions({ licence: "Apache-2.0 OR MIT" }))).toBe("");
  });
});

describe("--read", () => {
  it("is read as a card's snapshot.read is", () => {
    expect(readOption("{ format: csv, delimiter: ';' }")).toMatchObject({ format: "csv", delimiter: ";" });
  });

  it.each([
    ["{ format: csv", /--read|flow|closed/],
    ["csv", /must be a mapping|must be/],
    ["{ format: csv, delimiter: '${A}${' }", /at most 3 characters/],
    ["{ format: csv, delimiter: '' }", /`delimiter` is empty/],
    ["{ format: csv, delimeter: ';' }", /unknown key `delimeter`.*did you mean `delimiter`/],
    ["{ format: cvs }", /`format` must be csv, .* did you mean csv/],
    ["!!js/regexp x", /tags are not supported/],
    ['{ format: csv, delimiter: "\\n" }', /the delimiter may not hold a line end/],
    [
      "{ format: fixed, columns: [{ name: a, start: 5, end: 2 }] }",
      /the column `a` ends \(2\) before its start \(5\)/,
    ],
    ["{ format: csv, header: false }", /needs `names`/],
  ])("%s is refused in our words", (text, message) => {
    const found = said(() => readOption(text));
    expect(found).toMatch(/^usage: /);
    expect(found).toMatch(message);
    expect(found).not.toMatch(/Too small|Invalid input|expected string to have/);
  });
});
