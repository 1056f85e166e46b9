import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withAliases } from "../../../verifiers/firewall/aliases.js";
import { firewallOf, UNNAMED } from "../../../verifiers/firewall/firewall-of.js";
import { RELAY_RULES } from "../../../verifiers/firewall/known.js";

const named = [
  { block: "ssd.jpl.nasa.gov", why: "publisher of moons" },
  { block: "bücher.example", why: "publisher of books" },
  { block: "github.com/owner/repo", why: "mirror of moons" },
  { block: "npmjs.com/package/moon-data", why: "mirror of moons" },
];
const firewall = firewallOf({
  rules: withAliases([...named, ...RELAY_RULES]),
  allow: ["open.ssd.jpl.nasa.gov", "github.com/owner/repo/docs", "127.0.0.1:8080"],
  fingerprints: [],
});

const target = "https://ssd.jpl.nasa.gov/sats/phys_par/";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const SSD = "ssd.jpl.nasa.gov";
const REPO = "github.com/owner/repo";

/** Address and the rule that must keep it back. */
const EVASIONS: readonly (readonly [string, string])[] = [
  // The host itself, in other spellings.
  [target, SSD],
  ["HTTPS://SSD.JPL.NASA.GOV/", SSD],
  ["https://ssd.jpl.nasa.gov./sats", SSD],
  ["https://ssd.jpl.nasa.gov:8443/sats", SSD],
  ["https://www.ssd.jpl.nasa.gov/", SSD],
  ["https://a.b.c.ssd.jpl.nasa.gov/", SSD],
  ["https://ssd%2Ejpl%2Enasa%2Egov/", SSD],
  ["https://%73%73%64.jpl.nasa.gov/", SSD],
  ["https://ｓｓｄ.jpl.nasa.gov/", SSD],
  ["https://ssd。jpl。nasa。gov/", SSD],
  ["https://ⓢⓢⓓ.jpl.nasa.gov/", SSD],
  ["https://s\u00adsd.jpl.nasa.gov/", SSD],
  ["https:\\\\ssd.jpl.nasa.gov\\sats", SSD],
  ["https:ssd.jpl.nasa.gov", SSD],
  ["https:////ssd.jpl.nasa.gov", SSD],
  ["ht\ntps://ssd.jpl\t.nasa.gov", SSD],
  ["https://xn--bcher-kva.example/", "bücher.example"],
  ["https://BÜCHER.example/", "bücher.example"],
  // Users, schemes, numbers.
  ["https://example.org@ssd.jpl.nasa.gov/", UNNAMED.user],
  ["https://ssd.jpl.nasa.gov@example.org/", UNNAMED.user],
  ["https://128.149.23.134/", UNNAMED.ip],
  ["https://2157254534/", UNNAMED.ip],
  ["https://0x80951786/", UNNAMED.ip],
  ["https://0200.0225.027.0206/", UNNAMED.ip],
  ["https://128.149.5926/", UNNAMED.ip],
  ["https://[::ffff:128.149.23.134]/", UNNAMED.ip],
  ["https://[2001:db8::1]/", UNNAMED.ip],
  ["https://１２８.149.23.134/", UNNAMED.ip],
  ["https://128-149-23-134.nip.io/", "nip.io"],
  ["file:///etc/passwd", UNNAMED.scheme],
  ["data:text/html,hello", UNNAMED.scheme],
  ["ftp://ssd.jpl.nasa.gov/", UNNAMED.scheme],
  [`view-source:${target}`, UNNAMED.scheme],
  ["javascript:fetch('https://ssd.jpl.nasa.gov')", UNNAMED.scheme],
  [`blob:${target}`, UNNAMED.scheme],
  ["ssd.jpl.nasa.gov", UNNAMED.none],
  ["", UNNAMED.none],
  // Archives, caches, translators, readers, proxies.
  [`https://web.archive.org/web/2020/${target}`, "web.archive.org"],
  ["https://web.archive.org/web/2020id_/example.org", "web.archive.org"],
  ["https://archive.ph/AbCdE", "archive.ph"],
  ["https://ARCHIVE.TODAY/newest/x", "archive.today"],
  ["https://webcache.googleusercontent.com/search?q=cache:abc", "webcache.googleusercontent.com"],
  ["https://cc.bingj.com/cache.aspx?d=1", "cc.bingj.com"],
  ["https://r.jina.ai/https://example.org", "r.jina.ai"],
  ["https://12ft.io/example.org", "12ft.io"],
  ["https://ssd-jpl-nasa-gov.translate.goog/sats?_x_tr_sl=en", "translate.goog"],
  [`https://translate.google.com/translate?u=${encodeURIComponent(target)}`, "translate.google.com"],
  ["https://ssd-jpl-nasa-gov.cdn.ampproject.org/c/s/ssd.jpl.nasa.gov/", "cdn.ampproject.org"],
  ["https://www.google.com/amp/s/ssd.jpl.nasa.gov/", "google.com/amp"],
  ["https://ghostarchive.org/archive/x", "ghostarchive.org"],
  ["https://corsproxy.io/?x", "corsproxy.io"],
  // The target inside other addresses.
  [`https://proxy.example/?url=${target}`, SSD],
  [`https://proxy.example/${target}`, SSD],
  ["https://proxy.example/ssd.jpl.nasa.gov/sats", SSD],
  [`https://proxy.example/?u=${encodeURIComponent(target)}`, SSD],
  [`https://proxy.example/?u=${encodeURIComponent(encodeURIComponent(target))}`, SSD],
  [`https://proxy.example/?u=${encodeURIComponent(encodeURIComponent(encodeURIComponent(target)))}`, SSD],
  ["https://proxy.example/?u=https%3A%2F%2Fssd%252Ejpl%252Enasa%252Egov", SSD],
  [`https://proxy.example/?u=${base64(target)}`, SSD],
  [`https://proxy.example/?u=x${base64(target)}`, SSD],
  [`https://proxy.example/browse/u-${Buffer.from(target).toString("base64url")}/x`, SSD],
  [`https://proxy.example/?u=${base64(encodeURIComponent(target))}`, SSD],
  [`https://proxy.example/?u=${base64(base64(target))}`, SSD],
  [`https://proxy.example/?u=${encodeURIComponent(base64(target))}`, SSD],
  [`https://proxy.example/?u=${Buffer.from(target).toString("hex")}`, SSD],
  [`https://proxy.example/#${target}`, SSD],
  ["https://proxy.example/?h=ssd\\u002ejpl\\u002enasa\\u002egov", SSD],
  ["https://proxy.example/?h=ssd%EF%BC%8Ejpl%EF%BC%8Enasa%EF%BC%8Egov", SSD],
  ["https://proxy.example/?q=cache:ssd.jpl.nasa.gov/sats", SSD],
  ["https://duck.example/?q=site%3Assd.jpl.nasa.gov+moons", SSD],
  ["https://ssd.jpl.nasa.gov.proxy.example/", SSD],
  ["https://ssd-jpl-nasa-gov.ezproxy.example.edu/sats", SSD],
  ["https://proxy.example/?u=http://xn--bcher-kva.example", "bücher.example"],
  ["https://proxy.example/?u=https://web.archive.org/web/2020/http://example.org", "web.archive.org"],
  // Files of a blocked repository or package.
  ["https://github.com/owner/repo", REPO],
  ["https://www.github.com/Owner/Repo/blob/main/moons.csv", REPO],
  ["https://github.com//owner/./repo/", REPO],
  ["https://github.com/x/../owner/repo", REPO],
  ["https://github.com/%6fwner%2Frepo", REPO],
  ["https://github.com/owner/repo.git", REPO],
  ["https://raw.githubusercontent.com/owner/repo/main/moons.csv", "raw.githubusercontent.com/owner/repo"],
  ["https://cdn.jsdelivr.net/gh/owner/repo@1.0/moons.csv", "jsdelivr.net/gh/owner/repo"],
  ["https://fastly.jsdelivr.net/gh/Owner/repo/moons.csv", "jsdelivr.net/gh/owner/repo"],
  ["https://raw.githack.com/owner/repo/main/moons.csv", "raw.githack.com/owner/repo"],
  ["https://cdn.statically.io/gh/owner/repo/main/moons.csv", "statically.io/gh/owner/repo"],
  ["https://owner.github.io/repo/moons.csv", "owner.github.io/repo"],
  ["https://gitcdn.xyz/repo/owner/repo/main/moons.csv", "gitcdn.xyz/repo/owner/repo"],
  ["https://unpkg.com/moon-data@2.0.0/moons.json", "unpkg.com/moon-data"],
  ["https://cdn.jsdelivr.net/npm/moon-data/moons.json", "jsdelivr.net/npm/moon-data"],
  ["https://registry.npmjs.org/moon-data/-/moon-data-2.0.0.tgz", "registry.npmjs.org/moon-data"],
  ["https://proxy.example/?u=github.com/owner/repo", REPO],
  // What is let through carries nothing else along.
  [`https://open.ssd.jpl.nasa.gov/?u=${target}`, SSD],
  [`https://example.org/?${"x".repeat(5000)}`, UNNAMED.long],
];

const INNOCENT = [
  "https://notssd.jpl.nasa.gov/",
  "https://jpl.nasa.gov/",
  "https://www.nasa.gov/moons",
  "https://ssd.jpl.nasa.gov-info.example/",
  "https://ssd.example.org/",
  "https://example.org/?q=nasa",
  "https://example.org/?q=ssd+jpl+nasa+gov",
  "https://en.wikipedia.org/wiki/Moons_of_Jupiter#Physical_characteristics",
  "https://en.wikipedia.org/wiki/Jet_Propulsion_Laboratory",
  "https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe",
  "https://github.com/owner/repository",
  "https://github.com/owner",
  "https://github.com/other/repo",
  "https://cdn.jsdelivr.net/npm/moon-database/index.js",
  "https://unpkg.com/moon",
  "https://archive.org/details/astronomy-book",
  "https://example.org/archive.html?version=1.2.3.4",
  "https://example.org/index.php?id=aGVsbG8gd29ybGQsIHRoaXMgaXMgbm8gYWRkcmVzcw==",
  "https://example.org/0123456789abcdef0123456789abcdef01234567",
  "https://ssd-review.example.org/best-ssd-drives",
  "https://doi.org/10.1103/PhysRevD.98.030001",
  "http://127.0.0.1:8080/page",
  "https://open.ssd.jpl.nasa.gov/data",
  "https://github.com/owner/repo/docs/guide.md",
  "corpus://notes/ssd.jpl.nasa.gov",
];

describe("a firewall", () => {
  it("has more than 40 evasions to withstand", () => expect(EVASIONS.length).toBeGreaterThan(40));

  it.each(EVASIONS)("blocks %s", (url, rule) => expect(firewall.blocks(url)).toBe(rule));

  it.each(INNOCENT)("lets %s through", (url) => expect(firewall.blocks(url)).toBeUndefined());

  it("blocks a host however it is carried", () => {
    const codings: readonly ((text: string) => string)[] = [
      (text) => text,
      encodeURIComponent,
      base64,
      (text) => Buffer.from(text).toString("hex"),
      (text) => text.toUpperCase(),
      (text) => encodeURIComponent(base64(text)),
    ];
    const filler = fc.string({ unit: fc.constantFrom(..."abcXYZ019"), maxLength: 9 });
    fc.assert(
      fc.property(fc.constantFrom(...codings), filler, filler, (coding, before, after) => {
        const carried = coding(`http://ssd.jpl.nasa.gov/${after}`);
        expect(firewall.blocks(`https://p.example/${before}/?u=${carried}&v=${after}`)).toBe(SSD);
      }),
    );
  });

  it("judges any text, and addresses that are long and strange at once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void firewall.blocks(text)),
    );
    const strange = ["%25", "a.", "-", "aHR0", "ssd.jpl.nasa.", "%2e", "/", "&#46;", "\\u002e", "=", "À."];
    for (const part of strange) {
      const url = `https://p.example/?${part.repeat(Math.floor(4000 / part.length))}`;
      expect(typeof firewall.blocks(url)).not.toBe("boolean");
    }
  });

  it("has a hash over rules, exceptions and tables", () => {
    const of = (block: string, allow: string[], hash: string): string =>
      firewallOf({
        rules: [{ block, why: "config" }],
        allow,
        fingerprints: [{ table: "t", hash, rows: () => [] }],
      }).hash;
    const hashes = [
      of("a.org", [], "1"),
      of("b.org", [], "1"),
      of("a.org", ["c.org"], "1"),
      of("a.org", [], "2"),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(of("a.org", [], "1")).toBe(hashes[0]);
  });
});

describe("rules for and against", () => {
  const judge = (block: string[], allow: string[], url: string): string | undefined =>
    firewallOf({ rules: block.map((b) => ({ block: b, why: "config" })), allow, fingerprints: [] }).blocks(
      url,
    );

  it("let the more specific win, and the exception among equals", () => {
    expect(judge(["example.org"], ["docs.example.org"], "https://docs.example.org/a")).toBeUndefined();
    expect(judge(["docs.example.org"], ["example.org"], "https://docs.example.org/a")).toBe(
      "docs.example.org",
    );
    expect(judge(["example.org/a"], ["example.org"], "https://example.org/a/b")).toBe("example.org/a");
    expect(judge(["example.org"], ["example.org"], "https://example.org/")).toBeUndefined();
  });

  it("read schemes, ports, wildcards and paths in rules", () => {
    expect(judge(["https://example.org/data/"], [], "https://example.org/data?x")).toBe(
      "https://example.org/data/",
    );
    expect(judge(["*.example.org"], [], "https://a.example.org/")).toBe("*.example.org");
    expect(judge(["example.org:8080"], [], "http://example.org/")).toBeUndefined();
    expect(judge(["example.org:8080"], [], "http://example.org:8080/")).toBe("example.org:8080");
  });

  it("know where a whole code host is served from", () => {
    const rules = withAliases([{ block: "github.com", why: "publisher of x" }]);
    const { blocks } = firewallOf({ rules, fingerprints: [] });
    expect(blocks("https://raw.githubusercontent.com/a/b/main/c")).toBe("raw.githubusercontent.com");
    expect(blocks("https://cdn.jsdelivr.net/gh/a/b/c")).toBe("jsdelivr.net/gh");
    expect(blocks("https://cdn.jsdelivr.net/npm/a")).toBeUndefined();
  });
});
