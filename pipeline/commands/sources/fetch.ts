import type { FetchResult } from "../../../sources/fetch/fetch.js";
import { FetchProgress } from "../../fetch-progress.js";
import { counted } from "../../terminal.js";
import { defineAction } from "./action.js";

interface Args {
  readonly "allow-private"?: boolean;
  readonly "allow-host"?: string;
  readonly update?: boolean;
  readonly fresh?: boolean;
}

export const fetch = defineAction<Args>({
  subject: "card",
  options: {
    update: { describe: "replace a locked snapshot by what the publisher has now" },
    fresh: { describe: "begin anew, with no page kept from before" },
    "allow-host": {
      value: "HOST,...",
      describe: "hosts in a private network that may be asked (name or name:port)",
    },
    "allow-private": { describe: "any host in a private network may be asked" },
  },
  examples: [
    ["sources fetch ./my/card.yaml", "download the snapshot, all pages, or go on where that stopped"],
    ["sources fetch ./my/card.yaml --update", "take the publisher's new data, and show what changed"],
  ],
  args: (z) => ({
    update: z.boolean().optional(),
    fresh: z.boolean().optional(),
    "allow-host": z.string().min(1).optional(),
    "allow-private": z.boolean().optional(),
  }),
  async run(subject, { update, fresh, ...reach }, io) {
    const [{ findCard }, { fetchSnapshot }, { changesText }, { shortPath }] = await Promise.all([
      import("../../../sources/cards.js"),
      import("../../../sources/fetch/fetch.js"),
      import("../../../sources/fetch/changes.js"),
      import("../../sources.js"),
    ]);
    const found = await findCard(subject, ".");
    const progress = new FetchProgress(io);
    try {
      const result = await fetchSnapshot(found, {
        update,
        fresh,
        allowPrivate: reach["allow-private"],
        allowHosts: reach["allow-host"]?.split(",").map((host) => host.trim()),
        signal: io.signal,
        onEvent: progress.listen,
      });
      progress.end();
      const changes = result.changes === undefined ? [] : [changesText(result.changes)];
      io.out(
        io.json ? `${JSON.stringify(result)}\n` : textOf(result, shortPath(result.file), subject, changes),
      );
      return 0;
    } finally {
      progress.end();
    }
  },
});

function textOf(result: FetchResult, file: string, subject: string, changes: readonly string[]): string {
  const { card, state, records, pages, requests, kept, unchanged, sha256, locked } = result;
  const asked = [
    counted(requests, "request"),
    ...(kept > 0 ? [`${counted(kept, "page")} kept from before`] : []),
    ...(unchanged > 0 ? [`${counted(unchanged, "page")} unchanged at the server`] : []),
  ];
  const count = records === null ? "" : `${counted(records, "record")}, `;
  return [
    `${card}: ${file} ${state}; ${count}${counted(pages, "page")} (${asked.join(", ")})`,
    ...changes,
    `sha256 ${sha256}${locked ? ", as locked" : ""}`,
    ...(locked ? [] : [`to pin it: pipeline sources lock ${subject}`]),
    "",
  ].join("\n");
}
