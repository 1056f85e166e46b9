import { defineAction } from "./action.js";

export const list = defineAction({
  examples: [["sources list", "what comes with Taskmill"]],
  async run(_subject, _args, io) {
    const [cards, pages] = await Promise.all([
      import("../../../sources/cards.js"),
      import("../../describe-source.js"),
    ]);
    const found = await Promise.all(cards.bundledIds().map((id) => cards.findCard(id, ".")));
    io.out(
      io.json ? `${JSON.stringify(found.map((f) => pages.sourceLine(f.card)))}\n` : pages.listText(found),
    );
    return 0;
  },
});
