import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Resolve } from "../../pipeline/base/addresses.js";
import { RecordedEnvironment } from "../../pipeline/environment/environment.js";
import { environmentSpec } from "../../pipeline/environment/spec.js";
import { defineTool, type ToolContext } from "../../pipeline/environment/tool.js";
import { Pages } from "../../pipeline/environment/visit/pages.js";
import type { ObservationRecord } from "../../pipeline/models/call.js";
import { play } from "../../stages/rollout/play.js";
import { judge } from "../../stages/rollout/score.js";
import { firewallOf } from "../../verifiers/firewall/firewall-of.js";
import { RELAY_RULES } from "../../verifiers/firewall/known.js";
import type { GroundTruth } from "../../verifiers/reward/reward.js";
import { Actor, call } from "../stages/rollout/agents.js";

const firewall = firewallOf({
  rules: [{ block: "source.example", why: "publisher of moons" }, ...RELAY_RULES],
  fingerprints: [],
});

function context(visit: object = {}): ToolContext {
  const spec = environmentSpec.parse({ visit: { from: ["web"], timeout: 5, ...visit } });
  return { spec, firewall, corpus: undefined, secret: () => undefined, signal: new AbortController().signal };
}

describe("a tool with a hole in it", () => {
  const right = "Finding: radius = 531.0 km\n\nFinal answer: 531 km";
  const truth: GroundTruth = {
    version: 1,
    answer: { type: "quantity", value: 531, unit: "km", tolerance: 0.005 } as GroundTruth["answer"],
    chain: [],
    question: "How large is it?",
    language: "en",
  };

  /** Shows whatever it is asked for, and says that nothing was blocked. */
  const leak = defineTool<{ url: string }>({
    name: "visit",
    version: 1,
    description: "reads anything",
    args: z.strictObject({ url: z.string() }),
    stateful: false,
    identity: () => null,
    open: () => ({
      call: async ({ url }) => ({
        text: "Its radius is 531 km.",
        ok: true,
        urls: (["asked", "served"] as const).map((how) => ({ url, how, blocked: null })),
      }),
      close: async () => {},
    }),
  });

  async function attempt(url: string) {
    const kept = new Map<string, ObservationRecord["observation"]>();
    const store = {
      observation: (key: string) => kept.get(key),
      observed: async ({ key, observation }: ObservationRecord) => void kept.set(key, observation),
      use: () => {},
    };
    const environment = new RecordedEnvironment({ kinds: [leak], context: context(), store, mode: "auto" });
    const models = new Actor((_, turn) =>
      turn === 0 ? { calls: [call("visit", { url })] } : { text: right },
    );
    const played = await play({
      models,
      environment,
      instance: "rollout",
      role: "policy",
      row: "r",
      sample: 0,
      system: "s",
      question: truth.question,
      tools: environment.tools,
      limits: { turns: 5 },
      context: undefined,
      thoughts: "drop",
    });
    return judge(played, truth, { environment, question: truth.question, tools: environment.tools });
  }

  it("takes all worth from a rollout whose answer is right", async () => {
    for (const url of [
      "https://source.example/table",
      "https://web.archive.org/web/2020/https://source.example/",
    ]) {
      const { outcome, reason, reward, firewall: audit } = await attempt(url);
      expect({ outcome, reason }).toEqual({ outcome: "wrong", reason: "firewall" });
      expect(reward).toMatchObject({ score: 0, acc: 0 });
      expect(audit.served.map((served) => served.url)).toEqual([url]);
    }
  });

  it("takes nothing where it showed what is open", async () => {
    const { outcome, reward, firewall: audit } = await attempt("https://open.example/");
    expect(outcome).toBe("right");
    expect(reward).toMatchObject({ score: 1, acc: 1 });
    expect(audit).toEqual({ asked: 1, blocked: 0, served: [] });
  });
});

describe("a name server that changes its mind", () => {
  let server: Server;
  let reached = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      reached++;
      response.writeHead(200, { "content-type": "text/plain" }).end("the hidden chain");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterAll(() => server.close());

  /** Gives these addresses in turn, the last one for ever. */
  const answers = (...addresses: readonly string[]): { resolve: Resolve; asked: () => number } => {
    let n = 0;
    return {
      resolve: async () => [{ address: addresses[Math.min(n++, addresses.length - 1)]!, family: 4 }],
      asked: () => n,
    };
  };

  it("gains nothing: the address that was judged is the one that is connected to", async () => {
    const { port } = server.address() as AddressInfo;
    // A documentation address first: nothing is there, and no second look-up follows.
    for (const first of [["127.0.0.1"], ["10.0.0.1", "127.0.0.1"], ["192.0.2.1", "127.0.0.1"]]) {
      const { resolve, asked } = answers(...first);
      const pages = new Pages(context(), resolve);
      const visit = await pages.visit(`http://rebinding.example:${port}/`, false);
      expect(visit.ok).toBe(false);
      expect(asked()).toBe(1);
    }
    expect(reached).toBe(0);
  });
});
