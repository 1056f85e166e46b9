import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

export interface Bundle {
  /** Entry point, for `node`. */
  readonly file: string;
  remove(): void;
}

/** One file of TypeScript with all of ours that it imports, made ready to run in a process of its own. */
export async function bundleOf(source: string): Promise<Bundle> {
  const name = source.replaceAll(/\W/g, "-");
  const outDir = fileURLToPath(
    new URL(`../../node_modules/.cache/taskmill-${name}-${process.pid}/`, import.meta.url),
  );
  await build({
    logLevel: "silent",
    configFile: false,
    build: {
      ssr: fileURLToPath(new URL(source, import.meta.url)),
      outDir,
      emptyOutDir: true,
      minify: false,
      rollupOptions: { output: { entryFileNames: "child.mjs" } },
    },
  });
  return { file: join(outDir, "child.mjs"), remove: () => rmSync(outDir, { recursive: true, force: true }) };
}
