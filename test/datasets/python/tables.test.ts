import { describe, expect, it } from "vitest";
import { UNICODE, unicodeTable, unitsTable } from "../../../datasets/python/tables.js";

/** `npx vitest run test/datasets/python -u` writes both anew. */
const MADE_FOR = "17.0";
const folder = "../../../datasets/python/taskmill_reward";

describe("tables of the Python verifier", () => {
  it("have the units of the TypeScript one", async () => {
    await expect(unitsTable()).toMatchFileSnapshot(`${folder}/units_table.py`);
  });

  it.skipIf(UNICODE !== MADE_FOR)(
    `have the characters of Unicode ${MADE_FOR} (this engine: ${UNICODE})`,
    async () => {
      await expect(unicodeTable()).toMatchFileSnapshot(`${folder}/unicode_table.py`);
    },
  );
});
