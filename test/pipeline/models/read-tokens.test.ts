import { describe, expect, it } from "vitest";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { readReply } from "../../../pipeline/models/read-reply.js";
import { asReply } from "../../../pipeline/models/replies.js";
import { inFolder } from "../helpers.js";
import { askerOf, callOf } from "./cassette-fixture.js";

/** A completion in vLLM's form. */
const body = (more: object = {}, choice: object = {}) => ({
  model: "m",
  choices: [
    {
      message: { role: "assistant", content: "5 kg" },
      finish_reason: "stop",
      token_ids: [7, 8],
      logprobs: {
        content: [
          { token: "5", logprob: -0.5 },
          { token: " kg", logprob: -0.125 },
        ],
      },
      ...choice,
    },
  ],
  prompt_token_ids: [1, 2, 3],
  ...more,
});
const tokens = (given: object) => readReply(given, undefined).tokens;

describe("token ids", () => {
  it("are read with log probabilities and expert routes", () => {
    const routed_experts = [[[0, 3]], [[1, 2]]];
    expect(tokens(body({}, { routed_experts }))).toEqual({
      prompt: [1, 2, 3],
      completion: [7, 8],
      logprobs: [-0.5, -0.125],
      experts: routed_experts,
    });
    // SGLang's routes are text.
    expect(tokens(body({}, { routed_experts: "AAEC" }))?.experts).toBe("AAEC");
  });

  it("are there as a whole or not at all", () => {
    expect(tokens(body({ prompt_token_ids: null }))).toBeUndefined();
    expect(tokens(body({}, { token_ids: null }))).toBeUndefined();
    expect(tokens(body({}, { token_ids: [7, -1] }))).toBeUndefined();
    expect(tokens(body({ prompt_token_ids: ["1"] }))).toBeUndefined();
  });

  it("go without log probabilities where these are missing or of another length", () => {
    expect(tokens(body({}, { logprobs: null }))?.logprobs).toBeNull();
    expect(tokens(body({}, { logprobs: { content: [{ logprob: -1 }] } }))?.logprobs).toBeNull();
  });

  it("come back from the disk as they were", () =>
    inFolder(async (dir) => {
      const reply = readReply(body(), undefined);
      const call = { ...callOf(1), reply };
      const cassette = await openCassette(dir, { mode: "auto" });
      await cassette.keep(call, askerOf(1));
      await cassette.close();
      const again = await openCassette(dir, { mode: "replay" });
      const found = asReply(call.key, again.find(call.key)!);
      expect(found).toMatchObject({ ok: true, tokens: reply.tokens });
      await again.close();
    }));
});
