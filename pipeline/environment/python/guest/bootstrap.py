"""Runs cells of code in one namespace, inside the sandbox.

Requests are lines of JSON on what is file descriptor 0 at the start: {"token", "cell", "code"} and, where there was a call before,
{"output"}. All that a cell writes goes to descriptor 1; the token and a line of JSON, {"ok", "memory", "stopped"}, end it there, so
that nothing need be matched up between two pipes. Cells share this interpreter and can break it: what they break is their own
session. What must hold against them (no network, no files, limits, the end of every process) is held from outside.
"""

import ast
import io
import linecache
import os
import random
import resource
import signal
import site
import sys
import traceback
import types
from fcntl import F_DUPFD_CLOEXEC, fcntl
from json import dumps, loads

# Cells may put other things in the place of these; the loop goes on with what it had.
_exit, getpid, os_open, close, dup2, write = os._exit, os.getpid, os.open, os.close, os.dup2, os.write
HIGH = 200
OURS = getpid()


def limit(values):
    """Hard limits: none can be raised again."""
    for name, value in values.items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))


def take_descriptors():
    """Moves requests and output away from 0 and 1, where cells and their children look, and closes what else was left open."""
    os.closerange(3, 65536)
    requests = fcntl(0, F_DUPFD_CLOEXEC, HIGH)
    output = fcntl(1, F_DUPFD_CLOEXEC, HIGH)
    return os.fdopen(requests, "rb"), output


def fresh_streams(output):
    """Standard streams as they should be, whatever the last cell made of them. Both are one, so that their lines keep their order."""
    null = os_open("/dev/null", os.O_RDONLY)
    if null != 0:
        dup2(null, 0)
        close(null)
    dup2(output, 1)
    dup2(output, 2)
    raw = open(1, "wb", closefd=False)
    stream = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = stream
    sys.stdin = sys.__stdin__ = open(0, closefd=False)
    return stream


def run(code, name, namespace):
    """Executes a cell; the value of an expression at its end is printed, as in a notebook."""
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec", dont_inherit=True), namespace)
    if last is None:
        return
    value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), namespace)
    if value is not None:
        namespace["_"] = value
        print(repr(value))


def own_frames(report, seen):
    """Cuts a traceback, and those of its causes, to the lines that the agent wrote: the rest differs from machine to machine."""
    if report is None or id(report) in seen:
        return
    seen.add(id(report))
    kept = [f for f in report.stack if f.filename.startswith(("<cell", "/tmp/"))]
    report.stack = traceback.StackSummary.from_list(kept)
    own_frames(report.__cause__, seen)
    own_frames(report.__context__, seen)
    for inner in getattr(report, "exceptions", None) or ():
        own_frames(inner, seen)


def tell(error, stream):
    report = traceback.TracebackException(type(error), error, error.__traceback__)
    own_frames(report, set())
    for line in report.format():
        stream.write(line)


def outcome(request, name, namespace, stream):
    """Runs a cell and says how it ended."""
    ended = {"ok": False, "memory": False, "stopped": False}
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run(request["code"], name, namespace)
        ended["ok"] = True
    except SystemExit as error:
        ended["ok"] = error.code in (None, 0)
        if not ended["ok"]:
            stream.write("SystemExit: %s\n" % (error.code,))
    except BaseException as error:
        ended["stopped"] = isinstance(error, KeyboardInterrupt)
        ended["memory"] = isinstance(error, MemoryError)
        tell(error, stream)
    return ended


def quiet(action):
    """What a cell left behind may fail in any way; the loop goes on."""
    try:
        action()
    except BaseException:
        pass


def serve(requests, output, namespace):
    for line in requests:
        request = loads(line)
        name = "<cell %d>" % request["cell"]
        lines = request["code"].splitlines(True)
        linecache.cache[name] = (len(request["code"]), None, lines, name)
        if "output" in request:
            namespace["_output"] = request["output"]
        stream = fresh_streams(output)
        ended = {"ok": False, "memory": False, "stopped": False}
        try:
            ended = outcome(request, name, namespace, stream)
        except BaseException:
            # An interrupt, or memory that ran out, while the error was being told.
            pass
        quiet(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        if getpid() != OURS:
            _exit(0)  # A child that the cell forked and that came back here.
        quiet(lambda: sys.stdout.flush())
        quiet(stream.flush)
        end = (request["token"] + dumps(ended) + "\n").encode()
        while end:
            end = end[write(output, end) :]


def main():
    options = loads(sys.argv[1])
    requests, output = take_descriptors()
    limit(options["limits"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The first entry is this file's folder: cells import what they wrote in theirs instead.
    sys.path[0] = ""
    sys.path.extend(options["packages"])
    sys.argv = [""]
    site.setquit()
    site.sethelper()
    random.seed(0)
    module = types.ModuleType("__main__")
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    serve(requests, output, module.__dict__)
    _exit(0)


main()
