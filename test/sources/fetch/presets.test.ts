import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import type { FetchResult } from "../../../sources/fetch/fetch.js";
import {
  type Block,
  command,
  fetchCard,
  type Handler,
  newFolder,
  type Served,
  serve,
  whyNot,
  writeCard,
} from "./helper.js";
import * as publishers from "./publishers.js";

/** The blocks of the guide: what is written there is what is run here. */
const PRESETS = new Map(
  [...readFileSync("docs/fetch.md", "utf8").matchAll(/```yaml\n# preset: (\S+)\n([^`]*)```/g)].map(
    ([, name, text]) => [
      name!,
      parse(text!) as { snapshot: Block & { file: string }; fetch: Block & { url: string } },
    ],
  ),
);

interface Done {
  readonly result: FetchResult;
  readonly served: Served;
  readonly path: string;
  /** The snapshot. */
  readonly text: string;
  readonly err: string;
}

/** Runs `sources fetch` with the block of the guide, its host replaced by a local one, and waits cut short by its rate alone. */
async function run(name: string, handler: Handler, more: Block): Promise<Done> {
  const { snapshot, fetch } = PRESETS.get(name)!;
  const served = await serve(handler);
  const folder = newFolder();
  const local = JSON.parse(JSON.stringify(fetch).replaceAll(new URL(fetch.url).origin, served.url)) as Block;
  const path = writeCard(folder, snapshot, { ...local, rate: { per_second: 50 } }, more);
  const { code, out, err } = await command("sources", "fetch", path, "--allow-host", served.host, "--json");
  expect([code, err.includes("internal")]).toEqual([0, false]);
  const result = JSON.parse(out) as FetchResult;
  return { result, served, path, text: readFileSync(join(folder, snapshot.file), "utf8"), err };
}

const text = (from: string): Block => ({ from, type: "text", scale: "nominal" });
const keyed = (from: string, ...others: string[]): Block => ({
  columns: { id: text(from), ...Object.fromEntries(others.map((other, i) => [`c${i}`, text(other)])) },
});

afterEach(() => vi.unstubAllEnvs());

describe("the guide's blocks, against servers in the publishers' shapes", () => {
  it("are all tried", () => {
    expect([...PRESETS.keys()].sort()).toEqual([
      "exoplanet-archive",
      "exoplanet-archive-columns",
      "lmfdb",
      "ourairports",
      "pubchem",
      "sbdb",
      "uniprot",
      "usgs",
      "wikidata",
    ]);
  });

  it("Exoplanet Archive: an error with the status 200 is no table; the count is asked for before and after", async () => {
    const { result, text, served, err } = await run(
      "exoplanet-archive",
      publishers.exoplanetArchive(),
      keyed("pl_name", "pl_rade"),
    );
    expect(result).toMatchObject({ records: 3, pages: 1, requests: 4, state: "written" });
    expect(text).toContain('"HD 1, b","HD 1",,,\n"TOI-1 b","TOI-1",3.0927,,2.10\n');
    expect(served.asked.at(-1)!.url.searchParams.get("query")).toBe("select count(*) as n from pscomppars");
    expect(err).toContain("a page of markup");
  });

  it("Exoplanet Archive: units and descriptions of columns", async () => {
    const { result, text } = await run(
      "exoplanet-archive-columns",
      publishers.exoplanetArchive(),
      keyed("column_name", "unit", "description"),
    );
    expect(result.records).toBe(2);
    expect(JSON.parse(text)[0]).toMatchObject({ column_name: "pl_bmasse", unit: "Earth mass" });
  });

  it("JPL: arrays under one list of names, over three pages", async () => {
    const { result, text, served } = await run(
      "sbdb",
      publishers.sbdb(),
      keyed("spkid", "full_name", "diameter"),
    );
    expect(result).toMatchObject({ records: 4100, pages: 3, requests: 5 });
    const whole = JSON.parse(text) as { fields: string[]; data: (string | null)[][] };
    expect(Object.keys(whole)).toEqual(["fields", "data"]);
    expect(whole.fields[0]).toBe("spkid");
    expect(whole.data[4099]).toEqual([
      "20004100",
      "  4100 Body 4100",
      "2.60",
      "2.60",
      "2.60",
      "2.60",
      "2.60",
    ]);
    expect(served.asked.map(({ url }) => url.searchParams.get("limit-from"))).toEqual([
      null,
      "0",
      "2000",
      "4000",
      null,
    ]);
  });

  it("PubChem: identifiers by the hundred; rests when its header says red or black", async () => {
    const { snapshot, fetch } = PRESETS.get("pubchem")!;
    const served = await serve(publishers.pubchem());
    const folder = newFolder();
    const local = { ...fetch, url: fetch.url.replace(new URL(fetch.url).origin, served.url) };
    const { result, events, clock } = await fetchCard(
      writeCard(folder, snapshot, local, keyed("CID", "Title")),
    );
    expect(result).toMatchObject({ records: 1000, pages: 10, requests: 11 });
    const text = readFileSync(join(folder, snapshot.file), "utf8");
    expect(text.slice(0, 85)).toBe(
      '"CID","Title","MolecularFormula","MolecularWeight","XLogP"\n1,"Compound, no. 1","C1H2"',
    );
    expect(text.match(/CID/g)).toHaveLength(1);
    expect(served.asked[0]!.body.startsWith("cid=1%2C2%2C3%2C")).toBe(true);
    const waits = events.filter(({ type }) => type === "wait");
    expect(waits).toMatchObject([{ why: "the server answers 503: Busy" }, { seconds: 5 }]);
    // Four a second: eleven requests take ten quarters of a second beside the rests.
    const slept = clock.slept.reduce((sum, ms) => sum + ms, 0);
    expect(slept).toBeGreaterThan(60_000 + 5000 + 8 * 250);
    expect(slept).toBeLessThan(61_000 + 5000 + 10 * 250 + 10);
  });

  it("UniProt: next pages by Link, quotes that are no quotes", async () => {
    const { result, text } = await run("uniprot", publishers.uniprot(), keyed("Entry", "Protein names"));
    expect(result).toMatchObject({ records: 1203, pages: 3, requests: 3 });
    expect(text.match(/Entry Name/g)).toHaveLength(1);
    expect(text).toContain('P01203\tT1203_HUMAN\t"Quoted" protein 1203\t1203\t132330\n');
  });

  it("USGS: 20,000 at a time from 1", async () => {
    const { result, text, served } = await run(
      "usgs",
      publishers.usgs(20_020),
      keyed("id", "properties.mag"),
    );
    expect(result).toMatchObject({ records: 20_020, pages: 2, requests: 4 });
    expect(served.asked.map(({ url }) => url.searchParams.get("offset"))).toEqual([null, "1", "20001", null]);
    expect(text.slice(0, 14)).toBe('{"features":[\n');
    expect(text).not.toContain("generated");
    expect((JSON.parse(text) as { features: { id: string }[] }).features.at(-1)!.id).toBe("us20020");
  });

  it("OurAirports: the very file, and nothing when it has not changed", async () => {
    let file = '"id","ident","name"\n1,"AGAT","Atoifi Airport"\n2,"SBGL","Galeão"\n';
    const { result, text, path, served } = await run(
      "ourairports",
      publishers.ourairports(() => file),
      keyed("ident", "name"),
    );
    expect(text).toBe(file);
    expect(result).toMatchObject({ records: 2, pages: 1, requests: 1 });
    const again = await command("sources", "fetch", path, "--allow-private");
    expect(again.out).toContain(
      "airports.csv unchanged; 2 records, 1 page (1 request, 1 page unchanged at the server)",
    );
    expect((await command("sources", "lock", path)).code).toBe(0);
    file = file.replace("Atoifi Airport", "Atoifi Airfield").concat('3,"NZSP","South Pole"\n');
    const refused = await command("sources", "fetch", path, "--allow-private");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('1 gained ("NZSP"), 0 lost, 1 changed ("AGAT"), 1 the same');
    expect(served.asked).toHaveLength(3);
    const updated = await command("sources", "fetch", path, "--allow-private", "--update");
    expect(updated.out).toContain("airports.csv replaced; 3 records");
    expect(served.asked).toHaveLength(3);
  });

  it("LMFDB: a next page that never ends ends with an empty one", async () => {
    const { result, text, served } = await run(
      "lmfdb",
      publishers.lmfdb(),
      keyed("lmfdb_label", "regulator"),
    );
    expect(result).toMatchObject({ records: 250, pages: 4, requests: 4 });
    expect(text.split("\n")[0]).toBe('{"id":1,"lmfdb_label":"5078.a1","rank":3,"regulator":0.4171435587}');
    expect(served.asked.at(-1)!.url.searchParams.get("_offset")).toBe("250");
  });

  it("LMFDB: more than it gives is an error, not an early end", async () => {
    const { snapshot, fetch } = PRESETS.get("lmfdb")!;
    const served = await serve(publishers.lmfdb(10_200));
    const local = { ...fetch, url: `${served.url}/api/ec_curvedata/`, rate: { per_second: 50 } };
    const path = writeCard(newFolder(), snapshot, local, keyed("lmfdb_label"));
    expect(await whyNot(path)).toContain("page 102: the server answers 404");
    await expect(fetchCard(path)).rejects.toThrow();
    // The pages before it are not asked for again.
    expect(served.asked).toHaveLength(103);
  });

  it("Wikidata: says who asks, waits as told, and takes no answer that breaks off", async () => {
    vi.stubEnv("TASKMILL_USER_AGENT", "Tester/1.0 (me@example.org)");
    const { result, text, served, err } = await run(
      "wikidata",
      publishers.wikidata(),
      keyed("item.value", "area.value"),
    );
    expect(result).toMatchObject({ records: 3, pages: 1, requests: 3 });
    expect(JSON.parse(text).results.bindings[2].area.value).toBe("3.50");
    expect(served.asked[0]!.headers.accept).toBe("application/sparql-results+json");
    expect(new URLSearchParams(served.asked[0]!.body).get("query")).toMatch(/^SELECT \?item \?area WHERE/);
    expect(err).toContain("the answer is not JSON");
    expect(text + err).not.toContain("me@example.org");
  });
});
