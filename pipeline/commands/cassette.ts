import type { CassettePlace } from "../models/cassette-place.js";
import type { Io } from "../terminal.js";
import { defineCommand } from "./command.js";

interface Args {
  readonly action: "stats" | "prune" | "verify";
  readonly path: string;
}

export const cassette = defineCommand<Args>({
  usage: "cassette <action> <path>",
  summary: "recorded model calls: add them up, check them, drop those that nothing needs",
  positionals: {
    action: "stats, verify or prune",
    path: "a run directory, or for stats and verify also a cassette file",
  },
  examples: [
    ["cassette stats runs/astro", "calls, tokens, and what a crash may have had billed for nothing"],
    ["cassette verify cassette.ndjson", "every line, every key, and whether anything looks like a secret"],
    ["cassette prune runs/astro", "drop replaced records, and those that the finished dataset does not use"],
  ],
  exits: [0, 1, 2],
  args: (z) => z.strictObject({ action: z.enum(["stats", "prune", "verify"]), path: z.string().min(1) }),
  async run({ action, path }, io) {
    const { findCassettes } = await import("../models/cassette-place.js");
    const place = await findCassettes(path);
    return { stats, prune, verify }[action](place, io);
  },
});

async function stats({ files }: CassettePlace, io: Io): Promise<number> {
  const { statsOf, statsText } = await import("../models/cassette-stats.js");
  const all = [];
  for (const file of files) all.push(await statsOf(file));
  io.out(io.json ? `${JSON.stringify({ files: all })}\n` : all.map(statsText).join("\n"));
  return 0;
}

async function verify({ files }: CassettePlace, io: Io): Promise<number> {
  const { checkCassette, checkText } = await import("../models/cassette-check.js");
  const all = [];
  for (const file of files) all.push(await checkCassette(file));
  const ok = all.every((check) => check.wrong === 0);
  io.out(io.json ? `${JSON.stringify({ ok, files: all })}\n` : all.map(checkText).join("\n"));
  return ok ? 0 : 1;
}

async function prune(place: CassettePlace, io: Io): Promise<number> {
  const { pruneCassette, prunedText } = await import("../models/cassette-prune.js");
  const done = await pruneCassette(place);
  io.out(io.json ? `${JSON.stringify(done)}\n` : prunedText(done));
  return 0;
}
