import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson, type Json } from "./base/canonical.js";
import { firewallFor } from "./environment/firewall.js";
import { environmentOf, environmentSpec } from "./environment/spec.js";
import type { Facts } from "./facts.js";
import { NETWORK_BLOCK } from "./finish.js";

/** Writes what solvers must not reach, for whoever trains or tests with tools of their own: one rule a line. */
export async function writeNetworkBlock(dir: string, { manifest, tables }: Facts): Promise<void> {
  if (tables === undefined) return;
  const spec = environmentOf(manifest.config.resolved) ?? environmentSpec.parse({});
  const { catalog } = tables;
  const cards = [...catalog.tables.values()].map(({ card }) => card);
  const { rules } = firewallFor({ spec, cards, catalog });
  const lines = rules.map((rule) => `  ${canonicalJson(rule as unknown as Json)}`);
  await writeFile(join(dir, NETWORK_BLOCK), `[\n${lines.join(",\n")}\n]\n`);
}
