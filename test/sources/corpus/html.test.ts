import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml } from "../../../sources/corpus/html.js";

const read = (html: string): string => readHtml(html, "https://example.org/a/b").text;

const prose = Array.from(
  { length: 4 },
  (_, i) =>
    `<p>Paragraph ${i} of the article, which goes on for a while, so that it is long enough, and says little.</p>`,
).join("");
const article = (inside: string): string =>
  `<!doctype html><html><head><title>A moon - Site</title><script>var hidden = 1</script></head><body><nav><ul><li><a href="/">Home</a></li></ul></nav><div id="content"><h1>A moon</h1>${prose}${inside}${prose}</div><footer>Imprint 2024</footer></body></html>`;

describe("reading a page", () => {
  it("keeps what is raised and lowered", () => {
    // reports.md #33
    expect(read("<p>5.2 × 10<sup>3</sup> kg m<sup>-3</sup></p>")).toBe("5.2 × 10^3 kg m^-3");
    expect(read("<p>10<sup>−24</sup> s, H<sub>2</sub>O, x<sub>i, j</sub>, <sup>235</sup>U</p>")).toBe(
      "10^-24 s, H_2O, x_(i, j), ^235U",
    );
    expect(read('<p>the 1<sup>st</sup> of 3<sup class="reference"><a href="#cite-1">[1]</a></sup></p>')).toBe(
      "the 1st of 3",
    );
  });

  it("keeps formulas, once", () => {
    const tex = "{\\displaystyle 8.72\\times 10^{7}\\,\\mathrm {km} ^{2}}";
    const wiki = `<p>area <span class="mwe-math-element"><span style="display: none;"><math alttext="${tex}"><mi>x</mi></math></span><img class="mwe-math-fallback-image-inline" aria-hidden="true" alt="${tex}"></span>.</p>`;
    expect(read(wiki)).toBe("area 8.72× 10^7 km ^2 .");
    expect(read("<p><math><mn>5</mn><mo>×</mo><msup><mn>10</mn><mn>24</mn></msup></math></p>")).toBe(
      "5 × 10^24",
    );
    const two = "A <math><mi>x</mi></math> and <math><mi>y</mi></math> B";
    expect(read(`<div class="math">${two}</div>`)).toBe("A x and y B");
    expect(read('<p>a <img alt="\\frac{1}{2}" src="x"> b <img alt="a cat" src="y"></p>')).toBe("a (1)/(2) b");
  });

  it("makes tables of tables", () => {
    const html =
      "<table><caption>Moons</caption><tr><th rowspan=2>Name<th colspan=2>Size</tr><tr><th>km<th>mi</tr><tr><td rowspan=2>Io<td>3,643<td>2,264</tr><tr><td>x|y<td>a<br>b</tr></table>";
    expect(read(html)).toBe(
      [
        "Moons",
        "",
        "| Name | Size km | Size mi |",
        "| --- | --- | --- |",
        "| Io | 3,643 | 2,264 |",
        "| Io | x\\|y | a; b |",
      ].join("\n"),
    );
  });

  it("reads what only lays out as text, and tables inside it as tables", () => {
    const inner = "<table><tr><th>a<th>b<tr><td>1<td>2</table>";
    expect(read(`<table><tr><td>left</td><td>${inner}</td></tr></table>`)).toBe(
      "left\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    );
    expect(read("<table><tr><td><p>one</p><p>two</p></td></tr></table>")).toBe("one\n\ntwo");
  });

  it("has the main text, and figures wherever they stand, in their order", () => {
    const infobox = '<table class="infobox"><tr><th>Mass<td>1.48×10<sup>23</sup> kg</tr></table>';
    const aside =
      '<aside class="portable-infobox"><div class="pi-data"><h3>Radius</h3><div>2634 km</div></div></aside>';
    const page = readHtml(article(`${infobox}${aside}<dl><dt>Albedo<dd>0.43</dl>`), "https://example.org/");
    expect(page.title).toBe("A moon - Site");
    const order = ["Paragraph 3", "| Mass | 1.48×10^23 kg |", "2634 km", "Albedo: 0.43", "Paragraph 0"];
    let at = 0;
    for (const part of order) {
      at = page.text.indexOf(part, at);
      expect(at, part).toBeGreaterThanOrEqual(0);
    }
    expect(page.text).not.toMatch(/Home|Imprint|var hidden/);
  });

  it("leaves out what is not shown", () => {
    const html =
      '<p>seen<span style="color:red; display:none">no 1</span><span hidden>no 2</span><b aria-hidden="true">no 3</b><script>no 4</script><!-- no 5 --><style>no 6</style></p>';
    expect(read(html)).toBe("seen");
  });

  it("shows where links lead when asked", () => {
    const html =
      '<p><a href="../c?x=1">there</a>, <a href="#top">up</a>, <a href="javascript:x()">no</a></p>';
    expect(read(html)).toBe("there, up, no");
    expect(readHtml(html, "https://example.org/a/b", { links: true }).text).toBe(
      "there (https://example.org/c?x=1), up, no",
    );
  });

  it("marks headings and lists", () => {
    const html = "<h2>Head</h2><p>text</p><ul><li>one<li>two<ol><li>in</ol></ul><pre>a\n  b</pre>";
    expect(read(html)).toBe("## Head\n\ntext\n\n- one\n- two\n  1. in\n\na\n  b");
  });

  it("reads fragments, plain text and nothing", () => {
    expect(read("just words &amp; more")).toBe("just words & more");
    expect(read("")).toBe("");
    expect(read("<p>open<b>never closed")).toBe("opennever closed");
  });

  it("is total", () => {
    const part = fc.constantFrom(
      "<p>",
      "</p>",
      "<table>",
      "<td>",
      "<tr>",
      "<sup>",
      "x",
      "&lt;",
      "<",
      ">",
      "<!--",
      '"',
      "<math>",
      "<dl><dt>",
      "<html>",
      "</body>",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(typeof read(parts.join(""))).toBe("string");
      }),
      { numRuns: 200 },
    );
  });

  const hostile: Readonly<Record<string, string>> = {
    "100,000 nested tags": `${"<div>".repeat(100_000)}deep`,
    "open formatting": "<b>x".repeat(100_000),
    "1 MB on one line": "word 1.5 ".repeat(111_111),
    "references without end": "&amp;".repeat(100_000),
    "angles without end": "<".repeat(100_000),
    "a tag that never ends": `<a href='${"x".repeat(2_000_000)}`,
    "white space without end": `<pre>x${" ".repeat(1_000_000)}y</pre>`,
    "a style without end": `<p style="${" ".repeat(200_000)}">x</p>`,
    "no-break spaces without end": `<p>x${"\u00a0".repeat(1_000_000)}y</p>`,
    "formulas without end": `<div class="math">${"<math><mi>x</mi></math>".repeat(4000)}</div>`,
    "spans without end": `<table>${"<tr><td rowspan=1000 colspan=1000>x".repeat(2000)}`,
  };
  it.each(Object.entries(hostile))("comes to an end with %s", (_, html) => {
    expect(read(html).length).toBeLessThanOrEqual(5_000_000);
  });
});
