import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "duckdb";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decontaminate } from "../../stages/decontaminate.js";
import { contaminationEvidence } from "../../stages/evidence.js";
import type { QuestionRow } from "../../stages/question.js";
import type { Batch, SetStage, StageContext, StageFile } from "../../stages/stage.js";
import { worded } from "../fixtures/worded.js";

const stage = decontaminate as unknown as SetStage<unknown, QuestionRow, QuestionRow>;

const MARS =
  "A probe of mass 310 kg circles the planet Mars at a height of 275 km above its surface. With a radius of 3389.5 km, what is its orbital speed?";
const LENS =
  "A thin lens of focal length 12 cm forms an image of a candle that stands 30 cm away. Where is the image?";
const BRIEF = "What is the surface gravity of Neptune?";
const OWN = "Which group of order 24 has the most involutions, and how many has it?";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "decontaminate-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const row = (id: string, question: string): QuestionRow => ({ id, question, gates: [] });

function file(name: string, text: string): [string, StageFile] {
  const path = join(folder, name);
  writeFileSync(path, text);
  return [name, { path, sha256: "f".repeat(64) }];
}

async function run(
  rows: readonly QuestionRow[],
  params: object = {},
  files: readonly [string, StageFile][] = [],
): Promise<Batch<QuestionRow>> {
  const catalog = { tables: new Map() };
  const context = { params: stage.params.parse(params), files: new Map(files), catalog };
  return stage.run(rows, context as unknown as StageContext<unknown>);
}

const reasons = (batch: Batch<QuestionRow>) => batch.rejected.map((r) => [r.ref, r.reason]);
const jsonl = (...texts: readonly string[]) =>
  texts.map((question) => JSON.stringify({ question })).join("\n");

describe("decontaminate against files", () => {
  const rows = [row("mars", MARS), row("brief", BRIEF), row("own", OWN), row("lens", LENS)];

  it("rejects copies, with the text as evidence, and passes the others", async () => {
    const texts = jsonl(
      LENS.toUpperCase(),
      `Exercise 3: ${MARS} Show your work.`,
      `Quiz. ${BRIEF} (A) 9 (B) 11`,
    );
    const batch = await run(rows, { against: [{ file: "a.jsonl" }] }, [file("a.jsonl", texts)]);
    expect(reasons(batch)).toEqual([
      ["mars", "shared_ngram"],
      ["brief", "contained"],
      ["lens", "exact_match"],
    ]);
    expect(batch.rejected[0]!.evidence).toMatchObject({
      question: MARS,
      file: "a.jsonl",
      record: 2,
      containment: 1,
      overlap: { ours: MARS.slice(0, -1), theirs: MARS.slice(0, -1), words: 30 },
    });
    expect(batch.out.map((r) => r.id)).toEqual(["own"]);
    const [own] = batch.out;
    expect(own!.gates).toEqual([
      { gate: "contamination", status: "passed", why: "no copy among 3 texts of 1 file" },
    ]);
    expect(contaminationEvidence.parse(own!.contamination)).toEqual({
      files: [{ name: "a.jsonl", sha256: "f".repeat(64), texts: 3 }],
      closest: null,
    });
  });

  it("reads CSV and Parquet, and columns together", async () => {
    const csv = file("b.csv", `n,ask,rest\n1,"${LENS.slice(0, 40)}","${LENS.slice(40)}"\n`);
    const path = join(folder, "c.parquet");
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const quoted = MARS.replaceAll("'", "''");
    await connection.run(
      `COPY (SELECT 7 AS n, '${quoted}' AS "the text") TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`,
    );
    instance.closeSync();
    const against = [
      { file: "b.csv", columns: ["ask", "rest"] },
      { file: "c.parquet", columns: ["the text"] },
    ];
    const batch = await run(rows, { against }, [csv, ["c.parquet", { path, sha256: "0".repeat(64) }]]);
    expect(reasons(batch)).toEqual([
      ["mars", "exact_match"],
      ["lens", "exact_match"],
    ]);
  });

  it("says what is wrong with a column or a file's name", async () => {
    const given = file("d.jsonl", jsonl(LENS));
    const wrong = run(rows, { against: [{ file: "d.jsonl", columns: ["querstion"] }] }, [given]);
    await expect(wrong).rejects.toThrow("d.jsonl has no field `querstion`");
    expect(stage.params.safeParse({ against: [{ file: "notes.txt" }] }).success).toBe(false);
    expect(stage.files?.(stage.params.parse({ against: [{ file: "x.csv" }, { file: "x.csv" }] }))).toEqual([
      "x.csv",
    ]);
  });

  it("does not take one template's questions for one another", async () => {
    const asked = (mass: number, height: number, planet: string) =>
      `A probe of ${mass} kg circles ${planet} ${height} km above its surface. Calculate the speed of the probe on its circular orbit and the time that one revolution around the planet takes.`;
    const files = [file("e.jsonl", jsonl(asked(120, 990, "Venus")))];
    const params = { against: [{ file: "e.jsonl" }] };
    const batch = await run([row("mars", asked(310, 275, "Mars"))], params, files);
    expect(batch.rejected).toEqual([]);
    const { closest } = contaminationEvidence.parse(batch.out[0]!.contamination);
    expect(closest).toMatchObject({ name: "e.jsonl", record: 1 });
    const strict = await run(
      [row("mars", asked(310, 275, "Mars"))],
      { ...params, shared_specifics: 0 },
      files,
    );
    expect(reasons(strict)).toEqual([["mars", "shared_ngram"]]);
  });

  it("masks declared phrases, and runs that many texts of the files or many earlier rows hold", async () => {
    const long = "the bulk density of a body is its mass over the volume of a sphere of its mean radius";
    const asked = (i: number) => row(`r${i}`, `For object number ${i}, note that ${long}. How dense is it?`);
    const text = jsonl(`Of the moons, note that ${long}. Which floats on water?`);
    const against = [{ file: "f.jsonl" }];
    const params = { against, shared_specifics: 0, near_duplicate: 1 };
    const some = await run([asked(1), asked(2), asked(3)], { ...params, common_in_pool: 2 }, [
      file("f.jsonl", text),
    ]);
    expect(reasons(some)).toEqual([
      ["r1", "shared_ngram"],
      ["r2", "shared_ngram"],
    ]);
    const declared = await run([asked(1)], { ...params, boilerplate: [`note that ${long}`] }, [
      file("f.jsonl", text),
    ]);
    expect(declared.rejected).toEqual([]);
    const many = Array.from({ length: 3 }, (_, i) => `Text ${i}: note that ${long}. So what of ${i}?`);
    const common = await run(
      [asked(9)],
      { ...params, common_in_files: 3 },
      [file("g.jsonl", jsonl(...many))].map(([, f]) => ["f.jsonl", f]),
    );
    expect(common.rejected).toEqual([]);
  });

  it("passes rows through as they are where a file is not at hand", async () => {
    const before = { ...row("own", LENS), contamination: { files: [], closest: null } };
    const gone: [string, StageFile] = ["a.jsonl", { path: undefined, sha256: "f".repeat(64) }];
    const batch = await run([before], { against: [{ file: "a.jsonl" }] }, [gone]);
    expect(batch.out).toEqual([before]);
  });

  it("does not run without files, and says so", async () => {
    const { out } = await run([row("own", OWN)]);
    expect(out[0]!.gates).toEqual([
      { gate: "contamination", status: "not_run", why: "no files to compare with are named" },
    ]);
  });

  it("decides about a row whatever comes after it", async () => {
    const words = fc.constantFrom(
      ..."mass radius of Mars Venus 310 275 orbit the planet is speed largest with".split(" "),
    );
    const question = fc.array(words, { minLength: 3, maxLength: 24 }).map((w) => w.join(" "));
    const against = [{ file: "h.jsonl" }];
    await fc.assert(
      fc.asyncProperty(
        fc.array(question, { minLength: 1, maxLength: 12 }),
        fc.array(question, { minLength: 1, maxLength: 6 }),
        fc.nat(12),
        async (questions, texts, n) => {
          const files = [file("h.jsonl", jsonl(...texts, ...questions.slice(0, 1)))];
          const all = questions.map((q, i) => row(`r${i}`, q));
          const params = { against, common_in_pool: 2 };
          const [whole, part] = [await run(all, params, files), await run(all.slice(0, n), params, files)];
          const ids = new Set(all.slice(0, n).map((r) => r.id));
          expect(part.out).toEqual(whole.out.filter((r) => ids.has(r.id)));
          expect(part.rejected).toEqual(whole.rejected.filter((r) => ids.has(String(r.ref))));
          expect(whole.out.length + whole.rejected.length).toBe(all.length);
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });
});

describe("near-duplicates within the pool", () => {
  it("keeps the first of wordings that hardly differ", async () => {
    const batch = await run([
      row("a", `${MARS} Neglect the mass of the probe and all other bodies around it.`),
      row("b", `${MARS} Neglect the mass of the probe and all the other bodies around it.`),
      row("c", `${MARS.replace("275", "475")} Neglect the mass of the probe and all other bodies around it.`),
    ]);
    expect(reasons(batch)).toEqual([["b", "near_duplicate"]]);
    expect(batch.rejected[0]!.evidence).toMatchObject({ first: "a" });
  });

  it("keeps the first of tasks that ask the same of the same entity among the same candidates", async () => {
    const task = (id: string, column: string, runnerUp: string): QuestionRow => ({
      ...worded({
        id,
        question: `Which of those by ${column} is it?`,
        where: [{ column, op: "gt", value: 1 }],
      }),
      gates: [],
      filter: { candidates: 2 },
      selection: { entity: { key: "uranus" }, ranking: [{ key: "uranus" }, { key: runnerUp }] },
    });
    const batch = await run([
      task("a", "mass", "neptune"),
      task("b", "mean_radius", "neptune"),
      task("c", "gm", "saturn"),
    ]);
    expect(reasons(batch)).toEqual([["b", "near_duplicate_program"]]);
  });
});
