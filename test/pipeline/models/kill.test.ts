import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stream } from "../../../pipeline/base/random.js";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { askingRun, filesOf } from "../../server/asking-run.js";
import { type Bundle, bundleOf } from "../../server/bundle.js";
import { guesser, type ServedRequest, scripted, startServer, type TestServer } from "../../server/index.js";
import { inFolder } from "../helpers.js";

/** More are for those who change the client: `TASKMILL_KILLS=50`. */
const KILLS = Number(process.env.TASKMILL_KILLS ?? 6);
const CONCURRENCY = 8;
/** Enough that calls are still open at the last kill. */
const ROWS = 30 + 10 * KILLS;
const DRAWS = 2;

describe("kill -9 with calls in flight, against a server that never says the same twice", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleOf("./asking-child.ts");
  });
  afterAll(() => bundle.remove());

  interface Life {
    readonly code: number | null;
    readonly said: string;
  }

  /** One life of the run; it ends by SIGKILL `ms` after the server has seen `after` requests of it. */
  async function life(dir: string, server: TestServer, kill?: { after: number; ms: number }): Promise<Life> {
    const limits = { concurrency: CONCURRENCY };
    const options = JSON.stringify({ dir, url: server.url, rows: ROWS, draws: DRAWS, limits });
    const child = spawn(process.execPath, [bundle.file, options], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = new Promise<Life>((resolve) => child.once("close", (code) => resolve({ code, said })));
    if (kill !== undefined) {
      const start = server.requests.length;
      let over = false;
      void ended.then(() => {
        over = true;
      });
      while (!over && server.requests.length < start + kill.after) await setTimeout(1);
      await setTimeout(kill.ms);
      child.kill("SIGKILL");
    }
    const end = await ended;
    // The server notices a little later that nobody listens any more.
    while (server.open() > 0) await setTimeout(1);
    return end;
  }

  it(
    `pays for no recorded call again (${KILLS} kills)`,
    () =>
      inFolder(async (dir) => {
        const server = await startServer({
          brains: {
            solver: guesser(),
            reader: scripted(({ prompt, random }) => ({ about: prompt, size: random.int(1e9) })),
          },
          differ: true,
          latency: ({ random }) => 2 + random.int(12),
        });
        const random = stream(20261129, "kills");
        /** Bodies whose calls are recorded: none of them may be asked for from then on. */
        const recorded = new Set<string>();
        const log = join(dir, "out/calls/log.ndjson");
        let killed = 0;
        let inFlight = 0;
        let pending = 0;
        for (let k = 0; k < KILLS; k++) {
          const start = server.requests.length;
          const { code, said } = await life(dir, server, { after: 1 + random.int(24), ms: random.int(15) });
          if (code === null) killed++;
          // What the life before left open was told at the start of this one.
          expect(said.includes("may have been billed")).toBe(pending > 0);
          if (pending > 0) expect(said).toMatch(new RegExp(`^${pending} calls? of an earlier run`, "m"));
          const seen = server.requests.slice(start);
          expect(seen.filter((r) => recorded.has(r.key))).toEqual([]);
          const texts = recordedTexts(log);
          for (const { key, content } of server.requests) if (texts.has(content ?? "")) recorded.add(key);
          const cassette = await openCassette(join(dir, "out/calls"), { mode: "replay" });
          const open = new Set(cassette.pending.map((i) => `${i.role} ${i.row} ${i.sample}`));
          pending = cassette.pending.length;
          await cassette.close();
          // Whatever reached the server and is not recorded is known to have been sent.
          const lost = seen.filter((r) => !recorded.has(r.key));
          for (const { body } of lost) expect(open).toContain(askerOf(body));
          inFlight += lost.length;
        }
        expect(killed).toBe(KILLS);
        expect(inFlight).toBeGreaterThan(KILLS / 2);

        const before = server.requests.length;
        expect(await life(dir, server)).toMatchObject({ code: 0 });
        expect(server.requests.slice(before).filter((r) => recorded.has(r.key))).toEqual([]);
        const asked = new Set(server.requests.map((r) => r.key));
        expect(asked.size).toBe(ROWS * (DRAWS + 1));
        // Nothing but what was in flight at a kill is ever paid twice.
        expect(server.requests.length - asked.size).toBe(inFlight);
        await server.close();

        const out = join(dir, "out");
        const again = join(dir, "again");
        await askingRun({
          dir: again,
          url: server.url,
          rows: ROWS,
          draws: DRAWS,
          mode: "replay",
          cassette: join(out, "cassette.ndjson"),
        });
        expect(filesOf(join(again, "out"))).toEqual(filesOf(out));
      }),
    120_000 + KILLS * 10_000,
  );
});

/** Texts of the replies in a log whose last line, and others, may be torn. */
function recordedTexts(log: string): Set<string> {
  const texts = new Set<string>();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    try {
      const { event, reply } = JSON.parse(line.slice(Math.max(0, line.indexOf("{")))) as {
        event: string;
        reply: { text: string };
      };
      if (event === "end") texts.add(reply.text);
    } catch {
      // Torn.
    }
  }
  return texts;
}

function askerOf(body: ServedRequest["body"]): string {
  const text = body.messages.map((m) => m.content ?? "").join("\n");
  const row = /body (\d+)\?/.exec(text)![1]!;
  return `${body.model} row-${row} ${body.seed ?? 0}`;
}
