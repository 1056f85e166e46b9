import { askingRun } from "./asking-run.js";

/** A run in a process of its own, to be killed: `node child.mjs '{"dir": ..., "url": ..., "rows": ...}'`. Prints notes, a line each. */
const options: unknown = JSON.parse(process.argv[2]!);
await askingRun({
  ...(options as Parameters<typeof askingRun>[0]),
  onEvent: (event) => {
    if (event.type === "note") console.log(event.message);
  },
});
console.log("done");
