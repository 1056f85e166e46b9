import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { cardSchema } from "../../sources/card.js";
import { bundledIds, findCard } from "../../sources/cards.js";
import { bundledCorpora, bundledCorpus } from "../../sources/corpora.js";
import { tableHash } from "../../sources/load.js";

const licence = z.strictObject({
  id: z.string().min(1),
  url: z.string().optional(),
  share_alike: z.boolean().optional(),
  attribution: z.string().optional(),
});
const corpusCard = z.strictObject({
  corpus: z.literal(1),
  id: z.string(),
  title: z.string(),
  file: z.literal("documents.jsonl"),
  sha256: z.string(),
  documents: z.int(),
  parts: z.record(z.string(), z.strictObject({ licence, from: z.string(), independence: z.string() })),
});
const document = z.strictObject({
  url: z.string(),
  title: z.string().min(1),
  text: z.string().min(1),
  licence: z.string(),
});

describe.each(bundledCorpora())("corpus %s", (id) => {
  const path = bundledCorpus(id);
  const bytes = readFileSync(path);
  const card = corpusCard.parse(parse(readFileSync(join(dirname(path), "card.yaml"), "utf8")));
  const documents = bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => document.parse(JSON.parse(line)));

  it("is what its card pins", () => {
    expect(card.id).toBe(id);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(card.sha256);
    expect(documents).toHaveLength(card.documents);
    expect(bytes.length).toBeLessThan(2_000_000);
  });

  it("names each document once, in order, with its licence", () => {
    const urls = documents.map((d) => d.url);
    expect(urls).toEqual([...new Set(urls)].sort());
    for (const { url, licence } of documents) {
      const part = /^corpus:\/\/([a-z-]+)\/([a-z-]+)\/[a-z0-9-]+$/.exec(url)!;
      expect(part[1]).toBe(id);
      expect(card.parts[part[2]!]!.licence.id).toBe(licence);
    }
    expect(Object.keys(card.parts).sort()).toEqual([...new Set(urls.map((u) => u.split("/")[3]!))].sort());
  });

  it("declares every copyleft licence as share-alike", () => {
    for (const { licence } of Object.values(card.parts))
      expect(licence.share_alike ?? false).toBe(/GPL|-SA-/.test(licence.id));
  });
});

describe("cards", () => {
  it.each(bundledIds())("%s says how solvers come by its facts, and where copies lie", async (id) => {
    const { card } = await findCard(id, ".");
    expect(card.reach?.by).toBe(["groups", "graphs"].includes(id) ? "computable" : "sources");
    expect(card.mirrors!.length).toBeGreaterThan(0);
    for (const mirror of card.mirrors!) expect(card.publisher.hosts).not.toContain(mirror);
    // They are no part of the data: a task keeps its id when a mirror becomes known.
    const { mirrors: _, reach: __, ...bare } = card;
    expect(tableHash(card)).toBe(tableHash(bare));
    expect(tableHash({ ...card, title: "another" })).not.toBe(tableHash(card));
  });

  it("refuse mirrors that are no host and no path", () => {
    const mirrors = cardSchema.shape.mirrors;
    expect(mirrors.safeParse(["example.org", "raw.example.org/owner/repo"]).success).toBe(true);
    for (const bad of ["https://example.org", "a b", "example.org?x=1", ""])
      expect(mirrors.safeParse([bad]).success).toBe(false);
  });
});
