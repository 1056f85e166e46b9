import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Audit } from "../../../pipeline/audit/audit.js";
import { gather, type Report } from "../../../pipeline/report/gather.js";
import { page as pageOf } from "../../../pipeline/report/page.js";
import { rolloutReport } from "../../../pipeline/report/rollouts.js";
import type { SplitRow } from "../../../stages/task.js";
import { splitRows } from "../../datasets/rows.js";
import { chromium, launch, leastChartContrast, open, violations } from "./browser.js";
import { factsOf, rolloutOf } from "./facts.js";

const READERS = [
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
] as const;

const ENDLESS = "Wm".repeat(200);
const CHINESE = "很长的名字".repeat(20);

/** Rows of many shapes; some with names that no line holds, and attempts of agents. */
function rows(): SplitRow[] {
  return splitRows(24).map((row, i) => {
    if (i % 3 !== 0) return row;
    const name = i % 2 === 0 ? ENDLESS : CHINESE;
    const chain = row.chain.map((step) => ({ ...step, label: name }));
    const selection = row.selection && { ...row.selection, entity: { ...row.selection.entity, name } };
    const answer = { ...row.answer, unit: name };
    return {
      ...row,
      question: `${name} ${row.question}`,
      chain,
      selection,
      answer,
      rollouts: [rolloutOf("rollout", 0, {})],
    };
  });
}

/** With all of its parts. */
async function madeReport(): Promise<Report> {
  const facts = factsOf(rows());
  return gather(facts, { ...(await rolloutReport(tmpdir(), facts)), leakage: AUDIT });
}

/** Part of an audit, with findings as long. */
const AUDIT = {
  audit: 1,
  name: "demo",
  accepted: 24,
  shortcuts: [
    {
      id: "leaks",
      title: "answer in the question",
      test: "t",
      status: "tested",
      why: "",
      tested: 24,
      open: 2,
      result: "2 rows",
      rate: null,
      removed: 3,
      reach: ENDLESS,
    },
    {
      id: "recall",
      title: "recall from memory",
      test: "t",
      status: "not_run",
      why: "no probe",
      tested: 0,
      open: 0,
      result: "not run",
      rate: null,
      removed: null,
      reach: "",
    },
  ],
  findings: [{ code: "row_changed", where: ENDLESS, message: ENDLESS }],
  bounds: [{ bound: "leaks", most: 0, found: 2, broken: true, why: "2 is more than 0" }],
  details: {
    recall: null,
    one_cell: null,
    priors: null,
    wording: null,
    solves: null,
    rollouts: null,
    margins: { classes: [{ class: "1 to 1.5", tasks: 24 }], drift: 0 },
    leniency: { kinds: [], refused: 0 },
  },
} as unknown as Audit;

/** Opens whatever is folded. */
const UNFOLD = "document.querySelectorAll('details').forEach((d) => { d.open = true; })";

// Skipped where there is no Chromium: `apt-get install chromium`, or name one in TASKMILL_CHROMIUM.
describe.skipIf(chromium === undefined)("report.html in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "taskmill-report-"));
  const file = join(folder, "report.html");
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(file, await pageOf(await madeReport()));
    browser = await launch();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(READERS)("fits $width px in $scheme, silent and alone", async (reader) => {
    const { page, said, asked } = await open(browser, file, reader);
    for (const step of ["", UNFOLD]) {
      await page.evaluate(step);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(reader.width);
      expect(await page.evaluate("document.body.scrollWidth")).toBe(reader.width);
    }
    expect([said, asked]).toEqual([[], []]);
    expect(await leastChartContrast(page)).toBeGreaterThanOrEqual(4.5);
    await page.close();
  });

  it("draws no text of a chart outside of it", async () => {
    const { page } = await open(browser, file, READERS[0]);
    await page.evaluate(UNFOLD);
    const clipped = await page.evaluate(`[...document.querySelectorAll("svg")].flatMap((svg) => {
      const box = svg.getBoundingClientRect();
      return [...svg.querySelectorAll("text")].filter((text) => {
        const { left, right, top, bottom, width } = text.getBoundingClientRect();
        return width > 0 && (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1);
      }).map((text) => text.textContent);
    })`);
    expect(clipped).toEqual([]);
    await page.close();
  });

  it.each(READERS.slice(0, 2))(
    "has nothing that axe-core objects to, in $scheme",
    async (reader) => {
      const { page } = await open(browser, file, reader);
      await page.evaluate(
        "document.querySelectorAll('article details, .reason').forEach((d) => { d.open = true; })",
      );
      expect(await violations(page)).toEqual([]);
      await page.close();
    },
    60_000,
  );

  it("unfolds a task by keyboard alone", async () => {
    const { page } = await open(browser, file, READERS[0]);
    const answer = "document.querySelector('article .answer').checkVisibility()";
    expect(await page.evaluate(answer)).toBe(false);
    const onSummary = "document.activeElement.matches('article summary')";
    for (let i = 0; i < 60 && !(await page.evaluate(onSummary)); i++) await page.keyboard.press("Tab");
    expect(await page.evaluate(onSummary)).toBe(true);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(answer)).toBe(true);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(answer)).toBe(false);
    await page.close();
  });
});
