import type { BlockRule } from "./firewall.js";
import { parseRule } from "./rules.js";

/**
 * Other addresses of what a code host or a package registry serves. `*` is the path of the rule (`/owner/repo`, `/package`), or nothing
 * for the whole host; `OWNER` and `REPO` need such a path.
 */
const FAMILIES: readonly {
  readonly hosts: readonly string[];
  readonly under: string;
  readonly others: string;
}[] = [
  {
    hosts: ["github.com", "raw.githubusercontent.com"],
    under: "",
    others: `
      github.com* raw.githubusercontent.com* gist.githubusercontent.com* media.githubusercontent.com/media* githubusercontent.com*
      codeload.github.com* raw.github.com* api.github.com/repos* github.dev* github1s.com* githubbox.com* OWNER.github.io/REPO
      jsdelivr.net/gh* jsdelivr.com/package/gh* rawgit.com* rawgit.net* raw.githack.com* rawcdn.githack.com* githack.com*
      statically.io/gh* gitcdn.xyz/repo* gitcdn.link/repo* gitcdn.link/cdn* combinatronics.com* denopkg.com* esm.sh/gh* pkg.pr.new*
      raw.gitmirror.com* hub.gitmirror.com* fastgit.org* raw.fastgit.org* fastgit.xyz* kgithub.com* kkgithub.com* bgithub.xyz*
      gitclone.com/github.com* hub.nuaa.cf* raw.nuaa.cf* hub.yzuu.cf*
      deepwiki.com* gitingest.com* uithub.com* gitdiagram.com* githistory.xyz* sourcegraph.com/github.com*
      nbviewer.org/github* nbviewer.jupyter.org/github* colab.research.google.com/github* mybinder.org/v2/gh* stackblitz.com/github*
      codesandbox.io/s/github* htmlpreview.github.io* unpkg.com/github*`,
  },
  {
    hosts: ["gitlab.com"],
    under: "",
    others:
      "glcdn.githack.com* gl.githack.com* statically.io/gl* OWNER.gitlab.io/REPO jsdelivr.net/gl* esm.sh/gl*",
  },
  {
    hosts: ["bitbucket.org"],
    under: "",
    others:
      "bb.githack.com* bbcdn.githack.com* statically.io/bb* OWNER.bitbucket.io/REPO api.bitbucket.org/2.0/repositories*",
  },
  {
    hosts: ["npmjs.com"],
    under: "/package",
    others: `
      registry.npmjs.org* npmjs.org/package* unpkg.com* jsdelivr.net/npm* jsdelivr.com/package/npm* esm.sh* skypack.dev* jspm.dev/npm:*
      ga.jspm.io/npm:* esm.run* registry.npmmirror.com* npmmirror.com/package* registry.yarnpkg.com* yarnpkg.com/package* npm.runkit.com*
      npm.io/package* socket.dev/npm/package* npm.jsr.io* bundlephobia.com/package* cdn.npmmirror.com/packages*`,
  },
  {
    hosts: ["pypi.org"],
    under: "/project",
    others: `
      pypi.org/simple* pypi.org/pypi* pypi.python.org/pypi* files.pythonhosted.org/packages/source/?* pypi.io/project* libraries.io/pypi*
      pypi.tuna.tsinghua.edu.cn/simple* inspector.pypi.io/project* piwheels.org/project*`,
  },
];

/** The rules with, behind each, those for the raw-file hosts and mirrors that serve the same. Ordered, without repeats. */
export function withAliases(rules: readonly BlockRule[]): BlockRule[] {
  const all = rules.flatMap((rule) => [rule, ...aliasesOf(rule)]);
  const seen = new Set<string>();
  return all.filter(({ block }) => !seen.has(block) && seen.add(block));
}

function aliasesOf(rule: BlockRule): BlockRule[] {
  const parsed = parseRule(rule.block);
  if (parsed === undefined) return [];
  const { path } = parsed;
  const host = parsed.host.replace(/^www\./, "");
  const family = FAMILIES.find(({ hosts }) => hosts.includes(host));
  if (family === undefined) return [];
  if (path.startsWith(family.under)) return blocks(rule, family.others, path.slice(family.under.length));
  return path === "" ? blocks(rule, family.others, "") : [];
}

function blocks({ why, block }: BlockRule, others: string, path: string): BlockRule[] {
  const [, owner, repo] = path.split("/");
  return others
    .trim()
    .split(/\s+/)
    .filter((other) => !other.includes("OWNER") || (owner !== undefined && repo !== undefined))
    .map((other) => other.replace("OWNER", owner ?? "").replace("REPO", repo ?? ""))
    .map((other) =>
      other
        .replace("?", path[1] ?? "")
        .replace("*", path)
        .replace(/\/+$/, ""),
    )
    .map((other) => ({ block: other, why: `${why} (other address of ${block})` }));
}
