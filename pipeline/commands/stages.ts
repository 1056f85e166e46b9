import type { Stage } from "../../stages/stage.js";
import { defineCommand } from "./command.js";

interface Args {
  readonly action: "list" | "show";
  readonly kind?: string;
  readonly plugin?: string;
}

export const stages = defineCommand<Args>({
  usage: "stages <action> [kind]",
  summary: "list stage kinds, or show one: ports, params, reasons",
  positionals: { action: "list, or show", kind: "for show: the kind" },
  options: { plugin: { value: "FILE", describe: "an ES module that adds stages" } },
  examples: [
    ["stages list", "all kinds in one line each"],
    ["stages show select", "what it takes and gives, its params, why it rejects"],
  ],
  exits: [0, 2],
  args: (z) =>
    z.strictObject({
      action: z.enum(["list", "show"]),
      kind: z.string().optional(),
      plugin: z.string().min(1).optional(),
    }),
  async run({ action, kind, plugin }, io) {
    const [{ registryOf }, { wantedSubject, unknownSubject }, { describeStage, stageText }] =
      await Promise.all([import("../index.js"), import("./subject.js"), import("../describe-stage.js")]);
    wantedSubject(action === "show", kind, "stages show", "kind");
    const registry = await registryOf({ plugins: plugin === undefined ? [] : [plugin] });
    if (action === "list") {
      io.out(io.json ? `${JSON.stringify(registry.all().map(describeStage))}\n` : listText(registry.all()));
      return 0;
    }
    const stage = registry.get(kind!) ?? unknownSubject("stage kind", kind!, registry.kinds());
    io.out(io.json ? `${JSON.stringify(describeStage(stage))}\n` : stageText(stage));
    return 0;
  },
});

function listText(all: readonly Stage[]): string {
  const width = Math.max(...all.map((s) => s.kind.length));
  return all.map((s) => `${s.kind.padEnd(width)}  ${s.summary}\n`).join("");
}
