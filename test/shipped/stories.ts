import type { WordedRow } from "../../stages/task.js";

/** What happens to a task on its way through the gates; where a story is silent, all goes well. */
export interface Story {
  /** The writer's tries. Default: the first one is good. */
  readonly write?: "repaired" | "fallback" | "cut_off";
  /** How the question comes to stand in the benchmark. */
  readonly leaked?: "copied" | "reworded";
  /** What the reader makes of the question. */
  readonly read?: "lost_condition" | "turned_order" | "unknown_column" | "prose" | "cut_off";
  /** What the memory says in its two samples. Default: both are wrong. */
  readonly recall?: "at_once" | "late" | "declined" | "cut_off";
  /** What the solver's two solves come to. Default: both are right. */
  readonly solve?: "one_wrong" | "both_wrong" | "cut_off";
}

/** Each of these befalls one task, the first that it can befall; the others have nothing to tell. */
const STORIES: readonly Story[] = [
  { write: "repaired" },
  { write: "fallback" },
  { write: "cut_off" },
  { leaked: "copied" },
  { leaked: "reworded" },
  { read: "lost_condition" },
  { read: "turned_order" },
  { read: "unknown_column" },
  { read: "prose" },
  { read: "cut_off" },
  { recall: "at_once" },
  { recall: "late" },
  { recall: "declined" },
  { recall: "cut_off" },
  { solve: "one_wrong" },
  { solve: "both_wrong" },
  { solve: "cut_off" },
];

/** Who has a condition can lose one. */
function canBefall({ write, read }: Story, { program }: WordedRow): boolean {
  return program.where.length > 0 || (write === undefined && read !== "lost_condition");
}

/** Stories by task id. @throws Error when there are too few tasks for all of them */
export function storiesOf(rows: readonly WordedRow[]): ReadonlyMap<string, Story> {
  const told = new Map<string, Story>(rows.map((row) => [row.id, {}]));
  const free = [...rows];
  for (const story of STORIES) {
    const at = free.findIndex((row) => canBefall(story, row));
    if (at < 0) throw new Error(`no task is left for ${JSON.stringify(story)}: draw more candidates`);
    told.set(free[at]!.id, story);
    free.splice(at, 1);
  }
  return told;
}
