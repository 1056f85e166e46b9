import { batchTransport } from "../../../pipeline/models/batch.js";
import { callKey } from "../../../pipeline/models/call.js";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { modelSpec } from "../../../pipeline/models/spec.js";
import { quickClock } from "./manual-clock.js";

/** Asks for `count` calls by batches and records them, until it is killed: `node child.mjs URL CALLS_DIR COUNT`. */
const [base_url, calls, count] = process.argv.slice(2);
const spec = modelSpec.parse({ base_url, model: "m", batch: { poll: 1 } });
const endpoint = { endpoint: "test", model: "m", revision: null };
const { signal } = new AbortController();
const cassette = await openCassette(calls!, { mode: "auto" });
const transport = batchTransport({
  role: { spec, key: undefined, identity: endpoint },
  calls: calls!,
  fresh: false,
  clock: quickClock,
  onEvent: () => {},
});

async function ask(n: number): Promise<void> {
  const messages = [{ role: "user", content: `question ${n}` }];
  const identity = { ...endpoint, messages, tools: [], sampling: {}, response_format: null, sample: 0 };
  const key = callKey(identity);
  if (cassette.find(key) !== undefined) return;
  const asker = { role: "solver", instance: "probe", row: `r${n}`, sample: 0 };
  await cassette.intend({ key, model: "m", ...asker });
  const reply = await transport.send({ key, identity, body: { model: "m", messages } }, signal);
  await cassette.keep({ key, identity, reply }, asker);
}

await Promise.all(Array.from({ length: Number(count) }, (_, n) => ask(n)));
await cassette.close();
