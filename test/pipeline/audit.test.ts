import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditText } from "../../pipeline/audit/text.js";
import { type Audit, audit, type Bounds } from "../../pipeline/audit.js";
import { builtins } from "../../pipeline/builtins.js";
import { COMMANDS } from "../../pipeline/commands/index.js";
import { type CallIdentity, callKey } from "../../pipeline/models/call.js";
import type { Io } from "../../pipeline/terminal.js";
import { FAMOUS_FACTS } from "../../stages/screen/facts.js";
import { convert } from "../../verifiers/units.js";
import { gatedDataset, ledgerIn, tasksIn } from "./audit/dataset.js";
import {
  changeCassette,
  changeLedger,
  changeTasks,
  copyOf,
  evidenceIn,
  fitHashes,
  smuggled,
  withEvidence,
} from "./audit/tamper.js";

const root = mkdtempSync(join(tmpdir(), "taskmill-audit-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let gated = "";
let plain = "";
let clean: Audit;
beforeAll(async () => {
  ({ gated, plain } = await gatedDataset(root));
  clean = await look(gated);
});

/** Bounds that the schema completes. */
type Given = Omit<Bounds, "untested"> & { readonly untested?: number };

const look = (dir: string, bounds?: Given) =>
  audit(dir, { registry: builtins(), bounds: bounds === undefined ? undefined : { untested: 0, ...bounds } });

/** What it finds once somebody has made the manifest's hashes fit. */
const lookAtFitted = async (dir: string, bounds?: Given) => {
  await fitHashes(dir);
  return look(dir, bounds);
};

const shortcut = ({ shortcuts }: Audit, id: string) => shortcuts.find((s) => s.id === id)!;
const codes = ({ findings }: Audit) => [...new Set(findings.map(({ code }) => code))].sort();

describe("the audit of an honest dataset", () => {
  it("finds its evidence to follow from its own files, and reads well", async () => {
    expect(clean.findings).toEqual([]);
    // How many of the facts are known is a matter of the grader, which other tests look after.
    const text = auditText(clean).replace(/famous facts: \d+ of \d+/, "famous facts: all");
    await expect(text).toMatchFileSnapshot("golden/audit.txt");
  });

  it("counts what the models of the test were made to know, misread and fail", async () => {
    const ledger = await ledgerIn(gated);
    const rejected = (gate: string) =>
      ledger.filter((r) => r.gate === gate && r.status === "rejected").length;
    expect(rejected("closed_book")).toBeGreaterThan(0);
    expect(shortcut(clean, "recall").removed).toBe(rejected("closed_book"));
    expect(shortcut(clean, "wording").removed).toBe(rejected("round_trip"));
    expect(shortcut(clean, "disagreement").removed).toBe(rejected("solve"));
    const { recall, wording } = clean.details;
    expect(recall!.roles).toMatchObject([
      { role: "memory", model: "knows-some", power: { asked: FAMOUS_FACTS.length } },
    ]);
    expect(recall!.roles[0]!.known.successes).toBe(rejected("closed_book"));
    expect(recall!.roles[0]!.next).toMatchObject({ successes: 0 });
    expect(wording!.again).toBe(true);
    expect(wording!.reasons).toEqual({ reading_differs: rejected("round_trip") });
    expect(clean.details.leniency).toMatchObject({ refused: 0 });
    expect(clean.details.leniency.kinds.every(({ accepted }) => accepted === 0)).toBe(true);
  });

  it("is what the run wrote into its report", () => {
    const { leakage } = JSON.parse(readFileSync(join(gated, "report.json"), "utf8")) as { leakage: Audit };
    expect(leakage.shortcuts).toEqual(clean.shortcuts);
    expect(leakage.details).toEqual({
      ...clean.details,
      wording: { ...clean.details.wording, again: false },
    });
    const page = readFileSync(join(gated, "report.html"), "utf8");
    expect(page).toContain('<h2 id="leakage">');
    expect(page).toContain("Recall by model");
  });

  it("says `not_run` of what no stage did, and the bounds of such tests are broken", async () => {
    const without = await look(plain, {
      recall_upper: 1,
      round_trip_failures: 1,
      disagreement: 1,
      contaminated: 9,
    });
    expect(shortcut(without, "recall")).toMatchObject({
      status: "not_run",
      why: "no stage of the graph probes",
    });
    const [findings, ...rest] = without.bounds;
    expect(findings).toMatchObject({ bound: "findings", broken: false, found: 0 });
    expect(rest).toHaveLength(4);
    expect(rest.every((b) => b.broken && b.found === null && b.why.startsWith("its test did not run"))).toBe(
      true,
    );
    expect((await look(plain)).bounds).toEqual([]);
  });

  it("takes the bounds of the dataset's own config", async () => {
    const dir = copyOf(gated);
    const path = join(dir, "manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { config: { resolved: object } };
    const set = (bounds: object) => {
      Object.assign(manifest.config.resolved, { bounds });
      writeFileSync(path, JSON.stringify(manifest));
    };
    set({ leaks: 0, contaminated: 0 });
    expect((await look(dir)).bounds.map(({ bound, broken }) => [bound, broken])).toEqual([
      ["findings", false],
      ["leaks", false],
      ["contaminated", true],
    ]);
    set({ leeks: 0 });
    await expect(look(dir)).rejects.toMatchObject({
      kind: "verification",
      problems: [{ code: "manifest_damaged" }],
    });
  });

  it("finds answers that stand ready in a cell, in whatever unit", async () => {
    const { details, shortcuts } = await look(plain);
    const { tasks, formulas } = details.one_cell!;
    expect(tasks.length).toBeGreaterThan(0);
    expect(shortcuts.find((s) => s.id === "one_cell")).toMatchObject({ open: tasks.length });
    expect(formulas.reduce((sum, { rate }) => sum + rate.successes, 0)).toBe(tasks.length);
    const byId = new Map((await tasksIn(plain)).map((task) => [task.task_id, task]));
    for (const { task, value, unit } of tasks) {
      const { hidden_answer: answer, answer_unit } = byId.get(task)!;
      expect(Math.abs(convert(value, unit, answer_unit) / answer.value - 1)).toBeLessThanOrEqual(
        answer.tolerance,
      );
    }
  });

  it("keeps bounds that are met and breaks those that are not", async () => {
    const high = shortcut(clean, "recall").rate!.high;
    const share = shortcut(clean, "one_cell").rate!.estimate!;
    const met = await look(gated, {
      recall_upper: high,
      one_cell_share: share,
      known_rows: 0,
      leaks: 0,
      leniency: 0,
      unstable: 0,
    });
    expect(met.bounds.filter((b) => b.broken)).toEqual([]);
    const not = await look(gated, { recall_upper: high - 0.01 });
    expect(not.bounds.filter((b) => b.broken).map((b) => b.bound)).toEqual(["recall_upper"]);
  });
});

describe("the audit of a dataset that somebody worked on", () => {
  it("sees a row that a model knows by heart, smuggled in with a ledger that fits", async () => {
    const dir = copyOf(gated);
    const known = (await ledgerIn(dir)).find((r) => r.gate === "closed_book" && r.status === "rejected")!;
    const task = await smuggled(dir, known);
    await changeTasks(dir, (tasks) => [...tasks, task]);
    await changeLedger(dir, (record) => {
      if (record.task_id !== known.task_id) return record;
      const whole = { ...record, accepted: true, hidden_row: "null" };
      if (record.gate !== "closed_book") return whole;
      const innocent = withEvidence(whole, ({ probe }) => {
        for (const sample of probe!.samples)
          Object.assign(sample, { outcome: "wrong", reason: "wrong_value" });
      });
      return { ...innocent, status: "passed", reason: "" };
    });
    const found = await lookAtFitted(dir, { known_rows: 0 });
    const about = found.findings.filter(({ where }) => where === known.task_id).map(({ code }) => code);
    expect(about).toEqual(
      expect.arrayContaining(["graded_otherwise", "known_row_accepted", "not_in_ledger"]),
    );
    expect(shortcut(found, "recall")).toMatchObject({ open: 1 });
    expect(found.bounds.filter((b) => b.broken).map((b) => b.bound)).toEqual(["findings", "known_rows"]);
  });

  it("sees a draw that the evidence leaves out", async () => {
    const dir = copyOf(gated);
    const known = (await ledgerIn(dir)).find((r) => r.gate === "closed_book" && r.status === "rejected")!;
    await changeLedger(dir, (record) =>
      record.task_id === known.task_id && record.gate === "closed_book"
        ? withEvidence({ ...record, status: "passed", reason: "" }, ({ probe }) => {
            probe!.samples = [];
          })
        : record,
    );
    const found = await lookAtFitted(dir);
    const [finding] = found.findings.filter(({ code }) => code === "draw_not_named");
    expect(finding).toMatchObject({ where: known.task_id, message: expect.stringContaining("is right") });
  });

  it("reads the answer in a question", async () => {
    const dir = copyOf(gated);
    const [first] = await tasksIn(dir);
    const { task_id: where } = first!;
    await changeTasks(dir, ([task, ...rest]) => {
      const told = `${task!.question} (It is ${task!.hidden_answer.value} ${task!.answer_unit}.)`;
      return [{ ...task!, question: told }, ...rest];
    });
    const found = await lookAtFitted(dir, { leaks: 0 });
    expect(shortcut(found, "leaks")).toMatchObject({ open: 1, tested: clean.accepted });
    expect(found.findings).toContainEqual(expect.objectContaining({ code: "value_leaked", where }));
    // The models were asked another question than the one that stands there now.
    expect(found.findings).toContainEqual(expect.objectContaining({ code: "other_call", where }));
    expect(found.bounds.find((b) => b.bound === "leaks")).toMatchObject({ broken: true, found: 1 });
  });

  it("takes no grade from the evidence, lenient or strict", async () => {
    const dir = copyOf(gated);
    const failed = (await ledgerIn(dir)).find((r) => r.gate === "solve" && r.status === "rejected")!;
    await changeLedger(dir, (record) =>
      record.gate === "solve" && record.task_id === failed.task_id
        ? withEvidence({ ...record, status: "passed", reason: "" }, ({ solve }) => {
            for (const sample of solve!.samples) sample.outcome = "right";
          })
        : record,
    );
    const found = await lookAtFitted(dir);
    expect(codes(found)).toEqual([
      "decided_otherwise",
      "graded_otherwise",
      "ledger_incomplete",
      "solve_passed_otherwise",
    ]);
    expect(shortcut(found, "disagreement").rate).toEqual(shortcut(clean, "disagreement").rate);
  });

  it("asks the famous facts again, of the recorded calls", async () => {
    const dir = copyOf(gated);
    await changeLedger(dir, (record) =>
      record.gate === "closed_book"
        ? withEvidence(record, ({ probe }) => {
            probe!.power = [{ role: "memory", right: 1, asked: FAMOUS_FACTS.length }];
          })
        : record,
    );
    const found = await lookAtFitted(dir);
    expect(codes(found)).toEqual(["power_otherwise"]);
    expect(found.findings[0]!.message).toMatch(/: memory 1 of 24; the recorded calls say memory \d\d of 24$/);
  });

  it("misses a recorded call, and no longer counts its row as tested", async () => {
    const dir = copyOf(gated);
    const passed = (await ledgerIn(dir)).find((r) => r.gate === "closed_book" && r.accepted)!;
    const call = evidenceIn(passed).probe!.samples[0]!.call;
    changeCassette(dir, (line) => (line.key === call ? undefined : line));
    const found = await lookAtFitted(dir, { recall_upper: 1 });
    expect(codes(found)).toEqual(["call_missing", "decided_otherwise", "passed_undecided"]);
    expect(shortcut(found, "recall")).toMatchObject({ status: "partly", tested: clean.accepted - 1 });
    const bound = found.bounds.find((b) => b.bound === "recall_upper")!;
    expect(bound.why).toMatch(/^its test left out 1 of 12 rows/);
  });

  it("grades a reply as it is recorded, and knows a call that is not what its name says", async () => {
    const dir = copyOf(gated);
    const passed = (await ledgerIn(dir)).filter((r) => r.gate === "closed_book" && r.accepted);
    const [one, other] = passed.map((record) => evidenceIn(record).probe!.samples[0]!.call) as [
      string,
      string,
    ];
    const task = (await tasksIn(dir)).find(({ task_id }) => task_id === passed[0]!.task_id)!;
    const unit = task.answer_unit === "1" ? "" : ` ${task.answer_unit}`;
    changeCassette(dir, (line) => {
      if (line.key === one) line.reply!.text = `Final answer: ${task.hidden_answer.text}${unit}`;
      if (line.key === other) line.identity!.messages[1]!.content += " ";
      return line;
    });
    const found = await lookAtFitted(dir);
    expect(found.findings).toContainEqual(
      expect.objectContaining({ code: "known_row_accepted", where: task.task_id }),
    );
    expect(codes(found)).toContain("call_misnamed");
  });

  it("sees a reply that was edited, by the file's hash: a reply has none of its own", async () => {
    const dir = copyOf(gated);
    changeCassette(dir, (line) => {
      if (line.reply !== undefined) line.reply.reasoning = "edited";
      return line;
    });
    expect(codes(await look(dir))).toEqual(["file_changed"]);
  });

  it("sees a prompt that holds the answer, under a key made to fit", async () => {
    const dir = copyOf(gated);
    const solved = (await ledgerIn(dir)).find((r) => r.gate === "solve" && r.accepted)!;
    const { call } = evidenceIn(solved).solve!.samples[0]!;
    let forged = "";
    changeCassette(dir, (line) => {
      if (line.key !== call) return line;
      const [system, user] = line.identity!.messages;
      system!.content = "Say 42.";
      user!.content = `The answer is 42. ${user!.content}`;
      forged = callKey(line.identity as unknown as CallIdentity);
      return { ...line, key: forged };
    });
    await changeLedger(dir, (record) =>
      record.task_id === solved.task_id && record.gate === "solve"
        ? withEvidence(record, ({ solve }) => {
            solve!.samples[0]!.call = forged;
          })
        : record,
    );
    const found = await lookAtFitted(dir);
    expect(found.findings).toEqual([
      { code: "decided_otherwise", where: solved.task_id, message: expect.stringContaining("passed") },
    ]);
  });

  it("misses a row that was struck out of the ledger", async () => {
    const dir = copyOf(gated);
    const known = (await ledgerIn(dir)).find((r) => r.gate === "closed_book" && r.status === "rejected")!;
    await changeLedger(dir, (record) => (record.task_id === known.task_id ? undefined : record));
    const found = await lookAtFitted(dir);
    expect(codes(found)).toEqual(["ledger_incomplete"]);
    expect(found.findings[0]!.message).toMatch(/^probe turned away (\d+) rows as known_by_heart/);
  });

  it("says of a row that is no longer one that it cannot be read, and audits the others", async () => {
    const dir = copyOf(plain);
    await changeTasks(dir, ([first, second, ...rest]) => [
      { ...first!, answer_unit: "furlong/fortnight^" },
      { ...second!, hidden_program: second!.hidden_program.replaceAll('"moons"', '"moon"'), table: "moon" },
      ...rest,
    ]);
    const found = await lookAtFitted(dir, { leaks: 0 });
    const [first, second] = await tasksIn(dir);
    expect(found.findings).toContainEqual(
      expect.objectContaining({ code: "row_unreadable", where: first!.task_id }),
    );
    expect(found.findings).toContainEqual(
      expect.objectContaining({
        code: "column_missing",
        where: second!.task_id,
        message: `the dataset has no table moon, which task ${second!.task_id} reads`,
      }),
    );
    expect(found.bounds.some((b) => b.broken)).toBe(true);
  });

  it("asks where a row's decisions are", async () => {
    const dir = copyOf(gated);
    const tasks = await tasksIn(dir);
    // A formula that no other row names would be missing from what the reader of all others was told.
    const task = tasks.find((t) => tasks.some((o) => o !== t && o.formula === t.formula));
    const decisions = (await ledgerIn(dir)).filter((r) => r.task_id === task!.task_id);
    await changeLedger(dir, (record) => (record.task_id === task!.task_id ? undefined : record));
    const found = await lookAtFitted(dir);
    expect(codes(found)).toEqual(["not_in_ledger"]);
    expect(found.findings).toHaveLength(decisions.length);
  });
});

describe("pipeline audit", () => {
  async function command(
    args: Record<string, unknown>,
    json = false,
  ): Promise<{ code: number; out: string }> {
    const texts: string[] = [];
    const io = {
      out: (text: string) => void texts.push(text),
      err: () => {},
      json,
      columns: 100,
      signal: new AbortController().signal,
    } as unknown as Io;
    return { code: await COMMANDS.audit!.run(args, io), out: texts.join("") };
  }

  it("ends with 0 without bounds and with 1 when one is broken", async () => {
    const file = join(root, "bounds.yaml");
    expect((await command({ dir: plain })).code).toBe(0);
    writeFileSync(file, "leaks: 0\nleniency: 0\n");
    expect((await command({ dir: plain, bounds: file })).code).toBe(0);
    writeFileSync(file, "recall_upper: 0.1\n");
    const broken = await command({ dir: plain, bounds: file }, true);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({
      ok: false,
      audit: 1,
      bounds: [{}, { bound: "recall_upper", broken: true }],
    });
  });

  it("refuses a file that holds no bounds, and says what would be right", async () => {
    const file = join(root, "wrong.yaml");
    writeFileSync(file, "recall_uper: 0.1\n");
    await expect(command({ dir: plain, bounds: file })).rejects.toMatchObject({
      kind: "config",
      problems: [{ hint: expect.stringContaining("recall_upper") }],
    });
  });
});
