import type { Io } from "../../terminal.js";
import { defineAction } from "./action.js";

interface Args {
  readonly write?: string;
  readonly read?: string;
  readonly key?: string;
  readonly name?: string;
  readonly id?: string;
  readonly entity?: string;
  readonly plural?: string;
  readonly scope?: string;
  readonly domain?: string;
  readonly publisher?: string;
  readonly host?: string;
  readonly licence?: string;
  readonly citation?: string;
  readonly "as-of"?: string;
  readonly complete?: string;
}

const OPTIONS = {
  write: {
    value: "CARD.yaml",
    describe: "of a table: write its draft card here, beside the table; never over a file",
  },
  read: {
    value: "YAML",
    describe: "of a table: how to read it, as `snapshot.read` of a card, instead of guessing",
  },
  key: { value: "FIELD", describe: "of a table: the field that is the key" },
  name: { value: "FIELD", describe: "of a table: the field that names entities in prose" },
  id: { value: "ID", describe: "of a table: the id of its card" },
  entity: { value: "NOUN", describe: 'of a table: what one record is, e.g. "moon"' },
  plural: { value: "NOUNS", describe: "of a table: the plural, where it is not formed with -s" },
  scope: { value: "TEXT", describe: 'of a table: said after the noun, e.g. "of the Solar System"' },
  domain: { value: "ID", describe: "of a table: the field of science" },
  publisher: { value: "NAME", describe: "of a table: who publishes it" },
  host: { value: "HOSTS", describe: "of a table: the publisher's hosts, divided by commas" },
  licence: { value: "SPDX", describe: "of a table: its licence" },
  citation: { value: "TEXT", describe: "of a table: how it is cited" },
  "as-of": { value: "DATE", describe: "of a table: the date of the data" },
  complete: { value: "WHO", describe: "of a table: who says that it holds every entity there is" },
} as const;

export const check = defineAction<Args>({
  subject: "card or a table",
  options: OPTIONS,
  examples: [
    ["sources check ./my/moons.csv", "what a table of yours holds, how it was read, and a draft of its card"],
    ["sources check ./my/moons.csv --write ./my/moons.yaml --entity moon", "the draft as a file, to edit"],
    ["sources check ./my/moons.yaml", "every problem of a card, and what a scientist would object to"],
  ],
  args: (z) => Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, z.string().min(1).optional()])),
  async run(subject, args, io) {
    const { isTable } = await import("../../check-table.js");
    try {
      return (await isTable(subject))
        ? await checkTable(subject, args, io)
        : await checkCard(subject, args, io);
    } catch (error) {
      throw io.signal.aborted ? await interrupted() : error;
    }
  },
});

/** Whatever a reader makes of the signal. */
async function interrupted(): Promise<Error> {
  const { TaskmillError } = await import("../../base/errors.js");
  return new TaskmillError("interrupted", [{ code: "interrupted", message: "the check was interrupted" }]);
}

async function checkTable(file: string, args: Args, io: Io): Promise<number> {
  const [{ draftOf }, { checkTableOptions, hostsOf, readOption }] = await Promise.all([
    import("../../check-table.js"),
    import("./table-options.js"),
  ]);
  checkTableOptions({ ...args });
  const { write, read: given, key, name, host, "as-of": asOf, ...told } = args;
  const read = given === undefined ? undefined : readOption(given);
  const draft = await draftOf(
    file,
    { ...told, write, read, key, name, asOf, hosts: hostsOf(host) },
    io.signal,
  );
  if (io.json) io.out(`${JSON.stringify(draft.json)}\n`);
  else io.out(draft.text);
  return 0;
}

async function checkCard(subject: string, args: Args, io: Io): Promise<number> {
  const [{ fail }, { checkSource }] = await Promise.all([
    import("../../base/errors.js"),
    import("../../check-source.js"),
  ]);
  const [needless] = Object.entries(args).find(([, value]) => value !== undefined) ?? [];
  if (needless !== undefined) {
    const hint = "it drafts a card for a table; this is a card already";
    fail("usage", "unexpected_option", `--${needless} says nothing of a card`, hint);
  }
  const checked = await checkSource(subject, io.signal);
  io.out(io.json ? `${JSON.stringify(checked.json)}\n` : checked.text);
  return checked.sound ? 0 : 1;
}
