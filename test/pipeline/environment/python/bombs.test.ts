import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { processesWith, SANDBOXED, session } from "./helpers.js";

type Session = ReturnType<typeof session>;

async function inSession(
  limits: Parameters<typeof session>[0],
  work: (python: Session) => Promise<void>,
): Promise<void> {
  const python = session(limits);
  try {
    await work(python);
  } finally {
    await python.close();
    expect(processesWith(python.mark)).toEqual([]);
  }
}

const KEPT = "Variables are kept.";

describe.skipIf(!SANDBOXED)("what would bring the machine down", () => {
  it.concurrent("a fork bomb: as many processes as allowed, and none after the call", () =>
    inSession({ processes: 8 }, async (python) => {
      const { text } = await python.run(
        "import os, time\nmade = 0\nfor _ in range(500):\n  try:\n    if os.fork() == 0:\n      time.sleep(600)\n    made += 1\n  except OSError as e:\n    print(e.errno)\n    break\nmade",
      );
      expect(text).toMatch(/^11\n[789]\n$/);
      expect(processesWith(python.mark).length).toBeLessThanOrEqual(4);
      expect((await python.run("made > 1")).text).toBe("True\n");
    }));

  it.concurrent("a fork bomb that goes on for ever", () =>
    inSession({ processes: 8, seconds: 0.5 }, async (python) => {
      const bomb = "import os\nwhile True:\n  try:\n    os.fork()\n  except BaseException:\n    pass";
      const { after, ok } = await python.run(bomb);
      // The interrupt may come between two tries.
      expect({ after, ok }).toEqual({
        after: expect.stringMatching(/^\[Stopped after 0\.5 s\. /),
        ok: false,
      });
      expect((await python.run("1 + 1")).text).toBe("2\n");
    }));

  it.concurrent("daemons: a new session, forked twice, deaf to signals, are gone when the call ends", () =>
    inSession({}, async (python) => {
      const name = `daemon-${process.pid}-${Math.trunc(performance.now())}`;
      const { text } = await python.run(
        "import os, signal, subprocess, sys\n" +
          "for s in range(1, 30):\n  try: signal.signal(s, signal.SIG_IGN)\n  except (OSError, ValueError): pass\n" +
          `a, b = os.pipe()\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    os.write(b, b'x')\n    os.execv('/bin/sleep', ['${name}', '600'])\n  os._exit(0)\n` +
          `os.read(a, 1)\nsubprocess.Popen(['/bin/sh', '-c', 'sleep 600 # ${name}'], start_new_session=True)\n'started'`,
      );
      expect(text).toBe("'started'\n");
      for (let i = 0; i < 500 && processesWith(name).length > 0; i++) await setTimeout(20);
      expect(processesWith(name)).toEqual([]);
      expect((await python.run("1 + 1")).text).toBe("2\n");
    }));

  it.concurrent("too much memory at once is a MemoryError", () =>
    inSession({ memory_mb: 64 }, async (python) => {
      const { text, after, ok } = await python.run("kept = 7\nbytearray(10**9)");
      expect(text).toMatch(/MemoryError\n$/);
      expect({ after, ok }).toEqual({ after: "[Memory: 64 MB for the session.]", ok: false });
      expect((await python.run("kept")).text).toBe("7\n");
    }));

  it.concurrent.each([
    [
      "by several processes",
      "ps = [subprocess.Popen([sys.executable, '-S', '-c', 'b = bytearray(50*10**6); import time; time.sleep(60)']) for _ in range(6)]\n[p.wait() for p in ps]",
    ],
    [
      "shared between processes",
      "import mmap\nm = mmap.mmap(-1, 900*10**6)\nfor i in range(0, len(m), 4096): m[i] = 1\ntime.sleep(60)",
    ],
  ])("too much memory %s ends the session", (_how, code) =>
    inSession({ memory_mb: 100 }, async (python) => {
      const { after, ok } = await python.run(`import subprocess, sys, time\n${code}`);
      expect(after).toMatch(/^\[Stopped: it used more than 100 MB of memory\. .*lost/);
      expect(ok).toBe(false);
      const next = await python.run("'anew'");
      expect(next).toMatchObject({
        before: "[A fresh session: the variables of earlier calls are lost.]",
        text: "'anew'\n",
        ok: true,
      });
      expect((await python.run("1")).before).toBe("");
    }),
  );

  it.concurrent("a disk bomb meets the end of the disk, in one file or many", () =>
    inSession({ disk_mb: 4 }, async (python) => {
      const code =
        "n = 0\ntry:\n  for i in range(1000):\n    with open(f'/tmp/{NAME}', 'ab', 0) as f: n += f.write(b'x' * 10**5)\nexcept OSError as e: print(e.errno)\nn <= 5e6";
      expect((await python.run(code.replace("{NAME}", "one"))).text).toMatch(/^(27|28)\nTrue\n$/);
      expect((await python.run(code.replace("{NAME}", "{i}"))).text).toBe("28\nTrue\n");
      expect(
        (
          await python.run(
            "import os\nfor f in os.listdir('/tmp'): os.remove('/tmp/' + f)\nopen('/dev/shm/x', 'wb').write(b'x' * 10**7)",
          )
        ).text,
      ).toMatch(/OSError: \[Errno 2[78]\]/);
    }));

  it.concurrent("empty files without number end the session", () =>
    inSession({ disk_mb: 64 }, async (python) => {
      const { after } = await python.run("for i in range(10**7): open(f'/tmp/{i}', 'w').close()");
      expect(after).toMatch(/^\[Stopped: it made more than 50,000 files\..*lost/);
    }));

  it.concurrent("endless output is stopped, and both ends of it are kept", () =>
    inSession({}, async (python) => {
      const { text, after, ok } = await python.run(
        "n = 0\nwhile True:\n  n += 1\n  print('line', n, 'x' * 200)",
      );
      expect(text.slice(0, 12)).toBe("line 1 xxxxx");
      expect(text.length).toBeLessThan(1_000_200);
      expect(text).toMatch(/\n\[\d+ bytes are not kept\]\n/);
      expect(text).toMatch(/KeyboardInterrupt\n$/);
      expect({ after, ok }).toEqual({ after: `[Stopped: it wrote more than 16 MB. ${KEPT}]`, ok: false });
      expect((await python.run("len(_output) <= 1000200, n > 70000")).text).toBe("(True, True)\n");
    }));

  it.concurrent.each([
    ["a loop", "while True: pass"],
    ["sleep", "import time\ntime.sleep(600)"],
    ["a pattern that tries everything", "import re\nre.match('(a+)+$', 'a' * 60 + 'b')"],
    ["a child that is waited for", "import subprocess\nsubprocess.run(['/bin/sleep', '600'])"],
    ["input", "import os\nos.read(os.pipe()[0], 1)"],
  ])("time: %s is interrupted", (_what, code) =>
    inSession({ seconds: 0.3 }, async (python) => {
      await python.run("kept = 7");
      const { text, after, ok } = await python.run(code);
      expect({ after, ok }).toEqual({ after: `[Stopped after 0.3 s. ${KEPT}]`, ok: false });
      expect(text).toMatch(/KeyboardInterrupt\n$/);
      expect((await python.run("kept")).text).toBe("7\n");
    }),
  );

  it.concurrent.each([
    [
      "code that catches the interrupt",
      "import time\nwhile True:\n  try: time.sleep(9)\n  except BaseException: pass",
    ],
    [
      "code that is deaf to signals",
      "import signal\nfor s in (2, 15, 1, 3): signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
    ],
    [
      "signals that are blocked",
      "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
    ],
    ["a sum without end", "import itertools\nsum(itertools.repeat(0))"],
  ])("time: %s is killed", (_what, code) =>
    inSession({ seconds: 0.3 }, async (python) => {
      await python.run("x = 7");
      const { after, ok } = await python.run(code);
      expect({ after, ok }).toEqual({
        after: expect.stringMatching(/^\[Stopped after 0\.3 s\. .*lost/),
        ok: false,
      });
      const next = await python.run("'x' in globals()");
      expect(next).toMatchObject({ before: expect.stringContaining("fresh session"), text: "False\n" });
    }),
  );

  it.concurrent("a thread that spins is stopped between calls", () =>
    inSession({}, async (python) => {
      await python.run(
        "import threading\nn = 0\ndef spin():\n  global n\n  while True: n += 1\nthreading.Thread(target=spin, daemon=True).start()",
      );
      const states = (): string =>
        processesWith(python.mark)
          .map((p) => p.state)
          .sort()
          .join("");
      for (let i = 0; i < 1000 && !states().endsWith("T"); i++) await setTimeout(10);
      expect(states()).toBe("SST");
      expect((await python.run("n > 0")).text).toBe("True\n");
    }));
});
