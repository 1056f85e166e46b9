import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "../../pipeline/base/canonical.js";
import { fileSha256 } from "../snapshot.js";
import { writeWhole } from "./part.js";

/** What is known of a page that lies in the store. */
const pageSchema = z.strictObject({
  number: z.number().int().min(1),
  /** The download that it belongs to; pages of earlier ones serve for conditional requests. */
  round: z.number().int(),
  /** Names the request. */
  ask: z.string(),
  url: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  retrieved: z.string(),
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  /** Records; null where the answer is kept as it is and was not read. */
  count: z.number().int().nullable(),
  /** Of CSV: the text before the first record, and the names in it. */
  head: z.string().optional(),
  columns: z.array(z.string()).optional(),
  /** Of JSON with records that are arrays: the names of their fields. */
  fields: z.array(z.string()).optional(),
  total: z.number().optional(),
  release: z.string().optional(),
  next: z.string().optional(),
});
export type Page = z.infer<typeof pageSchema>;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** Names what is asked for; other pages are of no use to it. */
  spec: z.string(),
  round: z.number().int(),
  begun: z.string(),
  /** `ready`: all pages are here and sound, and wait for `--update`. `done`: the next download is a new one. */
  stage: z.enum(["pages", "ready", "done"]),
});
export type State = z.infer<typeof stateSchema>;

/** The folder of a download, beside the card. It may be deleted at any time: what is lost is asked for again. */
export class PageStore {
  private constructor(
    readonly folder: string,
    private state: State,
  ) {}

  /**
   * Opens the store for a download: goes on with one that was cut short, or begins a new one.
   * @param card path of the card's folder. @param spec hash of what is asked for. @param now ISO time
   */
  static async open(
    card: string,
    id: string,
    { spec, now, fresh, ready }: { spec: string; now: string; fresh: boolean; ready: boolean },
  ): Promise<PageStore> {
    const folder = join(card, ".fetch", id);
    await mkdir(folder, { recursive: true });
    // What lies here is no part of a project.
    await writeFile(join(dirname(folder), ".gitignore"), "*\n");
    const old = await readJson(join(folder, "state.json"), stateSchema);
    const usable = old !== undefined && old.spec === spec && !fresh;
    if (!usable) await rm(folder, { recursive: true });
    await mkdir(folder, { recursive: true });
    const goesOn = usable && (old.stage === "pages" || (old.stage === "ready" && ready));
    const round = usable && !goesOn ? old.round + 1 : 1;
    const state: State = goesOn ? old : { version: 1, spec, round, begun: now, stage: "pages" };
    const store = new PageStore(folder, state);
    await store.#tidy();
    await store.enter("pages");
    return store;
  }

  get round(): number {
    return this.state.round;
  }

  get begun(): string {
    return this.state.begun;
  }

  async enter(stage: State["stage"]): Promise<void> {
    this.state = { ...this.state, stage };
    await writeWhole(join(this.folder, "state.json"), `${canonicalJson(this.state)}\n`);
  }

  /** Where the bytes of a page lie. */
  path(number: number): string {
    return join(this.folder, `${nameOf(number)}.part`);
  }

  /** Where an answer is put while it comes. */
  draft(number: number): string {
    return join(this.folder, `${nameOf(number)}.${process.pid}.answer.tmp`);
  }

  /** A whole page of this very request, of this download or an earlier one; a torn one counts as none. */
  async page(number: number, ask: string): Promise<Page | undefined> {
    const page = await readJson(this.#describes(number), pageSchema);
    if (page === undefined || page.ask !== ask || page.number !== number) return undefined;
    const found = await fileSha256(this.path(number)).catch(() => undefined);
    return found === page.sha256 ? page : undefined;
  }

  /** Makes a page count, whose bytes are in place. */
  async keep(page: Page): Promise<void> {
    await writeWhole(this.#describes(page.number), `${canonicalJson(page)}\n`);
  }

  #describes(number: number): string {
    return join(this.folder, `${nameOf(number)}.json`);
  }

  async #tidy(): Promise<void> {
    const names = await readdir(this.folder);
    await Promise.all(
      names.filter((n) => n.endsWith(".tmp")).map((n) => rm(join(this.folder, n), { force: true })),
    );
  }
}

function nameOf(number: number): string {
  return `page-${String(number).padStart(7, "0")}`;
}

/** A file of ours, or undefined where there is none, or what stands there is not one. */
async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
