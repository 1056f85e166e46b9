import { defineAction } from "./action.js";

export const show = defineAction({
  subject: "id",
  examples: [["sources show planets", "columns, units, licence, provenance"]],
  async run(subject, _args, io) {
    const [{ findCard }, { sourceText }] = await Promise.all([
      import("../../../sources/cards.js"),
      import("../../describe-source.js"),
    ]);
    const { card } = await findCard(subject, ".");
    io.out(io.json ? `${JSON.stringify(card)}\n` : sourceText(card));
    return 0;
  },
});
