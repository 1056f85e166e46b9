import { describe, expect, it } from "vitest";
import { secretsOf } from "../../../sources/fetch/secrets.js";
import { fetchSpec } from "../../../sources/fetch/spec.js";

const of = (name: string, value: string) =>
  secretsOf(fetchSpec.parse({ url: "https://data.example/", headers: { [name]: "IT" } }), { IT: value });

describe("secretsOf", () => {
  it.each([
    ["authorization", "Bearer abc/d+ef==", "abc/d+ef=="],
    ["authorization", "Bearer abc/d+ef==", "abc%2Fd%2Bef%3D%3D"],
    ["authorization", "Bearer abc/d+ef==", "abc%2fd%2bef%3d%3d"],
    ["authorization", 'Token "quo"ted"', '\\"quo\\"ted\\"'],
    ["authorization", "Basic dXNlcjpwYXNzd29yZA==", "password"],
    ["cookie", "a=first-one; b=second-one", "second-one"],
    ["x-key", "two words here", "two+words+here"],
  ])("hides what %s: %s holds, written %s", (name, value, form) => {
    const { hide, within } = of(name, value);
    expect(hide(`it is <${form}>.`)).toBe("it is <[secret]>.");
    expect(within(`<${form}>`)).toBe(true);
    expect(hide("no word of it")).toBe("no word of it");
  });

  it("hides one that a cut has shortened", () => {
    expect(of("x-key", "s3cret-value").hide("bad key s3cret-va")).toBe("bad key [secret]");
  });

  it("hides who asks, without refusing data that name them", () => {
    const { hide, within } = of("from", "ann@example.org");
    expect([hide("ann@example.org"), within("ann@example.org")]).toEqual(["[secret]", false]);
  });
});
