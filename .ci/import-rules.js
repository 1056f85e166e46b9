// The import rules of docs/design.md. dependency-cruiser passes when it has understood nothing, so what it saw is counted.
import { spawnSync } from "node:child_process";

const rooms = ["pipeline", "sources", "stages", "verifiers", "datasets"];
const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
    ...["--config", ".dependency-cruiser.cjs", "--output-type", "json"],
    ...rooms,
  ],
  { encoding: "utf8", maxBuffer: 2 ** 28 },
);
let summary;
let modules;
try {
  ({ summary, modules } = JSON.parse(stdout));
} catch {
  console.error(`dependency-cruiser gave no result\n${stderr}`);
  process.exit(1);
}
for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle === undefined ? to : cycle.map((step) => step.name ?? step).join(" → ");
  console.error(`${rule.name}: ${from} → ${path}`);
}
const unseen = rooms.filter(
  (room) => !modules.some((m) => m.source.startsWith(`${room}/`) && m.source.endsWith(".ts")),
);
if (unseen.length > 0)
  console.error(`no module was seen in ${unseen.join(", ")}: the rules were not checked`);
console.log(`import rules: ${modules.length} modules, ${summary.violations.length} violations`);
process.exit(summary.violations.length + unseen.length > 0 ? 1 : 0);
