import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Prompts are files (`stages/prompts/<name>.md`). What is sent is part of a call's name, so a changed file asks anew by itself.
 * A config puts other texts in their place by params of the stage that sends them.
 */

/** The folder of bundled prompts: beside the source, or above `dist/` once compiled. */
function promptFolder(): string {
  const beside = fileURLToPath(new URL("./prompts/", import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL("../../stages/prompts/", import.meta.url));
}

const known = new Map<string, string>();

/** A bundled prompt, without the line ends around it. `name` is one of ours, never a user's. */
export function promptText(name: string): string {
  let text = known.get(name);
  if (text === undefined) {
    text = readFileSync(`${promptFolder()}${name}.md`, "utf8").trim();
    known.set(name, text);
  }
  return text;
}

const SLOT = /\{\{([a-z_]+)\}\}/g;

/** Puts texts into the `{{name}}` slots of a prompt, in one pass: what a text holds is never taken for a slot or a pattern. */
export function fillPrompt(prompt: string, texts: Readonly<Record<string, string>>): string {
  return prompt.replace(SLOT, (slot, name: string) => (Object.hasOwn(texts, name) ? texts[name]! : slot));
}

/** Which of the slots that a prompt needs it lacks. */
export function missingSlots(prompt: string, needed: readonly string[]): string[] {
  const there = new Set([...prompt.matchAll(SLOT)].map((m) => m[1]));
  return needed.filter((name) => !there.has(name));
}
