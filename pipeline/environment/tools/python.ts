import { z } from "zod";
import { openPython } from "../python/session.js";
import { defineTool } from "../tool.js";

const LONGEST_CODE = 100_000;
/** Characters of an observation that stand for the note on what is left out, and for what the environment's escapes add. */
const ROOM = 160;

export const python = defineTool<{ code: string }>({
  name: "python",
  version: 1,
  description:
    "Runs Python in a session of your own: variables, imports and files in the working directory stay from call to call. " +
    "Gives what the code prints, and the value of an expression on its last line. The standard library is there; other packages may " +
    "be. There is no network, and no files but the session's own. Time, memory and output are limited. Processes and background jobs " +
    "end with the call that started them. What the last call printed is in the variable `_output`, to read on in what was cut.",
  args: z.strictObject({
    code: z.string().max(LONGEST_CODE).describe("Python source, one or more lines"),
  }),
  stateful: true,
  identity: ({ spec }) => {
    const { seconds, memory_mb, processes, disk_mb } = spec.python;
    return { seconds, memory_mb, processes, disk_mb, observation: spec.observation };
  },
  open: ({ spec, signal }) => {
    const { interpreter, ...limits } = spec.python;
    const session = openPython({ limits, interpreter });
    return {
      async call({ code }) {
        const { text, ok, before, after } = await session.run(code, signal);
        const most = spec.observation - ROOM - before.length - after.length;
        return { text: lines([before, shown(text, most), after]), ok, urls: [] };
      },
      close: () => session.close(),
    };
  },
});

const lines = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/\n$/, ""))
    .filter((part) => part !== "")
    .join("\n") || "(no output)";

/** About `most` characters: the beginning and the end of a longer text, which is where results and errors stand. */
function shown(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.max(20, Math.floor(most / 2));
  const head = text.slice(0, half - (splits(text, half) ? 1 : 0));
  const from = text.length - half;
  const tail = text.slice(from + (splits(text, from) ? 1 : 0));
  // Python counts code points.
  const start = [...head].length;
  const end = [...text].length - [...tail].length;
  return `${head}\n[cut: _output[${start}:${end}] is not shown]\n${tail}`;
}

/** Whether a cut at `at` would part a surrogate pair. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;
