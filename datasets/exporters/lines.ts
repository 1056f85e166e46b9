import { OutFile } from "../out-file.js";

/** A file of JSON lines, written as they come. */
export class LinesFile {
  readonly #file: OutFile;
  #buffer: string[] = [];
  #size = 0;

  constructor(path: string) {
    this.#file = new OutFile(path);
  }

  add(line: string): void {
    this.#buffer.push(line, "\n");
    this.#size += line.length;
    if (this.#size > 1 << 20) this.#flush();
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  #flush(): void {
    this.#file.write(Buffer.from(this.#buffer.join(""), "utf8"));
    this.#buffer = [];
    this.#size = 0;
  }
}
