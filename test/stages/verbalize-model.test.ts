import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import { stream } from "../../pipeline/base/random.js";
import { lint, lintQuestion } from "../../stages/lint.js";
import type { ChatRequest, ModelIdentity, Models, Reply } from "../../stages/model.js";
import { fillPrompt, missingSlots, promptText } from "../../stages/prompts.js";
import type { CheckContext, Outcome, RowStage, StageContext } from "../../stages/stage.js";
import type { ComputedRow, WordedRow } from "../../stages/task.js";
import { verbalize } from "../../stages/verbalize.js";
import { briefOf } from "../../stages/words/brief.js";
import { expectationsOf } from "../../stages/words/expectations.js";
import { wordQuestion } from "../../stages/words/grammar.js";
import { nameLeaks } from "../../verifiers/name-leaks.js";
import { plainText } from "../../verifiers/plain-text.js";
import { valueLeaks } from "../../verifiers/value-leaks.js";
import { cards } from "./words/cards.js";
import { draw } from "./words/programs.js";
import { catalog, rowOf } from "./words/rows.js";

const stage = verbalize as unknown as RowStage<unknown, ComputedRow, WordedRow>;

type Said = string | { readonly why: "truncated" | "refusal" | "context_length" };

/** A writer that says one thing after the other. */
class Writer implements Models {
  readonly asked: ChatRequest<unknown>[] = [];
  constructor(private readonly says: readonly Said[]) {}

  identity(role: string): ModelIdentity | undefined {
    return role === "writer" ? { endpoint: "test", model: "writes-1", revision: null } : undefined;
  }

  async ask<T>(request: ChatRequest<T>): Promise<Reply<T>> {
    const said = this.says[Math.min(this.asked.length, this.says.length - 1)]!;
    this.asked.push(request as ChatRequest<unknown>);
    const call = `call ${this.asked.length}`;
    const usage = { input: null, cached_input: null, output: null, reasoning: null };
    if (typeof said !== "string")
      return { ok: false, call, why: said.why, message: said.why, text: "", usage };
    const value = request.schema!.type.parse({ question: said });
    return { ok: true, call, text: said, reasoning: "", tool_calls: [], value, usage };
  }
}

function run(
  models: Models,
  row: ComputedRow,
  params: object,
): Outcome<WordedRow> | Promise<Outcome<WordedRow>> {
  const context = {
    params: stage.params.parse(params),
    catalog,
    models,
    random: (...names: (string | number)[]) => stream(9, ...names),
  } as unknown as StageContext<unknown>;
  return stage.run(row, context);
}

/** A row whose grammar wording passes the lint, and a wording of it by another voice. */
function clean(from: number): { row: ComputedRow; words: string } {
  for (let seed = from; ; seed++) {
    const row = rowOf(draw(seed), seed);
    const words = wordQuestion(row, cards, stream("model", seed)).question;
    if (lintQuestion({ ...row, question: words, wording: { by: "x", style: {} } }, catalog).length === 0)
      return { row, words };
  }
}

const { row, words } = clean(40);
const out = async (outcome: Outcome<WordedRow> | Promise<Outcome<WordedRow>>): Promise<WordedRow> => {
  const result = await outcome;
  if ("reject" in result) throw new Error(result.reject.reason);
  return result.out;
};

describe("verbalize without a role", () => {
  it("keeps its params and its row as they were before models could write", async () => {
    expect(Object.keys(stage.params.parse({}) as object)).toEqual(["styles"]);
    const worded = await out(run(new Writer([]), row, {}));
    const { question, style } = wordQuestion(row, cards, stream(9, "wording", row.id));
    expect(canonicalJson(worded)).toBe(
      canonicalJson({ ...row, question, wording: { by: "grammar/1", style } }),
    );
    expect([stage.version, stage.roles!(stage.params.parse({}))]).toEqual([3, []]);
  });

  it("says that a tone or a language needs a role", () => {
    const problems = stage.check!(
      stage.params.parse({ language: "de", style: ["terse"] }),
      {} as CheckContext,
    );
    expect(problems.map((p) => [p.code, p.path])).toEqual([
      ["needs_role", ["language"]],
      ["needs_role", ["style"]],
    ]);
    expect(stage.params.safeParse({ role: "w", language: "de_DE" }).success).toBe(false);
  });
});

describe("verbalize with a role", () => {
  it("takes a question that passes the lint, and notes who wrote it and by which calls", async () => {
    const writer = new Writer([`  ${words}\n`]);
    const worded = await out(run(writer, row, { role: "writer", style: ["narrative"] }));
    expect(worded.question).toBe(words);
    expect(worded.wording).toEqual({
      by: "model/1",
      style: { language: "en", tone: "narrative", tries: "1" },
      calls: ["call 1"],
    });
    expect(writer.asked[0]!.messages[0]!.content).toMatch(/English, in a narrative tone/);
    expect(writer.asked[0]!.messages[1]!.content).toBe(briefOf(row, cards));
  });

  it("goes back with what the lint found, in calls that all differ", async () => {
    const writer = new Writer(["What is it?", { why: "truncated" }, words]);
    const worded = await out(run(writer, row, { role: "writer" }));
    expect(worded.question).toBe(words);
    expect(worded.wording.calls).toEqual(["call 1", "call 2", "call 3"]);
    const identities = writer.asked.map((r) => canonicalJson({ m: r.messages, s: r.sample }));
    expect(new Set(identities).size).toBe(3);
    expect(writer.asked[1]!.messages).toHaveLength(4);
    expect(writer.asked[1]!.messages[3]!.content).toMatch(/fewer than 30/);
    expect(writer.asked[2]!.messages).toEqual(writer.asked[1]!.messages);
  });

  it("never tells the writer what it gave away", async () => {
    const leaking = `${words.slice(0, -1)}, which is ${row.selection!.entity.name} with ${row.answer.text} ${row.answer.unit}.`;
    const writer = new Writer([leaking, words]);
    await out(run(writer, row, { role: "writer" }));
    const told = writer.asked[1]!.messages.at(-1)!.content;
    expect(told).not.toContain(row.selection!.entity.name);
    expect(told).not.toContain(row.answer.text);
    expect(told).toMatch(/names an entity/);
  });

  it("falls back on the grammar, or rejects with every try", async () => {
    const bad = new Writer(["What is it?"]);
    const worded = await out(run(bad, row, { role: "writer", attempts: 2 }));
    const { question } = wordQuestion(row, cards, stream(9, "wording", row.id));
    expect(worded).toMatchObject({ question, wording: { by: "grammar/1", calls: ["call 1", "call 2"] } });
    const rejected = await run(new Writer(["What is it?", { why: "refusal" }]), row, {
      role: "writer",
      attempts: 2,
      fallback: "reject",
    });
    expect(rejected).toMatchObject({
      reject: {
        reason: "no_clean_wording",
        evidence: { tries: [{ question: "What is it?" }, { call: "call 2", why: "refusal" }] },
      },
    });
    const long = new Writer([{ why: "context_length" }]);
    await run(long, row, { role: "writer" });
    expect(long.asked).toHaveLength(1);
  });

  it("leaves rows to the grammar where the role is off, and their words alone where they have some", async () => {
    const off = await out(run(new Writer([]), row, { role: "nobody" }));
    expect(off.wording.by).toBe("grammar/1");
    const worded = {
      ...off,
      question: words,
      gates: [...off.gates, { gate: "lint", status: "passed" as const, why: "" }],
    };
    expect(await out(run(new Writer([]), worded, { role: "nobody" }))).toEqual(worded);
    const kept = await out(run(new Writer(["no"]), worded, { role: "writer" }));
    expect([kept.question, kept.gates]).toEqual([words, worded.gates]);
  });

  it("takes back what gates said of the words that it replaces", async () => {
    const judged = (gate: string) => ({ gate, status: "passed" as const, why: "before" });
    const before = {
      ...row,
      gates: [judged("twice_computed"), judged("lint"), judged("contamination"), judged("closed_book")],
    };
    const worded = await out(run(new Writer([words]), before, { role: "writer" }));
    expect(worded.gates.map((g) => g.gate)).toEqual(["twice_computed"]);
  });

  it("sends another prompt in place of its own", async () => {
    const writer = new Writer([words]);
    await run(writer, row, {
      role: "writer",
      prompt: "Write in {{language}}: {{tone}} {{other}}",
      style: ["terse"],
    });
    expect(writer.asked[0]!.messages[0]!.content).toBe("Write in English: terse {{other}}");
    const idle = stage.params.parse({ role: "writer", prompt: "Write.", style: ["terse"] });
    expect(stage.check!(idle, {} as CheckContext)).toMatchObject([
      { code: "missing_slot", path: ["prompt"] },
    ]);
  });
});

describe("other languages", () => {
  const german = clean(40);

  it("are linted as far as numbers, form and leaks go; the gate has then not run", async () => {
    const wording = { by: "model/1", style: { language: "de" } };
    const numbers = expectationsOf(german.row, catalog).wanted.numbers.map((n) => n.value);
    const question = `Welcher Wert ergibt sich hier, wenn ${numbers.map((n) => `${n}`).join(" und ")} als Grenze gilt?`;
    const worded = { ...german.row, question, wording };
    expect(lintQuestion(worded, catalog)).toEqual([]);
    const passed = (await lint.run(worded, { catalog } as never)) as { out: WordedRow };
    expect(passed.out.gates.find((g) => g.gate === "lint")).toMatchObject({ status: "not_run" });
    const named = { ...worded, question: question.replace("hier", german.row.selection!.entity.name) };
    expect(lintQuestion(named, catalog).map((f) => f.code)).toContain("name_leaked");
  });

  it("are not replaced by English unless the config says so", async () => {
    expect(await run(new Writer(["no"]), row, { role: "writer", language: "de" })).toMatchObject({
      reject: { reason: "no_clean_wording" },
    });
    const writer = new Writer(["no"]);
    const worded = await out(run(writer, row, { role: "writer", language: "de", fallback: "grammar" }));
    expect(worded.wording.by).toBe("grammar/1");
    expect(worded.wording.style.language).toBeUndefined();
    expect(writer.asked[0]!.messages[0]!.content).toContain("the language with the tag “de”");
  });
});

describe("briefs", () => {
  it("hold all that the lint looks for in a question, and nothing that it forbids", () => {
    for (let seed = 0; seed < 300; seed++) {
      const drawn = rowOf(draw(seed), seed);
      const brief = briefOf(drawn, cards);
      const found = lintQuestion({ ...drawn, question: brief, wording: { by: "x", style: {} } }, catalog);
      const codes = found
        .filter((f) => f.code !== "malformed")
        .map((f) => `${f.code}: ${f.what} ${f.where ?? ""}`);
      expect([seed, codes]).toEqual([seed, []]);
      const { names, hidden, stated } = expectationsOf(drawn, catalog);
      const plain = plainText(briefOf(drawn, cards, false));
      expect([...nameLeaks(plain, names, "name"), ...valueLeaks(plain, hidden, stated)]).toEqual([]);
    }
  });
});

describe("prompts", () => {
  it("are filled in one pass, whatever the texts hold", () => {
    expect(fillPrompt("{{a}} {{b}} {{c}}", { a: "{{b}} $& $1", b: "x" })).toBe("{{b}} $& $1 x {{c}}");
    expect(fillPrompt("{{constructor}}", {})).toBe("{{constructor}}");
    expect(missingSlots("a {{b}}", ["a", "b"])).toEqual(["a"]);
    for (const name of ["write", "repair", "read"]) expect(promptText(name).length).toBeGreaterThan(100);
  });
});
