import { writeSync } from "node:fs";
import { openCassette } from "../../../pipeline/models/cassette.js";
import { askerOf, callOf } from "./cassette-fixture.js";

/** Records calls from `first` on until it is killed, 16 at once; prints each that is kept: `node child.mjs CALLS_DIR FIRST`. */
const [dir, first] = process.argv.slice(2);
const cassette = await openCassette(dir!, { mode: "auto" });
let next = Number(first);

async function lane(): Promise<void> {
  for (;;) {
    const n = next++;
    // Every seventh is large: what a kill tears is more often one of those.
    const call = callOf(n, `${n} `.repeat(n % 7 === 0 ? 20_000 : 20));
    await cassette.intend({ ...askerOf(n), key: call.key, model: "m" });
    await cassette.keep(call, askerOf(n));
    writeSync(1, `${n}\n`);
  }
}

writeSync(1, "open\n");
await Promise.all(Array.from({ length: 16 }, lane));
