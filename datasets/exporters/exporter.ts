import type { Json } from "../../pipeline/base/canonical.js";
import type { Pool } from "../schema/index.js";
import type { Conversation } from "./conversation.js";
import type { Writable } from "./json-text.js";
import type { Loss } from "./losses.js";
import type { Prompt } from "./prompt.js";
import type { MaskBy, View } from "./proof/view.js";

/** What a guide and further files are written from. */
export interface Facts {
  /** The dataset's name. */
  readonly dataset: string;
  /** Rows by split; splits without rows have no file. */
  readonly rows: Readonly<Record<string, number>>;
  /** The file of a split, relative to the export. */
  file(split: string): string;
  /** Tool schemas of the dataset's rollouts, in OpenAI's form; empty where none were offered. */
  readonly tools: readonly Json[];
}

interface Target {
  readonly name: string;
  /** Who reads it, in a few words. */
  readonly reader: string;
  /** What the reader's own code was seen to do with it. */
  readonly notes: readonly string[];
  /** Lines for the reader: the command, or the config. */
  guide(facts: Facts): string;
  /** Further files: path to text. */
  files?(facts: Facts): Readonly<Record<string, string>>;
}

/** How rows are written: lines of JSON, or Parquet with a declared schema. */
export type Format = "jsonl" | Pool;

/** A target that learns from conversations. */
export interface SftExporter extends Target {
  readonly pool: "sft";
  readonly format: Format;
  readonly losses: readonly Loss[];
  row(conversation: Conversation): Readonly<Record<string, Writable | undefined>>;
  /** How the reader finds the text that it learns from. */
  readonly mask: MaskBy;
  /** Template families that the reader supports; each row is rendered with them as the reader does. */
  readonly templates: readonly string[];
  /** What the reader hands to its chat template, and what it learns from, read from a written row. */
  view(row: Readonly<Record<string, Json>>): View;
}

/** A target that draws rollouts of its own and scores them with the Python reward. */
export interface RlExporter extends Target {
  readonly pool: "rl";
  readonly format: Format;
  row(prompt: Prompt, facts: Facts): Readonly<Record<string, Writable | undefined>>;
}

/** A target that takes the dataset as it is. */
export interface FolderExporter extends Target {
  readonly pool: "all";
  /** Whether a file of the dataset goes along; paths with `/`. */
  takes(file: string): boolean;
}

export type Exporter = SftExporter | RlExporter | FolderExporter;

/** Keeps the literal type of a declaration. */
export function defineExporter<E extends Exporter>(exporter: E): E {
  return exporter;
}

/** Ending of the row files. */
export function extension({ format }: SftExporter | RlExporter): string {
  return format === "jsonl" ? "jsonl" : "parquet";
}
