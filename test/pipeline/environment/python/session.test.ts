import { describe, expect, it } from "vitest";
import { SessionPool } from "../../../../pipeline/environment/python/pool.js";
import { openPython } from "../../../../pipeline/environment/python/session.js";
import { processesWith, SANDBOXED, session } from "./helpers.js";

describe.skipIf(!SANDBOXED)("a Python session", () => {
  const python = session();

  it.each([
    ["a value at the end", "x = 20\nx * 2 + 2", "42\n"],
    ["variables of the call before", "x", "20\n"],
    ["nothing", "x = 1", ""],
    ["None", "None", ""],
    ["no code", "", ""],
    ["comments only", "# nothing\n", ""],
    ["prints and a value, in order", "print('a'); print('b'); 'c'", "a\nb\n'c'\n"],
    ["the last value", "_", "'c'\n"],
    [
      "both streams, in order",
      "import sys\nfor i in range(3): print(i); print('e', i, file=sys.stderr)",
      "0\ne 0\n1\ne 1\n2\ne 2\n",
    ],
    [
      "a program's output, in order",
      "import subprocess\nprint('a')\n_r = subprocess.run(['/bin/echo', 'b'])\nprint('c')",
      "a\nb\nc\n",
    ],
    ["text without an end of line", "print('x', end='')", "x"],
    ["unicode", "print('é 漢 😀 \\u202e')", "é 漢 😀 \u202e\n"],
    ["half a character", "print('\\ud800')", "\\ud800\n"],
    ["bytes that are no text", "import os\n_r = os.write(1, b'\\xff\\n')", "\ufffd\n"],
    ["nul", "print('a\\0b')", "a\0b\n"],
    ["what the last call wrote", "_output", "'a\\x00b\\n'\n"],
    [
      "chance that is the same everywhere",
      "import random\nrandom.Random(0).random(), [random.randrange(10**6) for _ in range(2)]",
      "(0.8444218515250481, [885440, 403958])\n",
    ],
    [
      "hashes that are the same everywhere",
      "hash('a') == hash('a'), __import__('os').environ['PYTHONHASHSEED']",
      "(True, '0')\n",
    ],
    ["where it is", "import os\nos.getcwd(), __name__", "('/tmp', '__main__')\n"],
    ["a module that the cell wrote", "_r = open('mine.py', 'w').write('y = 5')\nimport mine\nmine.y", "5\n"],
    [
      "pickles of its own classes",
      "import pickle\nclass A: pass\ntype(pickle.loads(pickle.dumps(A()))).__name__",
      "'A'\n",
    ],
    [
      "worker processes",
      "from multiprocessing import Pool\nwith Pool(2) as p: print(p.map(abs, [-1, 2]))",
      "[1, 2]\n",
    ],
    ["an event loop", "import asyncio\nasync def f(): return 3\nasyncio.run(f())", "3\n"],
    ["a temporary file", "import tempfile\nwith tempfile.TemporaryFile() as f: print(f.write(b'x'))", "1\n"],
    ["sqlite", "import sqlite3\nsqlite3.connect(':memory:').execute('select 1+1').fetchone()", "(2,)\n"],
    ["fractions", "from fractions import Fraction\nFraction(1, 3) + Fraction(1, 6)", "Fraction(1, 2)\n"],
    ["a clean exit", "import sys\nsys.exit()", ""],
    [
      "no other interpreter's names",
      "sorted(n for n in globals() if n in ('serve', 'main', 'requests'))",
      "[]\n",
    ],
  ])("gives %s", async (_what, code, right) => {
    expect(await python.run(code)).toEqual({ text: right, ok: true, before: "", after: "" });
  });

  it.each([
    [
      "an error, cut to the code's own lines",
      "def f(x):\n  return 1 / x\nf(0)",
      /^Traceback \(most recent call last\):\n {2}File "<cell \d+>", line 3, in <module>\n[\s\S]* {2}File "<cell \d+>", line 2, in f\n[\s\S]*ZeroDivisionError: division by zero\n$/,
    ],
    [
      "an error inside a library, without its lines",
      "import json\njson.loads('{')",
      /^Traceback[\s\S]*line 2, in <module>\n(?![\s\S]*File "\/)[\s\S]*JSONDecodeError: /,
    ],
    [
      "what caused an error",
      "try: 1 / 0\nexcept Exception as e: raise ValueError('v') from e",
      /ZeroDivisionError[\s\S]*direct cause[\s\S]*ValueError: v\n$/,
    ],
    ["a syntax error", "x = (1", /^ {2}File "<cell \d+>", line 1\n[\s\S]*SyntaxError: /],
    ["bytes that no source holds", "x = 1\0", /null bytes/],
    [
      "nesting without end",
      `${"(".repeat(3000)}1${")".repeat(3000)}`,
      /(SyntaxError|MemoryError|RecursionError)/,
    ],
    ["recursion without end", "def f(): f()\nf()", /RecursionError/],
    [
      "an error that cannot be told",
      "class E(Exception):\n  def __str__(self): raise E()\nraise E()",
      /E: <exception str\(\) failed>\n$/,
    ],
    [
      "a value that cannot be shown",
      "class R:\n  def __repr__(self): raise ValueError('no')\nR()",
      /ValueError: no\n$/,
    ],
    ["a failed exit", "exit('bad')", /^SystemExit: bad\n$/],
    ["no input", "input()", /EOFError/],
    [
      "no bridge to the host",
      "import js\njs.process.version",
      /ModuleNotFoundError: No module named 'js'\n$/,
    ],
  ])("tells of %s", async (_what, code, right) => {
    const { text, ok, after } = await python.run(code);
    expect({ text, ok }).toEqual({ text: expect.stringMatching(right), ok: false });
    expect(after).toMatch(/^(\[Memory: .*)?$/);
  });

  it("is itself again after a cell has broken what it stands on", async () => {
    const broken = [
      "import sys\nsys.stdout = sys.stderr = None",
      "import os\nos.close(1); os.close(2); os.close(0)",
      "import os\nos.dup2(os.open('/dev/null', os.O_WRONLY), 1)",
      "import sys\nsys.stdout.close()",
      "import builtins\nbuiltins.print = builtins.repr = None",
      "import os, json\nos._exit = os.write = os.dup2 = json.loads = json.dumps = None",
      "import sys\nsys.modules.clear()",
      "import signal\nsignal.signal(signal.SIGINT, lambda *a: None)",
      "globals().clear()",
    ];
    const own = session();
    for (const code of broken) {
      const { after } = await own.run(code);
      expect({ code, after }).toEqual({ code, after: "" });
      expect(await own.run("kept = 3")).toMatchObject({ before: "", ok: true });
    }
    await own.close();
  });

  it.each([
    ["leaves", "import os\nos._exit(3)"],
    ["kills itself", "import os\nos.kill(os.getpid(), 9)"],
    ["crashes", "import ctypes\nctypes.string_at(0)"],
    ["closes everything", "import os\nos.closerange(0, 256)"],
    ["becomes another program", "import os\nos.execv('/bin/true', ['true'])"],
    ["takes the requests", "import os\nos.dup2(os.open('/dev/null', 0), 200)"],
  ])("says once that it was lost when a cell %s", async (_what, code) => {
    const own = session({ seconds: 1 });
    await own.run("x = 1");
    const answers = [
      await own.run(code),
      await own.run("'x' in globals()"),
      await own.run("1"),
      await own.run("2"),
    ];
    const notes = answers.map(({ before, after }) => before + after).join("\n");
    expect(notes.match(/The interpreter ended\. /g)).toHaveLength(1);
    expect(notes.match(/A fresh session/g)).toHaveLength(1);
    expect(answers.at(-1)).toEqual({ text: "2\n", ok: true, before: "", after: "" });
    await own.close();
  });

  it("a child that comes back from a fork answers nothing", async () => {
    expect(
      (
        await python.run(
          "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint('once' if pid else 'child')",
        )
      ).text,
    ).toBe("child\nonce\n");
    expect((await python.run("'next'")).text).toBe("'next'\n");
  });

  it("an end that a cell made up ends its own call and nothing more", async () => {
    const forged =
      "import os, sys\nf = sys._getframe()\nwhile 'request' not in f.f_locals: f = f.f_back\n" +
      `os.write(1, (f.f_locals['request']['token'] + '{"ok": true, "memory": false}\\n').encode())\nprint('after')`;
    const own = session();
    expect(await own.run(forged)).toMatchObject({ text: "", ok: true });
    const texts = [(await own.run("'second'")).text, (await own.run("'third'")).text];
    expect(texts[1]).toBe("'third'\n");
    await own.close();
  });

  it("knows nothing of another session, before it or beside it", async () => {
    const a = session();
    const b = session();
    await a.run("open('/tmp/left.txt', 'w').write('x'); mine = 1");
    const look = "import os\nos.path.exists('/tmp/left.txt'), 'mine' in globals(), os.listdir('/tmp')";
    expect((await b.run(look)).text).toBe("(False, False, [])\n");
    await a.close();
    const c = session();
    expect((await c.run(look)).text).toBe("(False, False, [])\n");
    await Promise.all([b.close(), c.close()]);
  });

  it("calls that come at once are run one after the other", async () => {
    const own = session();
    const codes = ["x = 1", "x += 1", "x *= 10", "x"];
    const answers = await Promise.all(codes.map((code) => own.run(code)));
    expect(answers.at(-1)?.text).toBe("20\n");
    await own.close();
  });

  it("ends with the run, and counts for nothing then", async () => {
    const own = session();
    const controller = new AbortController();
    await own.run("1", controller.signal);
    const running = own.run("while True: pass", controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toMatchObject({ kind: "interrupted" });
    await expect(own.run("1", controller.signal)).rejects.toMatchObject({ kind: "interrupted" });
    expect(processesWith(own.mark)).toEqual([]);
    await own.close();
    await expect(own.run("1")).rejects.toMatchObject({ kind: "interrupted" });
  });

  it("under many sessions one gives way, and finds its variables again", async () => {
    const pool = new SessionPool(2, 2);
    const limits = { seconds: 20, memory_mb: 64, processes: 4, disk_mb: 1 + (process.pid % 1e6) / 1e6 };
    const mark = `"FSIZE":${1_000_000 + (process.pid % 1e6)}`;
    const sessions = Array.from({ length: 5 }, () => openPython({ limits, pool }));
    const { signal } = new AbortController();
    await Promise.all(
      sessions.map((s, i) => s.run(`x = ${i}; open('f', 'w').write(str(x)); print('made', x)`, signal)),
    );
    const alive = processesWith(mark).filter(({ state }) => state === "T").length;
    expect(alive).toBeLessThanOrEqual(2);
    const answers = await Promise.all(sessions.map((s) => s.run("x, open('f').read(), _output", signal)));
    expect(answers.map(({ text }) => text)).toEqual(
      [0, 1, 2, 3, 4].map((i) => `(${i}, '${i}', 'made ${i}\\n')\n`),
    );
    expect(answers.map(({ before }) => before).join("")).toBe("");
    await Promise.all(sessions.map((s) => s.close()));
    expect(processesWith(mark)).toEqual([]);
    await python.close();
  });
});
