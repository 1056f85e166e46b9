import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Conversation, conversation } from "../../datasets/exporters/conversation.js";
import type { Facts, FolderExporter, RlExporter, SftExporter } from "../../datasets/exporters/exporter.js";
import { type Prompt, promptOf } from "../../datasets/exporters/prompt.js";
import type { Proven } from "../../datasets/exporters/proof/proof.js";
import { REWARD_FILE } from "../../datasets/exporters/reward.js";
import { type LossCount, type SftOptions, SftWriter, writePrompts } from "../../datasets/exporters/write.js";
import { splitFile } from "../../datasets/layout.js";
import { pythonReward } from "../../datasets/python/join.js";
import { readPool } from "../../datasets/read.js";
import { rlPool, sftPool } from "../../datasets/schema/index.js";
import { copyListed } from "../dataset-file.js";
import { pathIn } from "../files.js";
import type { Manifest } from "../manifest.js";
import { manifestBytes } from "../manifest-file.js";

export interface Written {
  readonly losses: readonly LossCount[];
  readonly proven?: readonly Proven[];
}

/** Writes the rows of each split, and what else the target wants beside them. */
export async function writeRowsOf(
  next: string,
  from: string,
  exporter: SftExporter | RlExporter,
  facts: Facts,
  options: SftOptions,
): Promise<Written> {
  for (const [file, text] of Object.entries(exporter.files?.(facts) ?? {})) await writeInto(next, file, text);
  if (exporter.pool === "sft") {
    const writer = new SftWriter(exporter, options);
    for (const split of Object.keys(facts.rows))
      await writer.write(next, facts.file(split), conversations(from, split));
    return writer.close();
  }
  await writeInto(next, REWARD_FILE, pythonReward());
  for (const split of Object.keys(facts.rows))
    await writePrompts(exporter, facts, next, facts.file(split), prompts(from, split), options.signal);
  return { losses: [] };
}

async function writeInto(dir: string, file: string, text: string): Promise<void> {
  const path = pathIn(dir, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function* conversations(from: string, split: string): AsyncGenerator<Conversation> {
  let position = 0;
  for await (const record of readPool(pathIn(from, splitFile(sftPool, split)), sftPool))
    yield conversation(record, position++);
}

async function* prompts(from: string, split: string): AsyncGenerator<Prompt> {
  let position = 0;
  for await (const record of readPool(pathIn(from, splitFile(rlPool, split)), rlPool))
    yield promptOf(record, position++);
}

/** Copies what the dataset's manifest lists and the target takes, after a look at its hash: nothing else in the directory is published. */
export async function writeFolder(
  next: string,
  from: string,
  manifest: Manifest,
  exporter: FolderExporter,
): Promise<Written> {
  const listed = manifest.files.filter(({ file }) => exporter.takes(file));
  for (const entry of listed) await copyListed(from, entry, pathIn(next, entry.file));
  await writeFile(join(next, "manifest.json"), await manifestBytes(from));
  return { losses: [] };
}
