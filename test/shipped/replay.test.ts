import { it } from "vitest";
import { record } from "./record.js";
it("records", async () => { if (process.env.TASKMILL_RECORD) await record(); });
