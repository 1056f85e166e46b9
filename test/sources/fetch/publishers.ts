import type { Handler } from "./helper.js";
import { csv, json } from "./helper.js";

/**
 * Publishers in their shapes and quirks, with made-up values. What is documented and what is remembered of them stands in
 * docs/fetch.md; each quirk is met on the way, once.
 */

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

/** TAP: one answer; a `count(*)` by itself; errors are VOTables, one of them with the status 200. */
export function exoplanetArchive(): Handler {
  let failed = false;
  return ({ url }, response) => {
    const query = url.searchParams.get("query") ?? "";
    if (url.pathname !== "/TAP/sync") return void response.writeHead(404).end();
    if (query.startsWith("select count(*)")) return json(response, [{ n: 3 }]);
    if (query.includes("TAP_SCHEMA.columns")) {
      return json(response, [
        { column_name: "pl_bmasse", datatype: "double", unit: "Earth mass", description: "Planet Mass" },
        { column_name: "pl_name", datatype: "char", unit: null, description: "Planet Name" },
      ]);
    }
    if (!failed) {
      failed = true;
      response.writeHead(200, { "content-type": "text/xml" });
      const info = '<INFO name="QUERY_STATUS" value="ERROR">too many connections</INFO>';
      return void response.end(
        `<?xml version="1.0"?>\n<VOTABLE><RESOURCE type="results">${info}</RESOURCE></VOTABLE>`,
      );
    }
    csv(
      response,
      'pl_name,hostname,pl_orbper,pl_bmasse,pl_rade\n"11 Com b","11 Com",323.21,4914.89849,12.2\n"HD 1, b","HD 1",,,\n"TOI-1 b","TOI-1",3.0927,,2.10\n',
    );
  };
}

/** Without `fields` only the count; with them arrays of texts; beyond the last record an empty list. */
export function sbdb(total = 4100): Handler {
  return ({ url }, response) => {
    const get = (name: string): string | null => url.searchParams.get(name);
    const signature = { source: "NASA/JPL Small-Body DataBase (SBDB) Query API", version: "1.0" };
    const fields = get("fields")?.split(",");
    if (fields === undefined) return json(response, { signature, count: total });
    if (get("limit-from") !== null && get("limit") === null)
      return void response.writeHead(400).end('{"message":"limit-from needs limit"}');
    const from = Number(get("limit-from"));
    const rows = range(total).slice(from, from + Number(get("limit")));
    const data = rows.map((n) => fields.map((field) => fieldOf(field, n)));
    json(response, { signature, fields, data, count: total });
  };
}

function fieldOf(field: string, n: number): string | null {
  if (field === "spkid") return String(20_000_000 + n);
  if (field === "full_name") return `${String(n).padStart(6)} Body ${n}`;
  return field === "diameter" && n % 3 === 0 ? null : `${(n % 97) / 10}0`;
}

/** Many identifiers by POST; a header that says how near the limits one is; a page of HTML when they are passed. */
export function pubchem(): Handler {
  let asked = 0;
  return ({ method, url, body, headers }, response) => {
    const cids = (new URLSearchParams(body).get("cid") ?? "").split(",");
    if (method !== "POST" || !url.pathname.endsWith("/CSV") || headers["content-type"] === undefined)
      return void response.writeHead(400).end('{"Fault":{"Code":"PUGREST.BadRequest"}}');
    const color = ["Green (3%)", "Black (101%)", "Red (80%)"][asked++] ?? "Yellow (60%)";
    const throttle = `Request Count status: ${color}, Request Time status: Green (0%), Service status: Green (20%)`;
    response.setHeader("x-throttling-control", throttle);
    if (color.startsWith("Black"))
      return void response
        .writeHead(503, { "content-type": "text/html" })
        .end("<html><body>Busy</body></html>");
    const rows = cids.map((cid) => `${cid},"Compound, no. ${cid}","C${cid}H2",${cid}.0${cid},`);
    csv(response, `"CID","Title","MolecularFormula","MolecularWeight","XLogP"\n${rows.join("\n")}\n`);
  };
}

/** A cursor in an absolute `Link`, a total and a release in headers, a header line on each page of tab-separated text. */
export function uniprot(total = 1203): Handler {
  return ({ url, headers }, response) => {
    const size = Number(url.searchParams.get("size"));
    if (size > 500) return void response.writeHead(400).end('{"messages":["size must be less than 500"]}');
    const from = Number((url.searchParams.get("cursor") ?? "c0").slice(1));
    const rows = range(total).slice(from, from + size);
    const next = new URL(url.pathname + url.search, `http://${headers.host}`);
    next.searchParams.set("cursor", `c${from + size}`);
    response.writeHead(200, {
      "content-type": "text/plain;format=tsv",
      "x-total-results": String(total),
      "x-uniprot-release": "2026_02",
      ...(from + size < total ? { link: `<${next.href}>; rel="next"` } : {}),
    });
    const lines = rows.map(
      (n) => `P${String(n).padStart(5, "0")}\tT${n}_HUMAN\t"Quoted" protein ${n}\t${n}\t${n * 110}`,
    );
    response.end(`Entry\tEntry Name\tProtein names\tLength\tMass\n${lines.join("\n")}\n`);
  };
}

/** Offsets from 1, a count by itself, a time in each answer; more than 20,000 events are refused. */
export function usgs(total: number): Handler {
  return ({ url }, response) => {
    const get = (name: string): string | null => url.searchParams.get(name);
    if (url.pathname.endsWith("/count")) return json(response, { count: total, maxAllowed: 20_000 });
    const limit = Number(get("limit") ?? total);
    if (limit > 20_000 || get("offset") === "0") {
      const words = `Error 400: Bad Request\n\n${limit} matching events exceeds search limit of 20000. Modify the search to match fewer events.`;
      return void response.writeHead(400, { "content-type": "text/plain" }).end(words);
    }
    const offset = Number(get("offset"));
    const features = range(Math.max(0, Math.min(limit, total - offset + 1))).map((i) => ({
      type: "Feature",
      properties: { mag: 6 + (i % 20) / 10, magType: "mw" },
      geometry: { type: "Point", coordinates: [0.5, 1, 10] },
      id: `us${offset + i - 1}`,
    }));
    const metadata = {
      generated: 1_700_000_000_000 + offset,
      status: 200,
      limit,
      offset,
      count: features.length,
    };
    json(response, { type: "FeatureCollection", metadata, features });
  };
}

/** A static file with ETag and Last-Modified, in UTF-8 that the header does not name. */
export function ourairports(text: () => string): Handler {
  return ({ headers }, response) => {
    const etag = `"${text().length}-x"`;
    const said = { etag, "last-modified": "Sat, 28 Feb 2026 03:00:00 GMT" };
    if (headers["if-none-match"] === etag) return void response.writeHead(304, said).end();
    response.writeHead(200, { "content-type": "text/csv", ...said }).end(text());
  };
}

/** 100 a page, a relative `next` that never ends, a time in each answer, 404 behind the offset 10,000. */
export function lmfdb(total = 250): Handler {
  return ({ url }, response) => {
    const offset = Number(url.searchParams.get("_offset") ?? 0);
    if (offset > 10_000) return void response.writeHead(404).end();
    const data = range(total)
      .slice(offset, offset + 100)
      .map((n) => ({ id: n, lmfdb_label: `${5077 + n}.a1`, rank: 3, regulator: 0.4171435587 }));
    const next = new URL(url);
    next.searchParams.set("_offset", String(offset + data.length));
    json(response, {
      table: "ec_curvedata",
      timestamp: `2026-03-04T05:06:07.${offset}`,
      data,
      start: offset,
      offset: offset + data.length,
      next: next.pathname + next.search,
      rec_id: "lmfdb_label",
    });
  };
}

/** Wants to know who asks; 429 with Retry-After; then an answer that breaks off with a stack trace, and only then the whole. */
export function wikidata(): Handler {
  let asked = 0;
  return ({ method, headers, body }, response) => {
    if (method !== "POST" || !new URLSearchParams(body).has("query"))
      return void response.writeHead(400).end();
    if (!/@/.test(headers["user-agent"] ?? ""))
      return void response.writeHead(403).end("set a user-agent, see policy");
    if (++asked === 1) return void response.writeHead(429, { "retry-after": "1" }).end("Rate limit exceeded");
    const binding = (q: number): object => ({
      item: { type: "uri", value: `http://www.wikidata.org/entity/Q${q}` },
      area: { type: "literal", datatype: "http://www.w3.org/2001/XMLSchema#decimal", value: `${q}.50` },
    });
    const whole = JSON.stringify({
      head: { vars: ["item", "area"] },
      results: { bindings: range(3).map(binding) },
    });
    response.writeHead(200, { "content-type": "application/sparql-results+json;charset=utf-8" });
    if (asked === 2)
      return void response.end(
        `${whole.slice(0, 150)}\njava.util.concurrent.TimeoutException\n\tat java.util...`,
      );
    response.end(whole);
  };
}
