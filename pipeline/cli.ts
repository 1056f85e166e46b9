import yargs, { type Argv } from "yargs";
import { EXIT_CODES, fail, type Problem, suggest, TaskmillError } from "./base/errors.js";
import { visibleLines } from "./base/render.js";
import { type Command, EXITS } from "./commands/command.js";
import { COMMANDS } from "./commands/index.js";
import type { Io } from "./terminal.js";

/** Options of every verb. */
const COMMON = {
  json: { describe: "machine-readable output on stdout, and nothing else there" },
  quiet: { describe: "no progress" },
} as const;

/**
 * The command line. @param argv what stands behind `pipeline`. @returns the exit code; never throws.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const stop = stopOnSignals();
  ignoreClosedPipes();
  const io = ioOf(argv, stop.signal);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return await report(error, argv, io);
  } finally {
    stop.release();
  }
}

/** Finds the verb; yargs takes the words apart and writes the help, zod says what is wrong. */
async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  refuseInherited(argv);
  const parsed: { verb?: string; values: Record<string, unknown> } = { values: {} };
  let help = "";
  const parser = Object.entries(COMMANDS).reduce(
    (y, [verb, command]) =>
      y.command(
        command.usage,
        command.summary,
        (sub) => describe(sub, command),
        (values) => {
          parsed.verb = verb;
          parsed.values = values;
        },
      ),
    base(argv),
  );
  await parser.parseAsync([...argv], {}, (_error, _values, output) => {
    help = output;
  });
  if (help !== "") {
    io.out(`${help}\n`);
    return 0;
  }
  const command = parsed.verb === undefined ? undefined : COMMANDS[parsed.verb];
  if (command === undefined) return unknownVerb(argv, parser, io);
  return command.run(await readArgs(command, parsed.verb!, parsed.values, argv), io);
}

/** yargs keeps options in plain objects, where `--constructor` would find what every object has. */
function refuseInherited(argv: readonly string[]): void {
  const option = argv.find((word) => {
    const name = /^--?(?:no-)?([^=]*)/.exec(word)?.[1];
    return name !== undefined && name in Object.prototype;
  });
  if (option !== undefined)
    fail("usage", "unknown_option", `unknown option \`${option}\``, "pipeline --help");
}

function base(argv: readonly string[]): Argv {
  return yargs([...argv])
    .locale("en")
    .scriptName("pipeline")
    .usage("$0 <verb>\n\nMakes datasets of answer-first tasks from science tables.")
    .parserConfiguration({
      // `--run 12e4` is a name, and `--limit 1 --limit 2` a mistake that yargs would settle by itself.
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
    })
    .options(optionsOf(COMMON))
    .help("help", "show this help")
    .alias("help", "h")
    .version(false)
    .option("version", { describe: "show the version", type: "boolean" })
    .epilogue("Help on one verb: pipeline <verb> --help")
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw usageError(message ?? error.message, argv);
    });
}

function optionsOf(options: Readonly<Record<string, { describe: string; value?: string }>>) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { describe, value }]) => [
      name,
      value === undefined
        ? ({ describe, type: "boolean" } as const)
        : ({ describe: `${value}: ${describe}`, type: "string", requiresArg: true } as const),
    ]),
  );
}

function describe(y: Argv, command: Command<unknown>): Argv {
  const words = Object.entries(command.positionals ?? {});
  const withWords = words.reduce(
    (z, [name, text]) => z.positional(name, { describe: text, type: "string" }),
    y,
  );
  const exits = command.exits.map(
    (code) => `  ${String(code).padStart(3)}  ${command.meanings?.[code] ?? EXITS[code]}`,
  );
  return command.examples
    .reduce((z, [example, what]) => z.example(`$0 ${example}`, what), withWords)
    .usage(`$0 ${command.usage}\n\n${command.summary}`)
    .options(optionsOf(command.options ?? {}))
    .epilogue(`Exit codes:\n${exits.join("\n")}`);
}

/** What yargs itself refuses: a missing word behind the verb, an option without its value. */
function usageError(message: string, argv: readonly string[]): TaskmillError {
  const verb = argv.find((word) => Object.hasOwn(COMMANDS, word));
  const hint =
    verb === undefined ? "pipeline --help" : `pipeline ${COMMANDS[verb]!.usage}; see pipeline ${verb} --help`;
  const missing = message.startsWith("Not enough non-option arguments");
  const option = /^Not enough arguments following: (.*)$/.exec(message)?.[1];
  const text = missing
    ? `\`pipeline ${verb}\` needs ${/<[^>]+>/.exec(COMMANDS[verb!]!.usage)![0]}`
    : option !== undefined
      ? `--${option} needs a value`
      : message;
  return new TaskmillError("usage", [{ code: "usage", message: text, hint }]);
}

async function unknownVerb(argv: readonly string[], parser: Argv, io: Io): Promise<number> {
  if (argv.includes("--version")) {
    const { VERSION } = await import("./version.js");
    io.out(`${VERSION}\n`);
    return 0;
  }
  const word = argv.find((w) => !w.startsWith("-"));
  if (word === undefined) {
    const option = argv.find((w) => w.startsWith("-") && !["--json", "--quiet"].includes(w));
    if (option !== undefined)
      fail("usage", "unknown_option", `unknown option \`${option}\``, "pipeline --help");
    io.err(`${await parser.getHelp()}\n`);
    return EXIT_CODES.usage;
  }
  fail(
    "usage",
    "unknown_verb",
    `there is no verb \`${word}\``,
    suggest(word, Object.keys(COMMANDS), "verbs"),
  );
}

/** Holds the parsed words against the verb's schema: unknown options, repeated ones, wrong values, words too many. */
async function readArgs(
  command: Command<unknown>,
  verb: string,
  values: Record<string, unknown>,
  argv: readonly string[],
): Promise<unknown> {
  const [{ z }, { argumentProblems }] = await Promise.all([import("zod"), import("./arguments.js")]);
  const { $0: _name, _: words, help: _help, h: _h, version: _version, json, quiet, ...given } = values;
  const result = command.args(z).safeParse(given, { reportInput: true });
  const problems = argumentProblems({
    verb,
    command,
    extra: (words as unknown[]).slice(1).map(String),
    repeated: repeatedOptions({ json, quiet, ...given }, argv),
    issues: result.success ? [] : result.error.issues,
    common: Object.keys(COMMON),
  });
  if (problems.length > 0) throw new TaskmillError("usage", problems);
  return result.data;
}

/** yargs makes a list of a repeated option, and nothing of a repeated flag. */
function repeatedOptions(values: Record<string, unknown>, argv: readonly string[]): string[] {
  const twice = (flag: string): boolean => argv.indexOf(flag) !== argv.lastIndexOf(flag);
  return Object.entries(values)
    .filter(([name, value]) => Array.isArray(value) || (value === true && twice(`--${name}`)))
    .map(([name]) => name);
}

/** Says what went wrong in the way that suits the reader, and turns it into an exit code. */
async function report(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const debug = process.env.TASKMILL_DEBUG === "1";
  const known = error instanceof TaskmillError;
  const kind = known ? error.kind : "internal";
  const problems = known ? withResumeLine(error, argv) : [internalProblem(error, debug)];
  if (io.json) io.out(`${JSON.stringify({ error: { kind, problems } })}\n`);
  const { renderProblems } = await import("./base/render.js");
  io.err(renderProblems(problems, { color: io.color.err }));
  if (debug && error instanceof Error) io.err(`${error.stack}\n`);
  return EXIT_CODES[kind];
}

function internalProblem(error: unknown, debug: boolean): Problem {
  const message = error instanceof Error ? error.message.split("\n")[0]! : String(error);
  const hint = debug ? undefined : "this is a fault in Taskmill; TASKMILL_DEBUG=1 shows where it happened";
  return { code: "internal", message: `internal error: ${message}`, ...(hint === undefined ? {} : { hint }) };
}

function withResumeLine(error: TaskmillError, argv: readonly string[]): readonly Problem[] {
  if (error.kind !== "interrupted") return error.problems;
  return error.problems.map((p) => ({ ...p, hint: `to go on: ${resumeLine(argv)}` }));
}

/** The very command, for a POSIX shell. */
function resumeLine(argv: readonly string[]): string {
  const quote = (word: string): string =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return ["npx pipeline", ...argv.map(quote)].join(" ");
}

/** The first signal asks the run to stop, the second ends the process. */
function stopOnSignals(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
    process.stderr.write("\nstopping after the rows at work; once more stops at once\n");
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const release = (): void => {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  };
  return { signal: controller.signal, release };
}

/** `pipeline ... | head` closes stdout early; what is still to be done does not depend on a reader. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

function ioOf(argv: readonly string[], signal: AbortSignal): Io {
  const color = (stream: { isTTY?: boolean }): boolean =>
    stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  return {
    // Texts of data, cards and manifests must not act on the terminal that shows them.
    out: (text) => void process.stdout.write(visibleLines(text)),
    err: (text) => void process.stderr.write(text),
    json: argv.includes("--json"),
    quiet: argv.includes("--quiet"),
    live: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    color: { out: color(process.stdout), err: color(process.stderr) },
    columns: process.stderr.columns || 80,
    signal,
    now: () => performance.now(),
  };
}
