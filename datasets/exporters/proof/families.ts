import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, suggest } from "../../../pipeline/base/errors.js";

/** What is known of a bundled template before anything is rendered; the checks find out the rest. */
interface Known {
  /** Whether it has a place for reasoning that stands in a field of its own (`reasoning_content`). */
  readonly reasoning: boolean;
}

/**
 * Bundled templates (`datasets/chat-templates`, with their origin and licences). For each `NAME.jinja`, which models ship,
 * `NAME_training.jinja` marks what the assistant wrote.
 */
const FAMILIES: Readonly<Record<string, Known>> = {
  qwen2_5: { reasoning: false },
  qwen3: { reasoning: true },
  qwen3_5: { reasoning: true },
  qwen3_6: { reasoning: true },
  glm4moe: { reasoning: true },
  deepseekv3: { reasoning: false },
  gptoss: { reasoning: true },
};

/** A template to render with. */
export interface Template {
  readonly name: string;
  readonly text: string;
  /** False for one that is known to leave reasoning out wherever it stands in a field of its own. */
  readonly reasoning: boolean;
}

const MAX_BYTES = 1_000_000;

/**
 * A bundled family by name, or a template of the user's own by its path (ending in `.jinja`).
 * @param tagged - whether the reader needs the variant that marks the assistant's text
 * @throws TaskmillError (usage) for an unknown name or a file that cannot be read
 */
export function templateOf(name: string, tagged: boolean): Template {
  if (name.endsWith(".jinja")) return { name: basename(name), text: readOwn(name), reasoning: true };
  if (!Object.hasOwn(FAMILIES, name))
    fail(
      "usage",
      "unknown_template",
      `there is no chat template \`${name}\``,
      `${suggest(name, Object.keys(FAMILIES))}; a file of your own ends in .jinja`,
    );
  const file = tagged ? `${name}_training` : name;
  return {
    name,
    text: readFileSync(`${folder()}${file}.jinja`, "utf8"),
    reasoning: FAMILIES[name]!.reasoning,
  };
}

function readOwn(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > MAX_BYTES)
    fail(
      "usage",
      "no_template",
      `${path} is no readable chat template`,
      "give a Jinja file of at most 1 MB, or the name of a bundled family",
    );
  return readFileSync(path, "utf8");
}

/** The folder of bundled templates: beside the source, or above `dist/` once compiled. */
function folder(): string {
  const beside = fileURLToPath(new URL("../../chat-templates/", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../../../datasets/chat-templates/", import.meta.url));
}
