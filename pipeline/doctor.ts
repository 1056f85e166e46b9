import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, freemem, totalmem } from "node:os";
import { join } from "node:path";
import { bundledIds, findCard } from "../sources/cards.js";
import { openDatabase } from "../sources/duckdb.js";
import { TaskmillError } from "./base/errors.js";
import { checkSnapshot } from "./describe-source.js";
import { findSandbox } from "./environment/python/sandbox.js";
import type { Io } from "./terminal.js";
import { VERSION } from "./version.js";

/** One look at the machine. `note` says how things are and cannot fail. */
export interface Check {
  readonly name: string;
  readonly status: "passed" | "failed" | "note";
  readonly detail: string;
}

const MIN_MEMORY = 1_000_000_000;

/** Looks at all that a run needs. Nothing is left behind. */
export async function examine(io: Io): Promise<Check[]> {
  return [
    { name: "taskmill", status: "note", detail: VERSION },
    nodeVersion(),
    await attempt("duckdb", duckdb),
    await attempt("sources", bundledSources),
    await attempt("writing", writing),
    await sandbox(),
    memory(),
    { name: "cores", status: "note", detail: String(availableParallelism()) },
    terminal(io),
  ];
}

async function attempt(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, status: "passed", detail: await look() };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return { name, status: "failed", detail: why };
  }
}

function nodeVersion(): Check {
  const good = Number(process.versions.node.split(".")[0]) >= 20;
  const detail = good ? process.versions.node : `${process.versions.node}; 20 or newer is needed`;
  return { name: "node", status: good ? "passed" : "failed", detail };
}

async function duckdb(): Promise<string> {
  const database = await openDatabase(":memory:", { threads: 1 });
  try {
    const [row] = await database.rows("SELECT version(), sum(i) FROM range(10) t(i)");
    if (Number(row?.[1]) !== 45) throw new Error("it cannot add");
    return String(row![0]);
  } finally {
    database.close();
  }
}

async function bundledSources(): Promise<string> {
  const ids = bundledIds();
  if (ids.length === 0) throw new Error("none found in this installation");
  for (const id of ids) await checkSnapshot(await findCard(id, "."));
  return `${ids.length}, each snapshot with the SHA-256 that its card says`;
}

async function writing(): Promise<string> {
  const folder = await mkdtemp(join(process.cwd(), ".taskmill-doctor-"));
  try {
    await writeFile(join(folder, "try"), "x");
    return "the working directory takes files";
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A note, not a failure, where it is missing: only configs that give agents Python need it. */
async function sandbox(): Promise<Check> {
  const name = "python";
  try {
    const { interpreter, rights } = await findSandbox();
    const detail = `${interpreter.version.join(".")} in bubblewrap (${rights}): nothing of this machine can be reached from inside`;
    return { name, status: "passed", detail };
  } catch (error) {
    if (!(error instanceof TaskmillError)) throw error;
    const [{ message, hint } = { message: "no reason given", hint: undefined }] = error.problems;
    return {
      name,
      status: "note",
      detail: `no tool \`python\`: ${message}${hint === undefined ? "" : `; ${hint}`}`,
    };
  }
}

function memory(): Check {
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  const detail = `${gigabytes(totalmem())}, ${gigabytes(freemem())} of it free`;
  return { name: "memory", status: totalmem() >= MIN_MEMORY ? "passed" : "failed", detail };
}

function terminal(io: Io): Check {
  const detail = io.live
    ? `${io.columns} columns${io.color.err ? ", colours" : ""}`
    : "none: progress comes as plain lines";
  return { name: "terminal", status: "note", detail };
}
