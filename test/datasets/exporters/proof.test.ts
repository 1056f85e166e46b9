import { describe, expect, it } from "vitest";
import { conversation } from "../../../datasets/exporters/conversation.js";
import { plainMessages } from "../../../datasets/exporters/hermes.js";
import { pythonJson } from "../../../datasets/exporters/json-text.js";
import { openaiMessage } from "../../../datasets/exporters/openai.js";
import { failuresOf } from "../../../datasets/exporters/proof/checks.js";
import { templateOf } from "../../../datasets/exporters/proof/families.js";
import { ChatTemplate } from "../../../datasets/exporters/proof/render.js";
import { allLearned, type ChatMessage, type MaskBy } from "../../../datasets/exporters/proof/view.js";
import { sampleRecord } from "./sample.js";

const row = conversation(sampleRecord(2, { turns: 2, reasoning: true, empty: false, huge: false }), 0);
const read = (args: "object" | "text") =>
  row.turns.map(
    (turn) =>
      JSON.parse(
        JSON.stringify({ ...openaiMessage(turn, "text"), tool_calls: calls(turn.calls, args) }),
      ) as ChatMessage,
  );
const calls = (all: (typeof row.turns)[number]["calls"], form: "object" | "text") =>
  all.length === 0
    ? undefined
    : all.map(({ id, name, args, text }) => ({
        id,
        type: "function",
        function: { name, arguments: form === "object" ? args : text },
      }));

/** The checks that fail for messages under a family. */
function failing(
  family: string,
  messages: ChatMessage[],
  mask: MaskBy = "tags",
  learned = allLearned(messages),
): string[] {
  const template = new ChatTemplate(templateOf(family, mask === "tags"));
  const view = { messages, tools: row.tools, learned };
  return [...new Set(failuresOf(template, view, mask, row, new Set()).map(({ check }) => check))];
}

describe("proof", () => {
  it("finds nothing wrong with what is right, by marks and by other words in a message's place", () => {
    for (const family of ["qwen3", "qwen3_5", "qwen3_6", "glm4moe"]) {
      expect(failing(family, read("object"))).toEqual([]);
      expect(failing(family, read("object"), "diff")).toEqual([]);
    }
  });

  it("sees arguments that are JSON in a JSON text", () => {
    const plain = conversation(sampleRecord(2, { turns: 2, reasoning: false, empty: false, huge: false }), 0);
    const messages = plain.turns.map(
      (turn) => JSON.parse(JSON.stringify(openaiMessage(turn, "text"))) as ChatMessage,
    );
    const template = new ChatTemplate(templateOf("qwen2_5", true));
    const found = failuresOf(
      template,
      { messages, tools: plain.tools, learned: allLearned(messages) },
      "tags",
      plain,
      new Set(),
    );
    expect(found.map(({ check }) => check)).toContain("double_encoded");
    expect(found.find(({ check }) => check === "double_encoded")!.message).toBe(2);
  });

  it("sees arguments filled up with the other tools' nulls", () => {
    const polluted = read("object").map((message) => {
      const made = message.tool_calls as { function: { arguments: object } }[] | undefined;
      const filled = made?.map((call) => ({
        ...call,
        function: {
          ...call.function,
          arguments: { query: null, url: null, code: null, ...call.function.arguments },
        },
      }));
      return { ...message, ...(filled === undefined ? {} : { tool_calls: filled }) } as ChatMessage;
    });
    expect(failing("qwen3", polluted)).toContain("leaked_null");
    const members = read("object").map((message) => ({ tool_calls: null, ...message }));
    expect(failing("qwen3", members as ChatMessage[])).toContain("leaked_null");
  });

  it("sees lost reasoning, calls, texts and tools", () => {
    expect(failing("qwen2_5", read("object"))).toEqual(["lost_reasoning"]);
    const without = (name: string) => read("object").map(({ [name]: _gone, ...rest }) => rest as ChatMessage);
    expect(failing("qwen3", without("reasoning_content"))).toEqual(["lost_reasoning"]);
    expect(failing("qwen3", without("tool_calls"))).toEqual(["lost_tool_call"]);
    const muted = read("object").map((message) =>
      message.role === "tool" ? { ...message, content: "" } : message,
    );
    expect(failing("qwen3", muted)).toEqual(["lost_content"]);
    const template = new ChatTemplate(templateOf("qwen3", true));
    const view = { messages: read("object"), tools: [], learned: allLearned(read("object")) };
    expect(failuresOf(template, view, "tags", row, new Set()).map(({ check }) => check)).toContain(
      "lost_tool",
    );
  });

  it("sees a mask that is not the row's", () => {
    const flags = allLearned(read("object"));
    expect(
      failing(
        "qwen3",
        read("object"),
        "tags",
        flags.with === undefined ? [false, ...flags.slice(1)] : flags.with(0, false),
      ),
    ).toEqual(["mask"]);
    // Qwen3 treats the last message otherwise: a reader that renders message by message is told another story than the model.
    expect(failing("qwen3", read("object"), "each")).toEqual(["mask"]);
    // A template without marks has nothing for a reader that goes by them.
    const untagged = new ChatTemplate({
      name: "own",
      text: "{% for m in messages %}{{ m.content }}{% endfor %}",
      reasoning: true,
    });
    const view = { messages: read("object"), tools: row.tools, learned: flags };
    expect(failuresOf(untagged, view, "tags", row, new Set())).toEqual([
      expect.objectContaining({ check: "mask" }),
    ]);
  });

  it("says what a template refuses", () => {
    const text = "{{ raise_exception('no tools here') }}";
    const view = { messages: read("object"), tools: row.tools, learned: allLearned(read("object")) };
    const failures = failuresOf(
      new ChatTemplate({ name: "own", text, reasoning: true }),
      view,
      "diff",
      row,
      new Set(),
    );
    expect(failures).toEqual([
      { check: "template", message: -1, why: expect.stringContaining("no tools here") },
    ]);
  });
});

describe("the Hermes form", () => {
  it("renders to what Qwen2.5 makes of the structured form", () => {
    const template = new ChatTemplate(templateOf("qwen2_5", false));
    for (let seed = 0; seed < 12; seed++) {
      const own = conversation(sampleRecord(seed, { reasoning: false, huge: false }), 0);
      const structured = own.turns.map(
        (turn) =>
          ({
            ...JSON.parse(JSON.stringify(openaiMessage(turn, "text"))),
            tool_calls: calls(turn.calls, "object"),
          }) as ChatMessage,
      );
      const clean = structured.map(({ tool_calls, ...message }) =>
        tool_calls === undefined ? message : { ...message, tool_calls },
      ) as ChatMessage[];
      const plain = plainMessages(own).map((message) => ({ ...message }));
      expect(template.render(plain, [])).toBe(template.render(clean, own.tools));
    }
  });

  it("prints JSON as Python does, digits kept", () => {
    expect(pythonJson(`"${"x".repeat(20_000_000)}"`).length).toBe(20_000_002);
    expect(pythonJson('{"a":[1,2.50,12345678901234567890],"b":"x,\\u00e9: \\"y\\"","c":{}}')).toBe(
      '{"a": [1, 2.50, 12345678901234567890], "b": "x,é: \\"y\\"", "c": {}}',
    );
  });
});

describe("rows that are no conversation", () => {
  const record = sampleRecord(0, { turns: 1 });
  const wrong = (change: Partial<(typeof record.messages)[number]>, at = 2) =>
    conversation(
      { ...record, messages: record.messages.map((m, i) => (i === at ? { ...m, ...change } : m)) },
      7,
    );

  it.each([
    ["no JSON", { tool_calls: "[{" }, "`tool_calls` is not JSON"],
    [
      "arguments that are no object",
      { tool_calls: '[{"id":"a","name":"search","arguments":"[1]"}]' },
      "no object",
    ],
    [
      "half a surrogate pair",
      { tool_calls: '[{"id":"a","name":"search","arguments":"{\\"q\\":\\"\\\\ud800\\"}"}]' },
      "half a surrogate",
    ],
    ["an unknown role", { role: "developer" }, "its role"],
  ])("%s", (_what, change, message) => {
    expect(() => wrong(change)).toThrow(message);
    expect(() => wrong(change)).toThrow("sft row 7");
  });

  it("an observation without its call, and a lesson that is not the assistant's", () => {
    expect(() => wrong({ tool_call_id: "other" }, 3)).toThrow("answers no tool call");
    expect(() => wrong({ loss: true }, 1)).toThrow("only an assistant");
  });
});
