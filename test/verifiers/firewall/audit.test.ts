import { describe, expect, it } from "vitest";
import { auditUrls } from "../../../verifiers/firewall/audit.js";
import { firewallOf } from "../../../verifiers/firewall/firewall-of.js";

const firewall = firewallOf({ rules: [{ block: "blocked.org", why: "config" }], fingerprints: [] });

describe("the audit of addresses", () => {
  it("judges by the rules, not by what the tool said", () => {
    const audit = auditUrls(
      [
        {
          urls: [
            { url: "https://fine.org/", how: "asked", blocked: null },
            { url: "https://fine.org/", how: "served", blocked: null },
          ],
        },
        { urls: [{ url: "https://blocked.org/a", how: "asked", blocked: "blocked.org" }] },
        {
          urls: [
            { url: "https://fine.org/b", how: "asked", blocked: null },
            { url: "https://blocked.org/b", how: "redirected", blocked: null },
            { url: "https://blocked.org/b", how: "served", blocked: null },
          ],
        },
        {
          urls: [
            { url: "https://blocked.org/c", how: "listed", blocked: null },
            { url: "https://blocked.org/d", how: "listed", blocked: "blocked.org" },
          ],
        },
        { urls: [{ url: "https://copy.org/", how: "asked", blocked: "copy of moons: 23 of 40 rows" }] },
      ],
      firewall,
    );
    expect(audit).toEqual({
      asked: 4,
      blocked: 4,
      served: [
        { url: "https://blocked.org/b", rule: "blocked.org" },
        { url: "https://blocked.org/c", rule: "blocked.org" },
      ],
    });
  });
});
