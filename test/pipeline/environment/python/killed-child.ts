import { writeSync } from "node:fs";
import { openPython } from "../../../../pipeline/environment/python/session.js";

/** Runs a cell that never ends, in a session with a limit by which its processes are found, until it is killed: `node child.mjs DISK_MB`. */
const limits = { seconds: 600, memory_mb: 64, processes: 8, disk_mb: Number(process.argv[2]) };
const { signal } = new AbortController();
const [busy, idle] = [openPython({ limits }), openPython({ limits })];
await idle.run("import subprocess\nsubprocess.Popen(['/bin/sleep', '600'], start_new_session=True)", signal);
void busy.run("import os\nos.setsid() if os.fork() == 0 else None\nwhile True: pass", signal);
writeSync(1, "running\n");
