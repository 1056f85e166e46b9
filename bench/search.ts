/**
 * Indexes 1,000,000 generated documents of 40 words (JSON Lines on disk) and searches them in a fresh process each: seconds, bytes on
 * disk, peak resident memory, and milliseconds a query, on the clock and of processor time (which says more on a busy machine). Usage:
 * `npx tsc -p . --noEmit false --outDir dist/all && node dist/all/bench/search.js [documents]`
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Random, sfc32 } from "../pipeline/base/random.js";
import type { Corpus } from "../sources/corpus/corpus.js";
import { openCorpus } from "../sources/corpus/open.js";

const [documents = "1000000", folder] = process.argv.slice(2);
const DOCUMENTS = Number(documents);
const WORDS = 40;
/** Distinct words; the k-th commonest is about k times rarer than the commonest, as in real text. */
const VOCABULARY = 300_000;
const ROUNDS = 25;

function word(random: Random): string {
  return `w${Math.floor(Math.exp(random.next() * Math.log(VOCABULARY))).toString(36)}`;
}

async function writeDocuments(path: string): Promise<void> {
  const random = sfc32(1, 2, 3, 4);
  const file = createWriteStream(path);
  for (let i = 0; i < DOCUMENTS; i++) {
    const text = Array.from({ length: WORDS }, () => word(random)).join(" ");
    const row = { url: `https://h${i % 1000}.example.org/${i}`, title: `Object ${i}`, text: `${text}.` };
    if (!file.write(`${JSON.stringify(row)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

async function open(where: string): Promise<{ corpus: Corpus; seconds: number }> {
  const start = performance.now();
  const signal = new AbortController().signal;
  const corpus = await openCorpus([{ id: "bench", path: join(where, "rows.jsonl") }], {
    cache: join(where, "cache"),
    signal,
  });
  return { corpus, seconds: (performance.now() - start) / 1000 };
}

const memory = (): string => `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB at most`;

/** Words by how common they are: `w1` is the commonest. */
const rare = (random: Random): string => `w${(VOCABULARY - 1 - random.int(150_000)).toString(36)}`;
const middling = (random: Random): string => `w${(200 + random.int(800)).toString(36)}`;
const QUERIES: Readonly<Record<string, (random: Random) => string>> = {
  "one document (a number)": (random) => `object ${random.int(DOCUMENTS)}`,
  "three rare words": (random) => `${rare(random)} ${rare(random)} ${rare(random)}`,
  "two rare, three common words": (random) => `${rare(random)} ${rare(random)} w1 w2 w3`,
  "three middling words": (random) => `${middling(random)} ${middling(random)} ${middling(random)}`,
  "phrase of middling words": (random) => `"${middling(random)} ${middling(random)}"`,
  "word within a site": (random) => `${middling(random)} site:h${random.int(1000)}.example.org`,
  "the three commonest words": () => "w1 w2 w3",
  "phrase of the commonest words": () => '"w1 w2"',
};

async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [median, most] = [times[Math.floor(ROUNDS / 2)]!, times.at(-1)!];
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000 / ROUNDS;
  console.log(
    `${what.padEnd(30)} median ${median.toFixed(1)} ms, at most ${most.toFixed(1)} ms, processor ${processor.toFixed(1)} ms`,
  );
}

async function build(where: string): Promise<void> {
  const { corpus, seconds } = await open(where);
  console.log(`indexing: ${corpus.documents} documents, ${seconds.toFixed(1)} s, ${memory()}`);
  await corpus.close();
}

async function query(where: string): Promise<void> {
  const { corpus, seconds } = await open(where);
  console.log(`opening again (hashing the files included): ${seconds.toFixed(1)} s`);
  const random = sfc32(5, 6, 7, 8);
  for (const [what, make] of Object.entries(QUERIES)) {
    await timed(what, () => corpus.search(make(random), { results: 8, skip: 0 }));
  }
  await timed("document by address", () => {
    const i = random.int(DOCUMENTS);
    return corpus.get(`http://h${i % 1000}.example.org/${i}/`);
  });
  console.log(`searching: ${memory()}`);
  await corpus.close();
}

async function main(): Promise<void> {
  const where = await mkdtemp(join(tmpdir(), "taskmill-search-"));
  try {
    const path = join(where, "rows.jsonl");
    await writeDocuments(path);
    console.log(
      `documents: ${DOCUMENTS} of ${WORDS} words, ${((await stat(path)).size / 1e6).toFixed(0)} MB`,
    );
    const again = (what: string): void => {
      execFileSync(
        process.execPath,
        [...process.execArgv, fileURLToPath(import.meta.url), documents, where],
        {
          env: { ...process.env, TASKMILL_BENCH: what },
          stdio: "inherit",
        },
      );
    };
    again("build");
    for (const name of await readdir(join(where, "cache"))) {
      console.log(`index: ${((await stat(join(where, "cache", name))).size / 1e6).toFixed(0)} MB on disk`);
    }
    again("query");
  } finally {
    await rm(where, { recursive: true });
  }
}

if (folder === undefined) await main();
else if (process.env.TASKMILL_BENCH === "build") await build(folder);
else await query(folder);
