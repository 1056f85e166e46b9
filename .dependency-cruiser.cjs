/** The import rules of docs/design.md: data flows sources -> stages -> datasets, and pipeline drives them. */
const base = "^pipeline/base/";
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "base-imports-nothing", severity: "error", from: { path: base }, to: { path: "^(sources|stages|verifiers|datasets|pipeline)/", pathNot: base } },
    { name: "verifiers-import-nothing", severity: "error", from: { path: "^verifiers/" }, to: { path: "^(sources|stages|datasets|pipeline)/" } },
    { name: "schema-imports-nothing", severity: "error", from: { path: "^datasets/schema" }, to: { path: "^(sources|stages|verifiers|pipeline)/|^datasets/(?!schema)" } },
    { name: "sources-look-upstream-only", severity: "error", from: { path: "^sources/" }, to: { path: "^(stages|datasets|pipeline)/", pathNot: base } },
    { name: "datasets-know-no-stage", severity: "error", from: { path: "^datasets/" }, to: { path: "^(stages|pipeline)/", pathNot: base } },
    { name: "stages-know-no-pipeline", severity: "error", from: { path: "^stages/" }, to: { path: "^pipeline/", pathNot: base } },
    { name: "pipeline-knows-stages-by-interface", severity: "error", from: { path: "^pipeline/", pathNot: "^pipeline/(builtins|builtin-formulas)\\.ts$" }, to: { path: "^stages/", pathNot: "^stages/(stage|model|environment|recordings)\\.ts$" } },
    { name: "no-dev-dependency-in-product", severity: "error", from: { path: "^(sources|stages|verifiers|datasets|pipeline)/" }, to: { dependencyTypes: ["npm-dev", "npm-no-pkg"] } },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] }
  }
};
