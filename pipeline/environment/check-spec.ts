import { parseRule } from "../../verifiers/firewall/rules.js";
import { at, type Document } from "../base/document.js";
import type { Problem } from "../base/errors.js";
import type { EnvironmentSpec } from "./spec.js";

/** What its form alone does not say of a config's `environment`: found before a model is asked for anything. */
export function environmentProblems(spec: EnvironmentSpec, document: Document): Problem[] {
  return [...ruleProblems(spec, document), ...searchProblems(spec, document)];
}

function ruleProblems({ firewall, visit }: EnvironmentSpec, document: Document): Problem[] {
  const lists = [
    { path: ["firewall", "block"], rules: firewall.block },
    { path: ["firewall", "allow"], rules: firewall.allow },
    { path: ["visit", "private_hosts"], rules: visit.private_hosts },
  ];
  return lists.flatMap(({ path, rules }) =>
    [...rules.entries()]
      .filter(([, rule]) => parseRule(rule) === undefined)
      .map(([i, rule]) =>
        at(document, ["environment", ...path, i], {
          code: "bad_firewall_rule",
          message: `the firewall rule \`${rule}\` names no host`,
          hint: "a host (`example.org`) or the beginning of an address (`example.org/data`)",
        }),
      ),
  );
}

function searchProblems({ tools, corpus, search }: EnvironmentSpec, document: Document): Problem[] {
  if (!tools.includes("search")) return [];
  if (search.backend === "local" && corpus.length === 0)
    return [
      at(document, ["environment"], {
        code: "no_corpus",
        message: "the tool `search` has no documents to search",
        hint: "name some under `corpus`, or another `search: { backend }`, or leave it out of `tools`",
      }),
    ];
  if (search.backend === "searxng" && search.base_url === undefined)
    return [
      at(document, ["environment", "search"], {
        code: "no_base_url",
        message: "SearXNG has no address of its own",
        hint: "set `base_url` to that of your instance, e.g. http://localhost:8080",
      }),
    ];
  return [];
}
