import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bars } from "../../pipeline/report/charts.js";
import { draw } from "../../pipeline/report/draw.js";
import type { Report } from "../../pipeline/report/gather.js";
import { escapeHtml, html } from "../../pipeline/report/html.js";
import { Decades, shares } from "../../pipeline/report/tally.js";
import { writeCard, writeReport } from "../../pipeline/report.js";
import type { SplitRow } from "../../stages/task.js";
import { inFolder, splitRows } from "../datasets/rows.js";
import { factsOf, HOSTILE, rolloutOf } from "./report/facts.js";

function hostile(row: SplitRow): SplitRow {
  const selection = row.selection!;
  const entity = { ...selection.entity, name: HOSTILE };
  const step = { ...row.chain[0]!, label: HOSTILE, text: HOSTILE };
  return {
    ...row,
    question: `${HOSTILE} ${row.question}`,
    selection: { ...selection, entity },
    chain: [step],
  };
}

async function reported(rows: readonly SplitRow[]): Promise<{ report: Report; page: string; bytes: string }> {
  return inFolder(async (dir) => {
    await writeReport(dir, factsOf(rows));
    const bytes = readFileSync(join(dir, "report.json"), "utf8");
    return {
      report: JSON.parse(bytes) as Report,
      page: readFileSync(join(dir, "report.html"), "utf8"),
      bytes,
    };
  });
}

/** The report of one set of rows, made once: drawing takes the longest. */
const usual = splitRows(30);
let made: ReturnType<typeof reported> | undefined;
function once(): ReturnType<typeof reported> {
  made ??= reported(usual);
  return made;
}

describe("report", () => {
  it("adds up, with samples of every reason", async () => {
    const rows = usual;
    const { report } = await once();
    for (const s of report.funnel) {
      expect(s.in + s.created).toBe(s.out + s.rejected.reduce((n, r) => n + r.rows, 0));
    }
    expect(report.funnel[0]!.rejected.map((r) => [r.reason, r.rows, r.samples.length])).toEqual([
      ["margin", 20, 3],
      ["tie", 10, 3],
    ]);
    expect(report.funnel[0]!.rejected[0]!.meaning).toBe("the runner-up is too close");
    const { coverage, answers, difficulty } = report;
    const sum = (list: readonly { rows: number }[]) => list.reduce((n, s) => n + s.rows, 0);
    for (const part of ["domains", "tables", "formulas", "forms", "shapes"] as const)
      expect([part, coverage[part].rows]).toEqual([part, rows.length]);
    for (const part of [coverage.splits, difficulty.conditions_rank, answers.sizes, answers.tolerances])
      expect(sum(part)).toBe(rows.length);
    expect(sum(answers.multiples) + answers.exact).toBe(rows.length);
    for (const { values, classes } of difficulty.measures) expect(sum(values ?? classes!)).toBe(rows.length);
    expect(report.gates.lint).toEqual({ passed: 30, failed: 0, not_run: 0 });
    expect(report.gates.solve).toEqual({ passed: 0, failed: 0, not_run: 30 });
    expect(report.quotas.map((q) => q.property)).toEqual(["formula", "entity"]);
    expect(report.samples).toHaveLength(6);
    for (const sample of report.samples) {
      const row = rows.find((r) => r.id === sample.id)!;
      expect([sample.question, sample.answer, sample.chain]).toEqual([row.question, row.answer, row.chain]);
    }
  });

  it("says first what was not checked", async () => {
    const { page, report } = await once();
    expect(report.unscreened[0]).toMatch(/^Unscreened rows: contamination .*closed_book .*did not run/);
    const body = page
      .slice(page.indexOf("<body>") + 6)
      .replace(/<[^>]+>/g, "")
      .trim();
    expect(body.startsWith("Unscreened rows: contamination")).toBe(true);
  });

  it("is the same bytes each time, even in one process", async () => {
    const [first, again] = [await once(), await reported(splitRows(30))];
    expect(again.bytes).toBe(first.bytes);
    expect(again.page).toBe(first.page);
  });

  it("never takes data as markup, in text, charts, tables or attributes", async () => {
    const short = (row: SplitRow): SplitRow => ({
      ...hostile(row),
      selection: { ...row.selection!, entity: { ...row.selection!.entity, name: "\u202eox" } },
    });
    const { page } = await reported([...splitRows(8).map(hostile), ...splitRows(9).map(short)]);
    const tags = page.match(/<[a-zA-Z][a-zA-Z-]*/g)!.map((t) => t.slice(1).toLowerCase());
    expect(tags).not.toContain("script");
    expect(tags).not.toContain("img");
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toContain("\u202e");
    // The name stands inside attributes too (labels of charts): quotes must not end them.
    expect(page).not.toMatch(/<[^<>]*\son[a-z]+=/);
  });

  it("stands alone: nothing is fetched, nothing runs", async () => {
    const { page } = await once();
    expect(page).not.toMatch(/<(script|link|iframe|img|object|use)\b/);
    expect(page.match(/(?:src|href)="(?!#)[^"]*"/g)).toBeNull();
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/url\((?!#)/);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("gives every chart a name and its numbers as a table", async () => {
    const { page } = await once();
    const charts = page.match(/<figure>.*?<\/figure>/gs)!;
    expect(charts.length).toBeGreaterThan(8);
    for (const chart of charts) {
      expect(chart).toMatch(/<svg role="img" aria-label="[^"]{10,}"/);
      expect(chart).toMatch(/<table>.*<th scope="col".*<th scope="row">/s);
    }
    expect(page).toMatch(/<html lang="en">/);
  });

  it("is written for a dataset without a single task", async () => {
    const { report, page } = await reported([]);
    expect(report.samples).toEqual([]);
    expect(page).toContain("No task was accepted");
  });
});

describe("the report's part on rollouts", () => {
  const wrong = { outcome: "wrong", reason: "wrong_value", unselected: "wrong" };
  const few = { score: 0.1, acc: 0, progress: 0.5, answered: 1 };
  const steps = [
    { id: "entity", verified: true, why: "verified" },
    { id: "other", verified: false, why: "given" },
  ];

  async function attempted(rollouts: (at: number) => object[], admission?: object) {
    const rows = splitRows(4).map((row, at) => ({
      ...row,
      rollouts: rollouts(at),
      ...(admission && { admission }),
    }));
    return reported(rows);
  }

  it("says `not run` where no agent attempted a task, and of what no stage decided", async () => {
    const { report, page } = await reported(splitRows(3));
    expect(report.rollouts).toBeUndefined();
    expect(page).toMatch(/<h2 id="rollouts">Rollouts<\/h2>\s*<p class="note">not run: /);
    const undecided = await attempted(() => [rolloutOf("rollout", 0, {})]);
    expect(undecided.report.rollouts!.admission).toBeNull();
    expect(undecided.page).toContain("Admission: not run.");
    expect(undecided.page).toContain("Token ids: not run, the endpoint gives none.");
    // Its conversations lie in a pool, and there is none.
    expect(undecided.report.rollouts!.samples).toEqual([]);
  });

  it("counts by instance, in the order of the graph, and what is unknown as unknown", async () => {
    const { report } = await attempted((at) => [
      rolloutOf("emit", 0, { drift: at, faults: at === 0 ? ["unknown_tool"] : [] }),
      rolloutOf("balance", 0, {
        valid: false,
        stop: "unavailable",
        outcome: "no_reply",
        unselected: "not_valid",
      }),
      rolloutOf("balance", 1, { ...wrong, reward: { ...few, steps } }),
    ]);
    const [first, second] = report.rollouts!.agents;
    expect([first!.by, first!.drawn, first!.valid, first!.right, first!.clean]).toEqual([
      "balance",
      8,
      4,
      0,
      0,
    ]);
    expect([second!.by, second!.right, second!.clean, second!.selected]).toEqual(["emit", 4, 3, 4]);
    expect(first!.rate).toMatchObject({ successes: 0, trials: 4, clusters: 4 });
    expect(second!.drift).toEqual({ rollouts: 4, drifted: 3, turns: 6 });
    // The endpoint counts no output: no figure is made up for it.
    expect(first!.spreads.map(({ what }) => what)).toEqual(["turns", "tool calls", "tokens read"]);
    expect(first!.progress).toMatchObject({ wrong: 4, mean: 0.5 });
    const kinds = first!.progress.kinds.reduce((sum, k) => sum + k.steps, 0);
    expect(kinds).toBeLessThanOrEqual(4);
  });

  it("sorts tasks by what admission made of them, too few attempts aside", async () => {
    const evidence = (accs: number[], rewards: number[] = accs) => ({
      ...{
        by: "rollout",
        n: 4,
        accs,
        rewards,
        answers: [],
        stops: [],
        input: [],
        output: [],
        low: 0,
        high: 1,
      },
    });
    const cases = [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 1],
    ];
    const rows = splitRows(5).map((row, at) => ({
      ...row,
      rollouts: [rolloutOf("rollout", 0, {})],
      // The last has variance without a right answer, which is no admission.
      admission: at < 4 ? evidence(cases[at]!) : evidence([0, 0, 0, 0], [0.1, 0, 0, 0]),
    }));
    const { report, page } = await reported(rows);
    const { decisions, rates } = report.rollouts!.admission!;
    expect(decisions).toEqual({ admitted: 1, all_right: 1, all_wrong: 2, no_variance: 0, too_few_valid: 1 });
    expect(rates.map(({ tasks }) => tasks)).toEqual([2, 1, 0, 0, 1]);
    expect(page).toContain("is admitted in");
  });

  it("shows what was served although a rule forbids it, and takes none of it as markup", async () => {
    const served = [{ url: `https://x.example/${HOSTILE}`, rule: HOSTILE }];
    const { report, page } = await attempted(() => [
      rolloutOf("rollout", 0, { firewall: { asked: 2, blocked: 1, served }, unselected: "firewall" }),
      rolloutOf("rollout", 1, { faults: [HOSTILE], stop: HOSTILE }),
    ]);
    expect(report.rollouts!.agents[0]!.firewall).toMatchObject({ asked: 12, blocked: 4, rollouts: 4 });
    expect(report.rollouts!.agents[0]!.firewall.served[0]).toMatchObject({ rule: HOSTILE });
    expect(page).toContain("Blocked content that was served");
    const tags = page.match(/<[a-zA-Z][a-zA-Z-]*/g)!.map((t) => t.slice(1).toLowerCase());
    expect(tags).not.toContain("script");
    expect(tags).not.toContain("img");
    expect(page).not.toContain("\u202e");
    expect(page).not.toMatch(/<[^<>]*\son[a-z]+=/);
  });

  it("passes over evidence that cannot be read", async () => {
    const { report } = await attempted((at) => (at === 0 ? [{ by: 1 }] : [rolloutOf("rollout", 0, {})]));
    expect(report.rollouts!.tasks).toBe(3);
  });
});

describe("dataset card of a run", () => {
  it("is written from the same facts", () =>
    inFolder(async (dir) => {
      await writeCard(dir, factsOf(splitRows(9)));
      expect(existsSync(join(dir, "README.md"))).toBe(true);
      const card = readFileSync(join(dir, "README.md"), "utf8");
      expect(card).toContain("| `solve` | 0 | 0 | 9 |");
      expect(card).toContain("license: cc0-1.0");
      expect(card).toContain("it holds 9 rows on these terms");
    }));
});

describe("pieces", () => {
  it("escape everything but what is HTML already", () => {
    expect(html`<p title="${'"><b>'}">${"a & b"}${html`<i>${"<"}</i>`}${[1, "&"]}${undefined}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;b&gt;">a &amp; b<i>&lt;</i>1&amp;</p>',
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it("count by power of ten without logarithms", () => {
    const counted = (values: readonly number[]) => {
      const decades = new Decades();
      for (const value of values) decades.add(value);
      return decades.list();
    };
    expect(counted([1, 9.99, 10, 0.1, -1000, 0])).toEqual([
      { exponent: -1, rows: 1 },
      { exponent: 0, rows: 2 },
      { exponent: 1, rows: 1 },
      { exponent: 2, rows: 0 },
      { exponent: 3, rows: 1 },
    ]);
    expect(counted([])).toEqual([]);
    expect(shares(["b", "a", "b", "c"])).toEqual([
      { value: "b", rows: 2 },
      { value: "a", rows: 1 },
      { value: "c", rows: 1 },
    ]);
  });

  it("draw the same SVG each time, and no clip or gradient whose id could collide", async () => {
    const spec = bars([
      { label: "a", rows: 3 },
      { label: "<b>", rows: 5 },
    ]);
    const svg = await draw(spec);
    expect(await draw(spec)).toBe(svg);
    expect(svg).not.toMatch(/\sid=|<b>/);
    expect(svg).toContain("var(--accent)");
  });
});
