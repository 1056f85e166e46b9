import { Template as Jinja } from "@huggingface/jinja";
import type { Json } from "../../../pipeline/base/canonical.js";
import { fail } from "../../../pipeline/base/errors.js";
import type { Template } from "./families.js";
import type { ChatMessage } from "./view.js";

/** Stand where generation tags stood: characters of a private use area, that no text has in this order. */
export const START = "\u{f5a10}\u{f5a11}";
export const END = "\u{f5a11}\u{f5a10}";

/** A chat template ready to render; pure, no clock: a template that asks for the date is told the same one. */
export class ChatTemplate {
  readonly #jinja: Jinja;
  readonly tagged: boolean;

  /** @throws TaskmillError (usage) for a text that is no Jinja */
  constructor(readonly template: Template) {
    const text = markGeneration(template.text);
    this.tagged = text !== template.text;
    this.#jinja = parsed(text.replaceAll("strftime_now(", "today("), template.name);
  }

  /** @throws Error as the template raises it */
  render(messages: readonly ChatMessage[], tools: readonly Json[], generate = false): string {
    return this.#jinja.render({
      messages,
      tools: tools.length === 0 ? null : tools,
      add_generation_prompt: generate,
      bos_token: "<s>",
      eos_token: "</s>",
      today: () => "2000-01-01",
    });
  }
}

function parsed(text: string, name: string): Jinja {
  try {
    return new Jinja(text);
  } catch (error) {
    // One that nests deeply uses up the parser's stack.
    const why =
      error instanceof RangeError ? "it nests too deeply" : String((error as Error).message).split("\n")[0]!;
    return fail(
      "usage",
      "bad_template",
      `the chat template ${name} cannot be read: ${why.slice(0, 200)}`,
      "give a Jinja file that Transformers renders, or the name of a bundled family",
    );
  }
}

/**
 * Prints {@link START} and {@link END} where the template has generation tags, which Transformers knows and other Jinja has not. Blocks
 * around the marks take the tags' white-space control, so that all else is rendered as it was.
 */
function markGeneration(text: string): string {
  return text
    .replace(/\{%(-?)\s*generation\s*(-?)%\}/g, `{%$1 if true %}{{ "${START}" }}{% if true $2%}`)
    .replace(/\{%(-?)\s*endgeneration\s*(-?)%\}/g, `{%$1 endif %}{{ "${END}" }}{% endif $2%}`);
}
