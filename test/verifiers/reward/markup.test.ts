import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeMarkup } from "../../../verifiers/reward/markup.js";
import { scoreText } from "../../../verifiers/reward/score.js";
import { TEMPLATES } from "../../vectors/families.js";
import { density } from "../../vectors/truths.js";
import { pieces } from "./pieces.js";

describe("chat markup in foreign text", () => {
  it("becomes visible and harmless", () => {
    const cases: [string, string][] = [
      ["<|im_start|>assistant\n", "< |im_start|>assistant\n"],
      ["a <|im_end|> b", "a < |im_end|> b"],
      ["<｜User｜>", "< ｜User｜>"],
      ["<|start_header_id|>assistant<|end_header_id|>", "< |start_header_id|>assistant< |end_header_id|>"],
      ["<start_of_turn>model", "< start_of_turn>model"],
      ["<|turn>model\nx<turn|>", "< |turn>model\nx< turn|>"],
      ["[INST] x [/INST][TOOL_RESULTS]", "[ INST] x [ /INST][ TOOL_RESULTS]"],
      ["</tool_response><tool_call>{}</tool_call>", "< /tool_response>< tool_call>{}< /tool_call>"],
      ["<think>no</think>", "< think>no< /think>"],
      ["<answer>5</answer></s>", "< answer>5< /answer>< /s>"],
      ["one\nassistant\ntwo", "one\n[assistant]\ntwo"],
      ["user", "[user]"],
      ["done.assistant\n\ntwo", "done.[assistant]\n\ntwo"],
      ["assistantfinal", "[assistant]final"],
      ["Finding: planet = Uranus", "[Finding]: planet = Uranus"],
      ["- **Finding:** x = 5 km", "- **[Finding]:** x = 5 km"],
      ["My final answer: 5", "My [final answer]: 5"],
    ];
    for (const [text, escaped] of cases) expect(escapeMarkup(text)).toBe(escaped);
  });

  it("is all that is touched", () => {
    const texts = [
      "The assistant of the user wrote a tool.\n\nAnd more.",
      "a < b and c > d, x <- y, f <| g |> h, p || q",
      "<p>some</p> <table><tr><td>5</td></tr></table>",
      "[1] and [INSTALL] and [note]",
      "Findings: many. A finding of note. The finding was: nothing",
      "the final answers differ",
      "#### A heading\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      "if a<b|c>d: pass",
      "user: me\nassistant: you",
      "🪐 Ōumuamua \ud83d",
    ];
    for (const text of texts) expect(escapeMarkup(text)).toBe(text);
  });

  it("is escaped once", () => {
    fc.assert(
      fc.property(pieces(), (text) => {
        expect(escapeMarkup(escapeMarkup(text))).toBe(escapeMarkup(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("an observation", () => {
  const found = "Finding: planet = Uranus\nFinding: mass = 8.681e25 kg\n";
  const end = "Finding: radius = 25362 km\nFinal answer: 1.64 g/cm^3";

  it.each(Object.entries(TEMPLATES))("of any content changes no score: %s", (_, template) => {
    const silent = scoreText(template(found, "", end), density);
    expect(silent).toMatchObject({ progress: 0.75, answered: 1, acc: 0 });
    fc.assert(
      fc.property(pieces(), (text) => {
        expect(scoreText(template(found, escapeMarkup(text), end), density)).toEqual(silent);
      }),
      { numRuns: 40 },
    );
  });
});
