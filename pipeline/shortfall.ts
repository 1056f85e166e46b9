import { z } from "zod";
import type { Problem } from "./base/errors.js";
import type { Manifest } from "./manifest.js";
import { PRIVATE } from "./reachable.js";
import { type Done, type GraphRun, largestReasons } from "./rounds.js";

/** Rows that `balance` turned away for the share of one property, and the values of it that they have. */
export interface Overfull {
  readonly instance: string;
  readonly property: string;
  readonly share: number;
  readonly rows: number;
  /** The values with most rows first. */
  readonly values: readonly string[];
}

const evidence = z.object({
  reason: z.literal("over_share"),
  evidence: z.object({ property: z.string(), value: z.string(), share: z.number() }),
});

/** What the shares of a `balance` turned away, by property, most rows first. */
export async function overfullOf(
  instance: string,
  rejections: AsyncIterable<unknown>,
): Promise<readonly Overfull[]> {
  const found = new Map<string, { share: number; values: Map<string, number> }>();
  for await (const rejection of rejections) {
    const parsed = evidence.safeParse(rejection);
    if (!parsed.success) continue;
    const { property, value, share } = parsed.data.evidence;
    const { values } =
      found.get(property) ?? found.set(property, { share, values: new Map() }).get(property)!;
    values.set(value, (values.get(value) ?? 0) + 1);
  }
  return [...found]
    .map(([property, { share, values }]) => {
      const listed = [...values].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
      const rows = listed.reduce((sum, [, n]) => sum + n, 0);
      return { instance, property, share, rows, values: listed.map(([value]) => value) };
    })
    .sort((a, b) => b.rows - a.rows);
}

/** What is said of a run that fell short of its target: what turned most away, and what would help. */
export function shortfallOf(
  manifest: Manifest,
  { done, hopeless }: GraphRun,
  asking: ReadonlySet<string>,
  overfull: readonly Overfull[],
): Problem | undefined {
  if (manifest.reached) return undefined;
  const wanted = Math.min(manifest.target.accepted!, manifest.target.limit ?? Number.POSITIVE_INFINITY);
  const blamed = hopeless ? done.filter(({ id }) => asking.has(id)) : done;
  const why = largestReasons(blamed, 3).map((r) => `${r.instance}: ${r.reason} ${r.rows}`);
  const most = why.length > 0 ? ` (most were rejected by ${why.join(", ")})` : "";
  return {
    code: hopeless ? "gates_reject_all" : "target_missed",
    message: `the run accepted ${manifest.accepted} of the ${wanted} rows that its target asks for, from ${manifest.candidates} candidates${most}; the dataset is complete and in place`,
    hint: hopeless
      ? "fewer than one row in twenty came through the gates that ask models, so no more were paid for: look at why with `pipeline explain`, then at model, prompt and params"
      : (cardHint(done) ?? shareHint(done, wanted, overfull) ?? moreHint(manifest)),
  };
}

/** Reasons that no number of candidates cures, where they turned most away. */
const OF_THE_CARD: Readonly<Record<string, string>> = {
  private_entity: PRIVATE,
  incomplete_catalogue:
    "the classes asked of do not count as complete, however many candidates there are: `pipeline sources check` of the card says why (`complete`, `cutoffs`, `selected_on`)",
};

function cardHint(done: readonly Done[]): string | undefined {
  const [first] = largestReasons(done, 1);
  const all = largestReasons(done, Number.POSITIVE_INFINITY).reduce((sum, { rows }) => sum + rows, 0);
  return first !== undefined && first.rows * 2 > all ? OF_THE_CARD[first.reason] : undefined;
}

/** Where enough rows came to `balance`, more of the same will not help: its shares are what keeps them out. */
function shareHint(done: readonly Done[], wanted: number, [first]: readonly Overfull[]): string | undefined {
  const counts = done.find(({ id }) => id === first?.instance)?.counts;
  if (first === undefined || counts === undefined || counts.in < wanted || counts.out >= wanted)
    return undefined;
  const { instance, property, share, rows, values } = first;
  const shown = values.slice(0, 4).join(", ") + (values.length > 4 ? ", ..." : "");
  const more = property === "entity" ? "widen the classes, or list small tables in `tiny_tables`" : MORE;
  return `${counts.in} rows came to \`${instance}\`, which lets one \`${property}\` be ${share} of the dataset: ${rows} rows wait for it (${shown}). Raise its \`${property}\`, ${more}`;
}

const MORE = "or have more kinds of it in the spaces; more candidates of the same kinds change nothing";

function moreHint({ target, candidates }: Manifest): string {
  return target.candidates !== null && candidates >= target.candidates
    ? "raise target.candidates, widen the spaces, or loosen the stage that rejects most"
    : "the sources have no more candidates: widen the spaces, add recipes, or lower target.accepted";
}
