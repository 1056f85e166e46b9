import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { builtins } from "../../pipeline/builtins.js";
import { DEFAULT_ORDER } from "../../pipeline/graph.js";
import { cardJsonSchema, configJsonSchema } from "../../pipeline/schema.js";

const committed = (name: string): unknown => JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
const config = configJsonSchema(builtins()) as {
  oneOf: unknown;
  $defs: Record<string, { properties: Record<string, object> }>;
  properties: {
    stages: { properties: Record<string, object> };
    graph: { items: { anyOf: { properties: { stage: object; params: object } }[] } };
  };
};

describe("the JSON Schemas for editors", () => {
  it("are committed as `npx pipeline schema` prints them", () => {
    const hint =
      "run: npx pipeline schema > schemas/config.schema.json; npx pipeline schema --card > schemas/card.schema.json";
    expect(committed("config"), hint).toEqual(JSON.parse(JSON.stringify(config)));
    expect(committed("card"), hint).toEqual(JSON.parse(JSON.stringify(cardJsonSchema())));
  });

  it("know the params of every stage kind, in the short and in the full form", () => {
    expect(Object.keys(config.properties.stages.properties)).toEqual([...DEFAULT_ORDER]);
    const kinds = config.properties.graph.items.anyOf.map((i) => i.properties.stage);
    expect(kinds).toEqual(
      builtins()
        .kinds()
        .map((kind) => ({ const: kind })),
    );
    expect(config.$defs.balance!.properties).toHaveProperty("tiny_tables");
    expect(config.$defs.recipes!.properties).toHaveProperty("recipes");
  });

  it("accept what the program accepts", () => {
    // zod reads no `oneOf` over `required` alone.
    const { oneOf, ...rest } = config;
    expect(oneOf).toEqual([{ required: ["stages"] }, { required: ["graph"] }]);
    const schema = z.fromJSONSchema(rest as never);
    const read = (file: string) => parse(readFileSync(file, "utf8"));
    for (const file of ["good.yaml", "good-graph.yaml"]) {
      expect(schema.safeParse(read(`test/pipeline/broken-configs/${file}`)).error?.issues).toBeUndefined();
    }
    for (const file of [
      "unknown-param.yaml",
      "unknown-key.yaml",
      "wrong-choice.yaml",
      "stages-and-graph.yaml",
    ]) {
      expect(schema.safeParse(read(`test/pipeline/broken-configs/${file}`)).success, file).toBe(false);
    }
  });
});
