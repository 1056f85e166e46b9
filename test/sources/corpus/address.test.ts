import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressKey, hostOf, ownAddress } from "../../../sources/corpus/address.js";

describe("the form in which addresses are compared", () => {
  it.each([
    ["HTTP://Example.ORG:80/a%7Eb/#part", "https://example.org/a~b"],
    ["https://example.org:443", "https://example.org"],
    ["https://example.org./", "https://example.org"],
    ["https://user:word@example.org/x", "https://example.org/x"],
    ["https://example.org:8443/x/", "https://example.org:8443/x"],
    ["https://en.example.org/wiki/Uranus_%28planet%29", "https://en.example.org/wiki/Uranus_(planet)"],
    ["https://example.org/Ørsted", "https://example.org/%C3%98rsted"],
    ["https://example.org/%c3%98rsted", "https://example.org/%C3%98rsted"],
    ["https://example.org/a?b=%26&c=1", "https://example.org/a?b=%26&c=1"],
    ["https://bücher.example/", "https://xn--bcher-kva.example"],
    ["corpus://c/a/b%20c.md", "corpus://c/a/b%20c.md"],
    ["  https://example.org/x  ", "https://example.org/x"],
    ["no address at all", "no address at all"],
    ["", ""],
  ])("%s", (url, key) => {
    expect(addressKey(url)).toBe(key);
  });

  it("keeps apart what differs in path, query or port", () => {
    const keys = ["https://e.org/a", "https://e.org/A", "https://e.org/a?x", "https://e.org:81/a"].map(
      addressKey,
    );
    expect(new Set(keys).size).toBe(4);
  });

  it("is its own form", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()),
        (url) => {
          expect(addressKey(addressKey(url))).toBe(addressKey(url));
        },
      ),
    );
  });

  it("names documents by corpus and path", () => {
    expect(ownAddress("my set", "moons/a b#1.md")).toBe("corpus://my%20set/moons/a%20b%231.md");
    expect(addressKey(ownAddress("c", "ü/1"))).toBe("corpus://c/%C3%BC/1");
  });

  it("knows hosts", () => {
    expect(hostOf("https://En.Example.ORG.:8080/x")).toBe("en.example.org");
    expect(hostOf("nothing")).toBe("");
  });
});
