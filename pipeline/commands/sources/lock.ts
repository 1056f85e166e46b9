import { counted } from "../../terminal.js";
import { defineAction } from "./action.js";

export const lock = defineAction({
  subject: "card",
  examples: [["sources lock ./my/card.yaml", "pin the snapshot: write its hash and date into the card"]],
  async run(subject, _args, io) {
    const [{ findCard }, { lockSnapshot }, { shortPath }] = await Promise.all([
      import("../../../sources/cards.js"),
      import("../../../sources/fetch/lock.js"),
      import("../../sources.js"),
    ]);
    const result = await lockSnapshot(await findCard(subject, "."));
    if (io.json) {
      io.out(`${JSON.stringify(result)}\n`);
      return 0;
    }
    const { card, sha256, as_of, records, lock: file, changed } = result;
    const what = [
      ...(records === null ? [] : [counted(records, "record")]),
      ...(as_of === null ? [] : [`as of ${as_of}`]),
      `sha256 ${sha256}`,
    ];
    const how = changed ? "locked" : "was locked to this already";
    io.out(
      `${card}: ${how}: ${what.join(", ")}\n${file === null ? "" : `the rest is in ${shortPath(file)}\n`}`,
    );
    return 0;
  },
});
