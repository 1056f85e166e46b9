import { fail } from "../base/errors.js";
import { defineCommand } from "./command.js";
import type { Action } from "./sources/action.js";
import { check } from "./sources/check.js";
import { fetch } from "./sources/fetch.js";
import { list } from "./sources/list.js";
import { lock } from "./sources/lock.js";
import { show } from "./sources/show.js";
import { wantedSubject } from "./subject.js";

/** Actions by name, in the order of the help. */
const ACTIONS: Readonly<Record<string, Action<unknown>>> = { list, show, check, fetch, lock };
const all = Object.values(ACTIONS);

interface Args {
  readonly action: string;
  readonly subject?: string;
  readonly [option: string]: unknown;
}

export const sources = defineCommand<Args>({
  usage: "sources <action> [subject]",
  summary: "list the bundled sources, show one; check, fetch and pin tables of your own",
  positionals: {
    action: Object.keys(ACTIONS).join(", "),
    subject: "for show: an id or a card; for check: a table, or a card; for fetch and lock: a card",
  },
  options: Object.assign({}, ...all.map((action) => action.options ?? {})),
  examples: all.flatMap((action) => action.examples),
  exits: [0, 1, 2, 130],
  args: (z) =>
    z.strictObject({
      action: z.enum(Object.keys(ACTIONS)),
      subject: z.string().optional(),
      ...(Object.assign({}, ...all.map((action) => action.args?.(z) ?? {})) as object),
    }),
  async run({ action: name, subject, ...options }, io) {
    const action = ACTIONS[name]!;
    wantedSubject(action.subject !== undefined, subject, `sources ${name}`, action.subject ?? "");
    refuseOthers(name, options);
    return action.run(subject ?? "", options, io);
  },
});

/** All actions share one command line: an option that means nothing to this one is a mistake. */
function refuseOthers(name: string, options: Readonly<Record<string, unknown>>): void {
  const own = ACTIONS[name]!.options ?? {};
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || value === false || Object.hasOwn(own, option)) continue;
    const owners = Object.keys(ACTIONS).filter((other) =>
      Object.hasOwn(ACTIONS[other]!.options ?? {}, option),
    );
    const hint = `it belongs to \`sources ${owners.join("`, `sources ")}\``;
    fail("usage", "unknown_option", `\`sources ${name}\` takes no --${option}`, hint);
  }
}
