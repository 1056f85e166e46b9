import type { FoundCard } from "../../sources/cards.js";
import { defineCommand } from "./command.js";

interface Args {
  readonly action: "list" | "show" | "check";
  readonly subject?: string;
}

export const sources = defineCommand<Args>({
  usage: "sources <action> [subject]",
  summary: "list the bundled sources, show one, or check a card of your own",
  positionals: {
    action: "list, show or check",
    subject: "for show: an id or a card; for check: a card file",
  },
  examples: [
    ["sources list", "what comes with Taskmill"],
    ["sources show planets", "columns, units, licence, provenance"],
    ["sources check ./my/card.yaml", "every problem of a card, and whether its snapshot is the one it names"],
  ],
  exits: [0, 1, 2],
  args: (z) => z.strictObject({ action: z.enum(["list", "show", "check"]), subject: z.string().optional() }),
  async run({ action, subject }, io) {
    const [cards, { wantedSubject }, pages] = await Promise.all([
      import("../../sources/cards.js"),
      import("./subject.js"),
      import("../describe-source.js"),
    ]);
    wantedSubject(action !== "list", subject, `sources ${action}`, action === "check" ? "card" : "id");
    if (action === "list") {
      const found = await Promise.all(cards.bundledIds().map((id) => cards.findCard(id, ".")));
      io.out(
        io.json ? `${JSON.stringify(found.map((f) => pages.sourceLine(f.card)))}\n` : pages.listText(found),
      );
      return 0;
    }
    const found: FoundCard = await cards.findCard(subject!, ".");
    if (action === "check") await pages.checkSnapshot(found);
    const done = `${found.card.id}: card and snapshot are sound\n`;
    io.out(
      io.json ? `${JSON.stringify(found.card)}\n` : action === "check" ? done : pages.sourceText(found.card),
    );
    return 0;
  },
});
