import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type CardModel, hubCard } from "../datasets/hub-card.js";
import type { CardRollouts } from "../datasets/hub-rollouts.js";
import { canonicalJson } from "./base/canonical.js";
import { environmentOf } from "./environment/spec.js";
import type { Facts } from "./facts.js";
import { gather } from "./report/gather.js";
import { leakageOf } from "./report/leakage.js";
import { page } from "./report/page.js";
import { agentsOf, rolloutReport } from "./report/rollouts.js";
import { poolRows } from "./report/rows.js";
import { screeningOf } from "./report/screening.js";

/** Writes `report.json` and `report.html` into `dir`. */
export async function writeReport(dir: string, facts: Facts): Promise<void> {
  const report = await gather(facts, {
    ...(await rolloutReport(dir, facts)),
    ...(await leakageOf(dir, facts)),
  });
  await writeFile(
    join(dir, "report.json"),
    `${JSON.stringify(JSON.parse(canonicalJson(report)), null, 2)}\n`,
  );
  await writeFile(join(dir, "report.html"), await page(report));
}

const configured = z.object({
  models: z.record(z.string(), z.object({ model: z.string(), revision: z.string().optional() })),
});

/** The roles that had a model, and who asked them. */
function modelsOf({ manifest, asking }: Facts): CardModel[] {
  const parsed = configured.safeParse(manifest.config.resolved);
  return Object.entries(parsed.data?.models ?? {})
    .filter(([, { model }]) => model !== "")
    .map(([role, { model, revision = null }]) => ({
      role,
      model,
      revision,
      asked_by: (asking ?? []).filter((a) => a.roles.includes(role)).map((a) => a.id),
    }));
}

/** What the card says of rollouts; undefined where there are none. A file of documents is known by its name, wherever it lies. */
function cardRollouts(
  { manifest }: Pick<Facts, "manifest">,
  rows: Parameters<typeof agentsOf>[0],
): CardRollouts | undefined {
  const agents = agentsOf(rows, manifest);
  if (agents.length === 0) return undefined;
  const spec = environmentOf(manifest.config.resolved);
  const tools = spec?.tools ?? [];
  return {
    agents,
    tools,
    corpora: (spec?.corpus ?? []).map((path) => path.split(/[\\/]/).at(-1)!),
    search: tools.includes("search") ? spec!.search.backend : "local",
    web: tools.includes("visit") && spec!.visit.from.includes("web"),
  };
}

/**
 * Writes the dataset's card, `README.md`, into `dir`.
 * @throws TaskmillError (config): `licence_conflict`, `unknown_licence`.
 */
export async function writeCard(dir: string, facts: Facts): Promise<void> {
  const { manifest, cards } = facts;
  const { all, problems } = await poolRows(facts);
  const { name, seed, stages, pools } = manifest;
  const sources = manifest.sources.map(({ id, rows: count }) => {
    const { title, domain, citation, provenance, as_of, publisher, licence } = cards.get(id)!;
    return {
      source: id,
      title,
      domain,
      citation,
      provenance,
      as_of,
      publisher: publisher.name,
      rows: count,
      ...licence,
    };
  });
  const card = hubCard({
    name,
    seed,
    accepted: all.length,
    problems: problems.length,
    languages: [...new Set(problems.map((row) => row.problem.language))].sort(),
    stages,
    files: pools,
    sources,
    models: modelsOf(facts),
    rollouts: cardRollouts(facts, all),
    ...screeningOf(manifest, all),
  });
  await writeFile(join(dir, "README.md"), card);
}
