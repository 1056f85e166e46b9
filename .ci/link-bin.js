// `npx pipeline` in a clone: npm links the bins of dependencies, but not the package's own, and npx would then install the
// whole package a second time into its cache. Run by `prepare`, so after every `npm ci` and `npm install`.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const bin = join("node_modules", ".bin");
const link = join(bin, "pipeline");
mkdirSync(bin, { recursive: true });
rmSync(link, { force: true });
if (process.platform === "win32") {
  writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\pipeline\\bin.js" %*\r\n');
} else {
  symlinkSync(join("..", "..", "pipeline", "bin.js"), link);
}
