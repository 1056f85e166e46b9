import { z } from "zod";
import { wilson } from "../../verifiers/intervals.js";
import { rejectedBy, type Stages } from "./bench.js";
import { type Dataset, entriesOf, turnedAway } from "./dataset.js";
import type { AuditFinding } from "./finding.js";
import { notRun, rows, type Shortcut, tested } from "./shortcut.js";

const POOL_TEST =
  "all tasks compared with each other: equal programs and questions, near-equal wordings, same entity asked the same";
const REASONS = [
  "near_duplicate",
  "near_duplicate_program",
  "duplicate_program",
  "duplicate_question",
  "duplicate_shape",
];

const first = z.object({ first: z.string() });

/** Looks for near-duplicates within the pool, by the stages that a run uses for it, without what a config set them to. */
export async function duplicatesOf(
  dataset: Dataset,
  stages: Stages,
): Promise<{ shortcut: Shortcut; findings: AuditFinding[] }> {
  const all = dataset.tasks.map(({ row }) => row);
  const tables = dataset.tasks.filter(({ task }) => task !== undefined).map(({ row }) => row);
  const near = await rejectedBy("decontaminate", { against: [] }, all, dataset, stages);
  const equal = await rejectedBy("dedup", {}, tables, dataset, stages);
  if (near === undefined || equal === undefined)
    return {
      shortcut: notRun(
        "near_duplicates",
        POOL_TEST,
        "`decontaminate` or `dedup` is not at hand, or cannot work on these rows",
      ),
      findings: [],
    };
  const doubles = new Map<string, string>();
  for (const { ref, reason, evidence } of [...near, ...equal]) {
    if (!REASONS.includes(reason)) continue;
    const parsed = first.safeParse(evidence);
    if (!doubles.has(String(ref))) doubles.set(String(ref), parsed.success ? parsed.data.first : "");
  }
  const splits = new Map(dataset.tasks.map(({ id, split }) => [id, split]));
  const across = [...doubles].filter(
    ([id, other]) => splits.has(other) && splits.get(id) !== splits.get(other),
  );
  const findings = across.map(([id, other]): AuditFinding => {
    const message = `nearly the same as ${other}, which is in another split (${splits.get(other)} and ${splits.get(id)})`;
    return { code: "near_duplicate_across_splits", where: id, message };
  });
  const shortcut = tested("near_duplicates", dataset.tasks.length, {
    test: POOL_TEST,
    tested: dataset.tasks.length,
    open: doubles.size,
    result:
      doubles.size === 0
        ? `none in ${rows(dataset.tasks.length, "task")}`
        : `${rows(doubles.size, "task")}${across.length > 0 ? `, ${across.length} across splits` : ""}`,
    rate: null,
    removed: turnedAway(dataset, ["decontaminate", "dedup"], [...REASONS, "duplicate_answer_path"]),
    reach:
      "A near-equal wording has a Jaccard index of 0.85 or more over runs of 3 words, boilerplate masked, and the same numbers and names.",
  });
  return { shortcut, findings };
}

const TEXT_TEST =
  "each question compared with the texts of the files that the config names: equal, shared runs of 13 words, reworded";

/** What the run's comparison with benchmarks came to. The files do not ship, so it cannot be done again from the dataset. */
export function contaminationOf(dataset: Dataset): Shortcut {
  const entries = entriesOf(dataset, "contamination");
  const compared = entries.filter(({ evidence }) => (evidence.contamination?.files.length ?? 0) > 0);
  if (compared.length === 0) {
    const why =
      entries.length === 0 ? "no stage of the graph compares" : "the config names no files to compare with";
    return notRun("contamination", TEXT_TEST, why);
  }
  const passed = compared.filter(({ accepted, status }) => accepted && status === "passed");
  const open = compared.filter(({ accepted, status }) => accepted && status !== "passed");
  const removed = compared.filter(({ status, reason }) => status === "rejected" && !REASONS.includes(reason));
  const files = compared[0]!.evidence.contamination!.files;
  const later = passed.filter((e) => reworded(dataset, e.instance)).length;
  return tested("contamination", dataset.tasks.length, {
    test: TEXT_TEST,
    tested: passed.length + open.length,
    untested: "some rows did not pass the stage",
    open: open.length,
    result: `${open.length === 0 ? "none" : rows(open.length)} in ${rows(compared.length)} against ${rows(files.length, "file")}`,
    rate: wilson(removed.length, compared.length),
    removed: removed.length,
    reach: `Only the named files (${files.map((f) => `${f.name}: ${rows(f.texts, "text")}`).join(", ")}), which do not ship: the ledger is believed here.${
      later > 0 ? " Questions were worded anew after it." : ""
    }`,
  });
}

/** Whether a stage behind this one words questions. */
function reworded({ manifest }: Dataset, instance: string): boolean {
  const behind = new Set([instance]);
  return manifest.stages.some(({ id, stage, from }) => {
    if (!from.some((f) => behind.has(f))) return false;
    behind.add(id);
    return stage === "verbalize";
  });
}
