import { describe, expect, it } from "vitest";
import { parseText } from "../../../pipeline/base/document.js";
import { resolveRoles } from "../../../pipeline/models/roles.js";
import { modelSpec } from "../../../pipeline/models/spec.js";

function resolved(base_url: string) {
  const document = parseText("config.yaml", JSON.stringify({ models: { m: { base_url, model: "x" } } }));
  return resolveRoles({ m: modelSpec.parse({ base_url, model: "x" }) }, document, { env: {} });
}

describe("the address of a role", () => {
  it.each([
    ["http://localhost:8000/v1/", "http://localhost:8000/v1"],
    ["https://api.example.com:8443/x", "https://api.example.com:8443/x"],
  ])("names calls without what says nothing (%s)", (base_url, endpoint) => {
    const { roles, problems } = resolved(base_url);
    expect(problems).toEqual([]);
    expect(roles.get("m")).toMatchObject({ identity: { endpoint }, off: false });
  });

  it.each([
    ["https://user:pass-word@api.example.com/v1", "secret_in_config"],
    ["https://api.example.com/v1?api-key=abcdefgh", "bad_base_url"],
    ["https://api.example.com/v1#abcdefgh", "bad_base_url"],
    ["ftp://api.example.com/v1", "bad_base_url"],
    ["api.example.com/v1", "bad_base_url"],
  ])("holds no secret and can be asked (%s)", (base_url, code) => {
    const { problems } = resolved(base_url);
    expect(problems).toMatchObject([{ code }]);
    expect(problems[0]!.message).not.toMatch(/pass-word|abcdefgh/);
  });
});
