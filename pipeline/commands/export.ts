import { defineCommand } from "./command.js";

interface Args {
  readonly dir: string;
  readonly to: string;
  readonly out?: string;
  readonly split?: readonly string[];
  readonly "accept-loss"?: readonly string[];
  readonly templates?: readonly string[];
}

export const exportVerb = defineCommand<Args>({
  usage: "export <dir>",
  summary:
    "write a dataset in the form that a trainer loads, proven with its chat templates, with the lines to load it",
  positionals: { dir: "the run directory" },
  options: {
    to: {
      value: "NAME",
      describe:
        "verl-rl, verl-sft, trl-sft, trl-grpo, openrlhf-sft, openrlhf-rl, axolotl, llama-factory, ms-swift, prime-rl, verifiers, nemo-gym, slime, open-instruct, or hub",
    },
    out: { value: "DIR", describe: "where to; exports/<dataset>/<target> by default" },
    split: { value: "NAME,...", describe: "train, validation, test; all of them by default" },
    "accept-loss": {
      value: "NAME,...",
      describe: "what the target has no place for and may lose; the export says so",
    },
    templates: {
      value: "NAME,...",
      describe: "chat templates to prove with: bundled families, or files that end in .jinja",
    },
  },
  examples: [
    ["export runs/astro --to trl-sft", "conversations for TRL's SFTTrainer, in exports/astro/trl-sft"],
    ["export runs/astro --to verl-rl --out data/astro", "prompts with their reward for verl"],
    [
      "export runs/astro --to verl-sft --accept-loss message_loss",
      "although verl learns from every assistant message",
    ],
  ],
  exits: [0, 1, 2, 130],
  args: (z) => {
    const names = z
      .string()
      .min(1)
      .transform((text) => text.split(","))
      .optional();
    return z.strictObject({
      dir: z.string().min(1),
      to: z.string({ error: "name a target: --to NAME" }).min(1),
      out: z.string().min(1).optional(),
      split: names,
      "accept-loss": names,
      templates: names,
    });
  },
  async run({ dir, to, out, split, "accept-loss": accept, templates }, io) {
    const { exportDataset } = await import("../export.js");
    const { manifest, ...place } = await exportDataset(dir, {
      to,
      out,
      splits: split,
      accept,
      templates,
      signal: io.signal,
    });
    if (io.json) {
      io.out(`${JSON.stringify({ ok: true, ...place, ...manifest })}\n`);
      return 0;
    }
    const { counted } = await import("../terminal.js");
    const lines = Object.entries(manifest.rows).map(([name, rows]) => `${name}: ${counted(rows, "row")}`);
    for (const { template, rows, left_out } of manifest.proof ?? [])
      lines.push(
        `proven with ${template}: ${counted(rows, "row")}${left_out === 0 ? "" : `, ${left_out} left out (reasoning)`}`,
      );
    for (const { name, rows, how } of manifest.losses)
      lines.push(`loss ${name}, ${counted(rows, "row")}: ${how}`);
    lines.push(
      place.unchanged
        ? `${place.out} already is this export`
        : `wrote ${place.out}; its README.md has the lines to load it`,
    );
    io.out(`${lines.join("\n")}\n`);
    return 0;
  },
});
