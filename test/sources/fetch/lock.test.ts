import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { sha256 } from "../../../pipeline/base/canonical.js";
import { findCard } from "../../../sources/cards.js";
import { openDatabase } from "../../../sources/duckdb.js";
import { editYaml } from "../../../sources/fetch/edit-card.js";
import { lockSnapshot } from "../../../sources/fetch/lock.js";
import { loadSource } from "../../../sources/load.js";
import { failure } from "../helper.js";
import { command, csv, fetchCard, newFolder, serve, whyNot, writeCard } from "./helper.js";

const SNAPSHOT = { file: "things.csv", read: { format: "csv" } };
const problem = async (doing: Promise<unknown>) => (await failure(doing)).problems[0]!;

describe("sources lock", () => {
  it("writes hash and date into the card, the rest beside the snapshot, and nothing else", async () => {
    const served = await serve((_asked, response) =>
      csv(response, "id\na\nb\n", { etag: '"e1"', "last-modified": "Sat, 28 Feb 2026 03:00:00 GMT" }),
    );
    const folder = newFolder();
    const path = writeCard(folder, SNAPSHOT, { url: `${served.url}/data` });
    const before = `# mine\n${readFileSync(path, "utf8").replace("domain: test", "domain:   test   # odd spaces\n")}`;
    writeFileSync(path, before);
    await fetchCard(path);
    const hash = sha256("id\na\nb\n");
    expect(await lockSnapshot(await findCard(path, "."))).toMatchObject({
      sha256: hash,
      as_of: "2026-03-04",
      records: 2,
      changed: true,
    });
    const after = readFileSync(path, "utf8");
    expect(after).toBe(
      before
        .replace('as_of: "2024"', 'as_of: "2026-03-04"')
        .replace("  read:\n", `  sha256: ${hash}\n  read:\n`),
    );
    expect(JSON.parse(readFileSync(join(folder, "things.csv.lock.json"), "utf8"))).toEqual({
      lock: 1,
      card: "things",
      file: "things.csv",
      sha256: hash,
      bytes: 7,
      records: 2,
      pages: 1,
      url: `${served.url}/data`,
      method: "GET",
      retrieved: { from: "2026-03-04T05:06:07.000Z", to: "2026-03-04T05:06:07.000Z" },
      etag: '"e1"',
      last_modified: "Sat, 28 Feb 2026 03:00:00 GMT",
      notes: [],
    });
    expect(await lockSnapshot(await findCard(path, "."))).toMatchObject({ changed: false });
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  it("refuses what was never fetched, or was changed since", async () => {
    const served = await serve((_asked, response) => csv(response, "id\na\n"));
    const folder = newFolder();
    const path = writeCard(folder, SNAPSHOT, { url: served.url });
    expect((await problem(lockSnapshot(await findCard(path, ".")))).code).toBe("no_snapshot");
    writeFileSync(join(folder, "things.csv"), "id\nb\n");
    expect((await problem(lockSnapshot(await findCard(path, ".")))).code).toBe("not_fetched");
    await fetchCard(path);
    writeFileSync(join(folder, "things.csv"), "id\nb\n");
    expect((await problem(lockSnapshot(await findCard(path, ".")))).code).toBe("snapshot_edited");
    expect(existsSync(join(folder, "things.csv.lock.json"))).toBe(false);
  });

  it("pins a file that came another way, by its hash alone", async () => {
    const folder = newFolder();
    const path = writeCard(folder, { ...SNAPSHOT, sha256: "ab".repeat(32) }, undefined);
    writeFileSync(join(folder, "things.csv"), "id\na\n");
    const { code, out } = await command("sources", "lock", path, "--json");
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { card: "things", sha256: sha256("id\na\n"), as_of: null, records: null, lock: null, changed: true },
    ]);
    expect(parse(readFileSync(path, "utf8"))).toMatchObject({
      as_of: "2024",
      snapshot: { sha256: sha256("id\na\n") },
    });
  });

  it("is for cards; fetching needs to know from where", async () => {
    const folder = newFolder();
    const path = writeCard(folder, { ...SNAPSHOT, sha256: "ab".repeat(32) }, undefined);
    const fetched = await command("sources", "fetch", path);
    expect([fetched.code, fetched.err]).toEqual([
      2,
      expect.stringContaining("does not say where its snapshot comes from"),
    ]);
    expect((await command("sources", "lock")).err).toContain("needs a card");
    expect((await command("sources", "lock", path, "--update")).err).toContain("takes no --update");
  });
});

describe("a locked snapshot", () => {
  it("stays what it is until --update, and runs refuse a new one until it is locked again", async () => {
    let text = "id\na\nb\nc\n";
    const served = await serve((_asked, response) => csv(response, text));
    const folder = newFolder();
    const path = writeCard(folder, SNAPSHOT, { url: served.url });
    const load = async () => {
      const { card, snapshot } = await findCard(path, ".");
      const database = await openDatabase(":memory:", { folders: [folder], threads: 1 });
      return loadSource(card, snapshot, database).finally(() => database.close());
    };
    await fetchCard(path);
    expect(await problem(load())).toMatchObject({
      code: "not_locked",
      hint: expect.stringContaining("sources lock"),
    });
    await lockSnapshot(await findCard(path, "."));
    expect(await load()).toMatchObject({ loaded: 3 });
    expect((await fetchCard(path)).result).toMatchObject({ state: "unchanged", locked: true });

    text = "id\nb\nc\nd\ne\n";
    expect(await whyNot(path)).toMatch(
      /records: 2 gained \("d", "e"\), 1 lost \("a"\), 0 changed, 2 the same .*--update/,
    );
    expect(readFileSync(join(folder, "things.csv"), "utf8")).toBe("id\na\nb\nc\n");
    expect(await load()).toMatchObject({ loaded: 3 });

    const asked = served.asked.length;
    const { result } = await fetchCard(path, { update: true });
    expect(result).toMatchObject({ state: "replaced", locked: false, requests: 0, kept: 1 });
    expect(result.changes).toMatchObject({ gained: 2, lost: 1, changed: 0, same: 2 });
    expect(served.asked).toHaveLength(asked);
    expect((await problem(load())).code).toBe("snapshot_changed");
    await lockSnapshot(await findCard(path, "."));
    expect(await load()).toMatchObject({ loaded: 4 });
  });

  it("that is not here is fetched, if the publisher still has it", async () => {
    let text = "id\na\n";
    const served = await serve((_asked, response) => csv(response, text));
    const folder = newFolder();
    const path = writeCard(folder, { ...SNAPSHOT, sha256: sha256(text) }, { url: served.url });
    expect((await fetchCard(path)).result).toMatchObject({ state: "written", locked: true });
    text = "id\nb\n";
    const other = writeCard(newFolder(), { ...SNAPSHOT, sha256: sha256("id\na\n") }, { url: served.url });
    expect(await whyNot(other)).toContain("the publisher's data are not the ones that it is locked to");
  });
});

describe("editing a card", () => {
  const edits = [
    { path: ["snapshot", "sha256"] as [string, string], value: "ab".repeat(32), before: "read" },
    { path: ["as_of"] as [string], value: "2026-03-04" },
  ];

  it.each([
    [
      "as_of: 2024 # then\nsnapshot: { file: x, read: {} }\n",
      `as_of: "2026-03-04" # then\nsnapshot: { file: x, sha256: ${"ab".repeat(32)}, read: {} }\n`,
    ],
    [
      "snapshot:\r\n    file: x # here\r\n    read: {}\r\nas_of: '2024'\r\n",
      `snapshot:\r\n    file: x # here\r\n    sha256: ${"ab".repeat(32)}\r\n    read: {}\r\nas_of: "2026-03-04"\r\n`,
    ],
    [
      'snapshot:\n  sha256: "12"   # old\n  read: {}\nas_of: >-\n  2024\n\nkey: x\n',
      `snapshot:\n  sha256: ${"ab".repeat(32)}   # old\n  read: {}\nas_of: "2026-03-04"\nkey: x\n`,
    ],
  ])("keeps what it does not set: %j", (before, after) => {
    const edited = editYaml(before, edits)!;
    expect(parse(edited)).toMatchObject({ as_of: "2026-03-04", snapshot: { sha256: "ab".repeat(32) } });
    if (!before.includes(">-")) expect(edited).toBe(after);
  });

  it("gives up where there is no place", () => {
    expect(editYaml("as_of: x\n", edits)).toBeUndefined();
    expect(editYaml("- a\n", edits)).toBeUndefined();
  });

  it("reads back as it was, whatever else is in the card", () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value),
        value,
        hash,
        fc.boolean(),
        (others, read, sha, flow) => {
          const card = { ...others, snapshot: { file: "x", read }, as_of: "2024" };
          const text = stringify(card, { collectionStyle: flow ? "flow" : "block" });
          const edited = editYaml(text, [{ ...edits[0]!, value: sha }, edits[1]!])!;
          expect(parse(edited)).toEqual({
            ...card,
            snapshot: { file: "x", sha256: sha, read },
            as_of: "2026-03-04",
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
