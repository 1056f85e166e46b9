import { defineCommand } from "./command.js";

export const schema = defineCommand<{ readonly card: boolean; readonly plugin?: string }>({
  usage: "schema",
  summary: "print the JSON Schema of configs or cards, for editors",
  options: {
    card: { describe: "the schema of source cards" },
    plugin: { value: "FILE", describe: "an ES module whose stages the schema takes in" },
  },
  examples: [
    ["schema > config.schema.json", "then, in a config: # yaml-language-server: $schema=config.schema.json"],
    ["schema --card", "the same for source cards"],
  ],
  exits: [0, 2],
  args: (z) => z.strictObject({ card: z.boolean().default(false), plugin: z.string().min(1).optional() }),
  async run({ card, plugin }, io) {
    const { registryOf } = await import("../index.js");
    const { cardJsonSchema, configJsonSchema } = await import("../schema.js");
    const registry = await registryOf({ plugins: plugin === undefined ? [] : [plugin] });
    io.out(`${JSON.stringify(card ? cardJsonSchema() : configJsonSchema(registry), null, 2)}\n`);
    return 0;
  },
});
