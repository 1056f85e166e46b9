import { readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { findCard } from "/work/main/sources/cards.ts";
import { loadSource } from "/work/main/sources/load.ts";
import { loadCatalog, classCounts } from "/work/main/sources/catalog.ts";
import { openDatabase } from "/work/main/sources/duckdb.ts";
import { TaskmillError } from "/work/main/pipeline/base/errors.ts";
import { execSync } from "node:child_process";
const files = execSync("find /work/shared/data -type f").toString().trim().split("\n");
it("tries", async () => {
  const db = await openDatabase(":memory:");
  for (const f of readdirSync("/work/main/test/sources/cards").filter((f) => f.endsWith(".yaml"))) {
    try {
      const { card } = await findCard(join("/work/main/test/sources/cards", f), "/");
      const t = performance.now();
      const r = await loadSource(card, files.find((p) => p.endsWith("/" + card.snapshot.file))!, db);
      console.log(f, (performance.now() - t).toFixed(0), JSON.stringify({ ...r, samples: r.samples.slice(0, 4) }));
    } catch (e) {
      if (e instanceof TaskmillError) console.log(f, JSON.stringify(e.problems.map((p) => [p.message, p.hint, p.location?.line])));
      else { console.log(f, e); }
    }
  }
  const c = await loadCatalog(db);
  for (const t of c.tables.values()) console.log(t.id, t.rows, t.names.slice(0, 3), t.aliases.slice(0, 2), classCounts(t).map((c) => [c.present, c.total]));
}, 60000);
