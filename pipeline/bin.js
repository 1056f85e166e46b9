#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The one file that runs uncompiled: it must explain itself on any Node and before any build.
const cli = new URL("../dist/pipeline/cli.js", import.meta.url);
const major = Number(process.versions.node.split(".")[0]);

if (major < 20) {
  console.error(`pipeline needs Node 20 or newer; this is Node ${process.versions.node}`);
  process.exitCode = 2;
} else if (!existsSync(fileURLToPath(cli))) {
  console.error("pipeline is not built yet; run: npm run build");
  process.exitCode = 2;
} else {
  const { main } = await import(cli.href);
  process.exitCode = await main(process.argv.slice(2));
}
