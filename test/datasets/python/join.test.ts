import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { joinModules, pythonReward } from "../../../datasets/python/join.js";
import { noPython } from "./ask.js";

const init = [
  "__init__",
  '"""About it.\n\nFor its writers.\n"""\n\nfrom .b import b_two\n\n__all__ = ["b_two"]\n',
] as const;

describe("joining modules", () => {
  it("puts each behind those it needs, imports of the library first", () => {
    const text = joinModules(
      new Map([
        init,
        [
          "a",
          '"""A."""\n\nimport re\n\nfrom .b import (\n    b_one,\n    b_two,\n)\n\n\ndef a():\n    return b_one\n',
        ],
        [
          "b",
          '"""B, of\ntwo lines."""\n\nfrom __future__ import annotations\n\nimport re\n\nb_one = 1\nb_two = 2\n',
        ],
      ]),
    );
    expect(text).toBe(
      '"""About it."""\n\nfrom __future__ import annotations\n\nimport re\n\n\n' +
        "# b: B, of\n# two lines.\n\nb_one = 1\nb_two = 2\n\n\n# a: A.\n\ndef a():\n    return b_one\n\n\n" +
        '__all__ = ["b_two"]\n',
    );
  });

  it.each([
    ["a circle", { a: "from .b import b\n", b: "from .a import a\n" }, /import each other/],
    ["a module that is not there", { a: "from .c import c\n" }, /not there: a/],
    ["another name", { a: "from .b import b as c\n", b: "b = 1\n" }, /another one/],
    [
      "a name twice",
      { a: "def one():\n    pass\n", b: "one = 2\n" },
      /a\.py and b\.py both have the name one/,
    ],
  ])("refuses %s", (_, modules, message) => {
    expect(() => joinModules(new Map([init, ...Object.entries(modules)]))).toThrow(message);
  });

  it("gives one file of the standard library alone, always the same", () => {
    const text = pythonReward();
    expect(pythonReward()).toBe(text);
    const imports = [...text.matchAll(/^(?:from|import) +([\w.]+)/gm)].map((m) => m[1]);
    expect(imports).not.toHaveLength(0);
    const library = new Set([
      "__future__",
      "bisect",
      "collections",
      "decimal",
      "fractions",
      "functools",
      "json",
      "math",
      "re",
      "sys",
      "typing",
      "unicodedata",
    ]);
    expect(imports.filter((name) => !library.has(name!))).toEqual([]);
    expect(text).not.toMatch(/^\s*from \./m);
  });

  const reason = noPython();
  it.skipIf(reason !== undefined)(
    `compiles without a warning${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    () => {
      // The grammar of 3.9, whatever runs here.
      const script =
        "import ast, sys; t = sys.stdin.read(); ast.parse(t, feature_version=(3, 9)); compile(t, 'taskmill_reward.py', 'exec')";
      const { status, stderr } = spawnSync("python3", ["-W", "error", "-c", script], {
        input: pythonReward(),
      });
      expect([status, String(stderr)]).toEqual([0, ""]);
    },
  );
});
