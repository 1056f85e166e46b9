import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that is there whole or not at all: written beside its place, brought to the disk, then renamed. */
export class Part {
  readonly #hash = createHash("sha256");
  #size = 0;
  #open: Buffer[] = [];
  #waiting = 0;

  private constructor(
    private readonly path: string,
    private readonly draft: string,
    private readonly file: FileHandle,
  ) {}

  static async begin(path: string): Promise<Part> {
    // Two processes at work in one folder must not write into one draft.
    const draft = `${path}.${process.pid}.tmp`;
    return new Part(path, draft, await open(draft, "w"));
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  async write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#size += bytes.length;
    this.#open.push(bytes);
    this.#waiting += bytes.length;
    // Records come one by one, and a write costs more than a record.
    if (this.#waiting >= 1 << 18) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#open);
    this.#open = [];
    this.#waiting = 0;
    await this.file.writeFile(bytes);
  }

  /** @returns the hash of the bytes. The name is on the disk when the next file of the folder is brought there by {@link writeWhole} */
  async end(): Promise<{ sha256: string; bytes: number }> {
    await this.#flush();
    await this.file.sync();
    await this.file.close();
    await rename(this.draft, this.path);
    return { sha256: this.#hash.digest("hex"), bytes: this.#size };
  }

  /** Gives up; what was written may be what must not stay. */
  async drop(): Promise<void> {
    await this.file.close().catch(() => {});
    await rm(this.draft, { force: true });
  }
}

/** Writes a small file whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const part = await Part.begin(path);
  try {
    await part.write(Buffer.from(text, "utf8"));
    await part.end();
    await syncFolder(dirname(path));
  } catch (error) {
    await part.drop();
    throw error;
  }
}

/** A rename is on the disk once its folder is. Not all systems can; those that cannot do it in their own time. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
