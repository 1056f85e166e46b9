import { it } from "vitest";
import { run, verify } from "../../pipeline/index.js";
import { CONFIG, SHIPPED_CASSETTE, HASHES } from "./record.js";
import { filesOf } from "../server/asking-run.js";
import { readFileSync, rmSync } from "node:fs";
it("tries", async () => {
  for (const threads of [1, 2]) {
  const t = performance.now();
  rmSync("/tmp/shipped/out", { recursive: true, force: true });
  const r = await run(CONFIG, { outDir: "/tmp/shipped/out", env: {}, mode: "replay", cassette: SHIPPED_CASSETTE, threads });
  console.log(performance.now() - t);
  if (threads === 1) console.log(r.manifest.stages.map((s) => `${s.id} ${s.in} ${s.created} ${s.out} ${JSON.stringify(s.rejected)}`).join("\n"));
  const want = JSON.parse(readFileSync(HASHES, "utf8"));
  const got = filesOf("/tmp/shipped/out");
  console.log(Object.keys({ ...want, ...got }).filter((k) => want[k] !== got[k]));
  }
  const t = performance.now();
  const v = await verify("/tmp/shipped/out");
  console.log(performance.now() - t);
  console.log(JSON.stringify(v, null, 1).slice(0, 3000));
});
