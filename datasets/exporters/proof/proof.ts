import type { Problem } from "../../../pipeline/base/errors.js";
import type { Conversation } from "../conversation.js";
import { CHECKS, type Failure, failuresOf } from "./checks.js";
import { templateOf } from "./families.js";
import { ChatTemplate } from "./render.js";
import type { MaskBy, View } from "./view.js";

/** What was rendered, for manifest and guide. */
export interface Proven {
  readonly template: string;
  readonly rows: number;
  /** Rows with reasoning that this family has no place for: looked at with the other families alone. */
  readonly left_out: number;
}

/** Failures named one by one; more are counted. */
const NAMED = 20;

/** Renders rows with chat templates as they go by, and gathers what is wrong with them. */
export class Proof {
  readonly #templates: { template: ChatTemplate; rows: number; left_out: number }[];
  readonly #problems: Problem[] = [];
  #failed = 0;

  /**
   * @param mask - how the reader finds what it learns from
   * @param asked - whether the user named the families: then none is let off for what it has no place for
   * @throws TaskmillError (usage) for a name that is none
   */
  constructor(
    names: readonly string[],
    private readonly mask: MaskBy,
    private readonly asked: boolean,
  ) {
    this.#templates = names.map((name) => ({
      template: new ChatTemplate(templateOf(name, mask === "tags")),
      rows: 0,
      left_out: 0,
    }));
  }

  /** `row` is how it was read from the pool, `view` what was read from the file's line, `granted` the losses of the row that are accepted. */
  check(row: Conversation, view: View, granted: ReadonlySet<string>): void {
    const thinks = view.messages.some((message) => message.reasoning_content !== undefined);
    for (const entry of this.#templates) {
      if (thinks && !this.asked && !entry.template.template.reasoning) {
        entry.left_out++;
        continue;
      }
      entry.rows++;
      for (const failure of failuresOf(entry.template, view, this.mask, row, granted))
        this.#note(row, entry.template, failure);
    }
  }

  #note(row: Conversation, { template }: ChatTemplate, { check, message, why }: Failure): void {
    this.#failed++;
    if (this.#problems.length >= NAMED) return;
    const where = message < 0 ? row.where : `${row.where}, message ${message}`;
    this.#problems.push({
      code: check,
      message: `${where}, rendered with ${template.name}: ${why}`,
      hint: `check ${check}: ${CHECKS[check]}`,
    });
  }

  /** All that was wrong; the last one says how many more there are. */
  problems(): readonly Problem[] {
    const more = this.#failed - this.#problems.length;
    if (more === 0) return this.#problems;
    return [...this.#problems, { code: "more", message: `${more} further failures of these kinds` }];
  }

  proven(): Proven[] {
    return this.#templates.map(({ template, rows, left_out }) => ({
      template: template.template.name,
      rows,
      left_out,
    }));
  }
}
