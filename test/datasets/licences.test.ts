import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LICENCES } from "../../datasets/licence-table.js";
import { idOf, type MergedLicence, mergeLicences } from "../../datasets/licences.js";

const merge = (...ids: string[]) =>
  mergeLicences(
    ids.map((id, i) => ({
      source: `s${i}`,
      id,
      share_alike: false,
      url: id.startsWith("LicenseRef") ? "https://example.org" : undefined,
    })),
  );
const effective = (...ids: string[]) => {
  const merged = merge(...ids);
  return "problems" in merged ? merged.problems.map((p) => p.code) : merged.effective;
};

describe("licences", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("knows no licence %s", (id) => {
    expect(idOf(id)).toBeUndefined();
    expect(effective(id)).toEqual(["unknown_licence"]);
  });

  it.each([
    [["CC0-1.0"], ["CC0-1.0"]],
    [["public domain", "CC0-1.0"], ["CC0-1.0"]],
    [["CC0-1.0", "CC-BY-4.0"], ["CC-BY-4.0"]],
    [
      ["MIT", "Apache-2.0", "cc-by-4.0"],
      ["Apache-2.0", "CC-BY-4.0", "MIT"],
    ],
    [["CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0"], ["CC-BY-SA-4.0"]],
    [["ODbL-1.0", "CC-BY-4.0"], ["ODbL-1.0"]],
    [["Artistic-2.0", "GPL-2.0-or-later"], ["GPL-2.0-or-later"]],
    [["GPL-2.0-or-later", "GPL-3.0-or-later"], ["GPL-3.0-or-later"]],
    [["CC-BY-SA-4.0", "GPL-3.0-only"], ["GPL-3.0-only"]],
    [["CC-BY-SA-4.0", "GPL-3.0-or-later"], ["GPL-3.0-only"]],
    [
      ["CC-BY-NC-4.0", "CC-BY-4.0"],
      ["CC-BY-4.0", "CC-BY-NC-4.0"],
    ],
    [["LicenseRef-house", "CC0-1.0"], ["LicenseRef-house"]],
  ])("%j go under %j", (ids, due) => expect(effective(...ids)).toEqual(due));

  it.each([
    [["CC-BY-SA-4.0", "ODbL-1.0"]],
    [["GPL-2.0-only", "GPL-3.0-only"]],
    [["Apache-2.0", "GPL-2.0-only"]],
    [["CC-BY-NC-4.0", "CC-BY-SA-4.0"]],
    [["CC-BY-NC-SA-4.0", "GPL-3.0-only"]],
    [["CC-BY-ND-4.0"]],
  ])("%j cannot be in one dataset", (ids) =>
    expect(new Set(effective(...ids))).toEqual(new Set(["licence_conflict"])),
  );

  it("names both sources of a conflict and says why", () => {
    const merged = merge("CC0-1.0", "ODbL-1.0", "CC-BY-SA-4.0") as { problems: { message: string }[] };
    expect(merged.problems[0]!.message).toMatch(
      /^sources s1 and s2 cannot be in one dataset: ODbL-1.0 and CC-BY-SA-4.0/,
    );
  });

  it("asks for a declaration of a licence that it does not know", () => {
    const [problem] = (merge("CC-BY 4.0") as { problems: { code: string; hint?: string }[] }).problems;
    expect(problem).toMatchObject({
      code: "unknown_licence",
      hint: expect.stringMatching(/did you mean CC-BY-4.0\?.*LicenseRef-NAME/),
    });
    const bare = mergeLicences([{ source: "s", id: "LicenseRef-house", share_alike: false }]);
    expect(bare).toHaveProperty("problems");
  });

  it("takes a card's word that its licence is share-alike", () => {
    const ref = { source: "a", id: "LicenseRef-house", url: "https://example.org", share_alike: true };
    const merged = mergeLicences([ref, { source: "b", id: "CC-BY-SA-4.0", share_alike: true }]);
    expect(merged).toHaveProperty("problems.0.code", "licence_conflict");
  });

  it("says what users owe", () => {
    const merged = merge("MIT", "CC-BY-SA-4.0") as MergedLicence;
    expect(merged.duties.join(" ")).toMatch(
      /Credit the sources s0, s1.*must be under CC-BY-SA-4.0 \(asked by s1\)/,
    );
    expect(merged.hub).toEqual(["cc-by-sa-4.0"]);
    expect((merge("LicenseRef-x") as MergedLicence).hub).toEqual(["other"]);
  });

  it("does not depend on the order of sources", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Object.keys(LICENCES)), { minLength: 1, maxLength: 4 }),
        (ids) => {
          const outcome = (list: string[]) => [...new Set(effective(...list))].sort();
          expect(outcome([...ids].reverse())).toEqual(outcome(ids));
        },
      ),
    ));
});
