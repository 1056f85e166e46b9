/** Finite groups and graphs: inputs are exact. */
import type { FormulaSpec } from "./formula.js";
import { anchor, input, wrong } from "./spec.js";

const ROTMAN = "Rotman, An Introduction to the Theory of Groups, 4th ed.";
const DIESTEL = "Diestel, Graph Theory, 5th ed., chapter 1";
const GROUPPROPS = (name: string) => `Groupprops, ${name}`;
const PETERSEN = "Wolfram MathWorld, Petersen Graph";

const order = input("1", "order", "group_order", { valid: [1, null] });
const vertices = input("1", "number of vertices", "vertices", { valid: [1, 33] });
const edges = input("1", "number of edges", "edges", { valid: [0, null] });

export const GROUPS: readonly FormulaSpec[] = [
  {
    id: "commuting_probability",
    noun: "commuting probability",
    definition: "the probability that two elements drawn at random, with repetition, commute",
    inputs: {
      order,
      classes: input("1", "number of conjugacy classes", "conjugacy_classes", { valid: [1, null] }),
    },
    expression: "classes/order",
    output: { unit: "1", quantity: "probability", range: [0, 1] },
    digits: 4,
    wrong_routes: [
      wrong("1/classes", "one over the number of classes"),
      wrong("classes/order^2", "the order squared"),
    ],
    source: "Gustafson 1973, Amer. Math. Monthly 80, 1031",
    anchors: [
      anchor(
        { order: "8", classes: "5" },
        "0.625",
        1e-12,
        "Gustafson 1973: 5/8 for the dihedral group of order 8",
      ),
      anchor(
        { order: "60", classes: "5" },
        "0.083333333333",
        1e-11,
        "Dixon 1973, Canad. Math. Bull. 16, 302: 1/12 for A5",
      ),
      anchor(
        { order: "6", classes: "3" },
        "0.5",
        1e-12,
        GROUPPROPS("Commuting fraction: symmetric group S3"),
      ),
    ],
  },
  {
    id: "mean_class_size",
    noun: "mean size of its conjugacy classes",
    inputs: {
      order,
      classes: input("1", "number of conjugacy classes", "conjugacy_classes", { valid: [1, null] }),
    },
    expression: "order/classes",
    output: { unit: "1", quantity: "mean", range: [1, null] },
    digits: 4,
    wrong_routes: [wrong("classes/order", "the ratio turned round")],
    source: `${ROTMAN}, chapter 1`,
    anchors: [
      anchor(
        { order: "6", classes: "3" },
        "2",
        1e-12,
        GROUPPROPS("Symmetric group S3: classes of size 1, 2, 3"),
      ),
      anchor(
        { order: "60", classes: "5" },
        "12",
        1e-12,
        GROUPPROPS("Alternating group A5: classes of size 1, 12, 12, 15, 20"),
      ),
    ],
  },
  {
    id: "inner_automorphisms",
    noun: "number of inner automorphisms",
    inputs: { order, center: input("1", "order of the centre", "center_order", { valid: [1, null] }) },
    expression: "order/center",
    output: { unit: "1", quantity: "count", range: [1, null] },
    exact: true,
    wrong_routes: [wrong("order - center", "a difference in place of the index")],
    source: `${ROTMAN}, theorem 7.1: Inn(G) ≅ G/Z(G)`,
    anchors: [
      anchor(
        { order: "8", center: "2" },
        "4",
        1e-12,
        GROUPPROPS("Dihedral group D8: inner automorphism group is the Klein four-group"),
      ),
      anchor(
        { order: "24", center: "2" },
        "12",
        1e-12,
        GROUPPROPS("Special linear group SL(2,3): inner automorphism group is A4"),
      ),
    ],
  },
  {
    id: "abelianization_order",
    noun: "order of its abelianization",
    definition: "the quotient by the derived (commutator) subgroup",
    inputs: {
      order,
      derived: input("1", "order of the derived subgroup", "derived_order", { valid: [1, null] }),
    },
    expression: "order/derived",
    output: { unit: "1", quantity: "count", range: [1, null] },
    exact: true,
    wrong_routes: [
      wrong("derived", "the order of the derived subgroup itself"),
      wrong("order - derived", "a difference"),
    ],
    source: `${ROTMAN}, theorem 2.23`,
    anchors: [
      anchor(
        { order: "24", derived: "12" },
        "2",
        1e-12,
        GROUPPROPS("Symmetric group S4: abelianization is cyclic of order 2"),
      ),
      anchor(
        { order: "24", derived: "8" },
        "3",
        1e-12,
        GROUPPROPS("Special linear group SL(2,3): abelianization is cyclic of order 3"),
      ),
      anchor(
        { order: "8", derived: "2" },
        "4",
        1e-12,
        GROUPPROPS("Quaternion group: abelianization is the Klein four-group"),
      ),
    ],
  },
  {
    id: "order_over_exponent",
    noun: "quotient of its order by its exponent",
    inputs: { order, exponent: input("1", "exponent", "exponent", { valid: [1, null] }) },
    expression: "order/exponent",
    output: { unit: "1", quantity: "count", range: [1, null] },
    exact: true,
    wrong_routes: [wrong("exponent", "the exponent itself")],
    source: `${ROTMAN}, chapter 2`,
    anchors: [
      anchor(
        { order: "24", exponent: "12" },
        "2",
        1e-12,
        GROUPPROPS("Symmetric group S4: order 24, exponent 12"),
      ),
      anchor({ order: "8", exponent: "4" }, "2", 1e-12, GROUPPROPS("Quaternion group: order 8, exponent 4")),
    ],
  },
];

export const GRAPHS: readonly FormulaSpec[] = [
  {
    id: "labelled_copies",
    noun: "number of different ways to label its vertices",
    definition: "graphs on the vertex set {1, …, n} that are isomorphic to it, n!/|Aut|",
    inputs: {
      vertices,
      automorphisms: input("1", "number of automorphisms", "automorphisms", { valid: [1, null] }),
    },
    expression: "factorial(vertices)/automorphisms",
    output: { unit: "1", quantity: "count", range: [1, null] },
    exact: true,
    steps: {
      labellings: {
        expression: "factorial(vertices)",
        unit: "1",
        noun: "number of ways to number its vertices, n!",
      },
    },
    wrong_routes: [wrong("factorial(vertices)", "the automorphisms forgotten")],
    source: "Harary & Palmer, Graphical Enumeration, section 1.1",
    anchors: [
      anchor(
        { vertices: "5", automorphisms: "10" },
        "12",
        1e-12,
        "OEIS A001710: cycles on 5 labelled vertices",
      ),
      anchor(
        { vertices: "4", automorphisms: "2" },
        "12",
        1e-12,
        "OEIS A001710: paths on 4 labelled vertices",
      ),
      anchor(
        { vertices: "7", automorphisms: "14" },
        "360",
        1e-12,
        "OEIS A001710: cycles on 7 labelled vertices",
      ),
    ],
  },
  {
    id: "edge_density",
    noun: "edge density",
    definition: "edges over the number of pairs of vertices: 2m/(n(n − 1))",
    inputs: { vertices: { ...vertices, valid: [2, null] }, edges },
    expression: "2*edges/(vertices*(vertices - 1))",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    digits: 4,
    wrong_routes: [
      wrong("edges/(vertices*(vertices - 1))", "ordered pairs: the factor 2 forgotten"),
      wrong("2*edges/vertices^2", "pairs of a vertex with itself counted"),
    ],
    source: `${DIESTEL}; Wikipedia, Dense graph`,
    anchors: [
      anchor({ vertices: "10", edges: "15" }, "0.33333333333", 1e-10, `${PETERSEN} (10 vertices, 15 edges)`),
      anchor({ vertices: "6", edges: "9" }, "0.6", 1e-12, "Wolfram MathWorld, Utility Graph K3,3"),
    ],
  },
  {
    id: "cyclomatic_number",
    noun: "cyclomatic number",
    definition: "the number of independent cycles: m − n + c",
    inputs: {
      vertices,
      edges,
      components: input("1", "number of connected components", "components", { valid: [1, null] }),
    },
    expression: "edges - vertices + components",
    output: { unit: "1", quantity: "count", range: [0, null] },
    exact: true,
    wrong_routes: [
      wrong("edges - vertices + 2*components", "McCabe's complexity of a program"),
      wrong("edges - vertices", "the components forgotten"),
    ],
    source: `${DIESTEL}, section 1.9`,
    anchors: [
      anchor(
        { vertices: "10", edges: "15", components: "1" },
        "6",
        1e-12,
        "Wolfram MathWorld, Circuit Rank (Petersen graph)",
      ),
      anchor(
        { vertices: "4", edges: "6", components: "1" },
        "3",
        1e-12,
        "Wolfram MathWorld, Circuit Rank (tetrahedral graph)",
      ),
    ],
  },
  {
    id: "average_degree",
    noun: "average degree",
    inputs: { vertices, edges },
    expression: "2*edges/vertices",
    output: { unit: "1", quantity: "mean", range: [0, null] },
    digits: 4,
    wrong_routes: [wrong("edges/vertices", "each edge counted at one end only")],
    source: `${DIESTEL}, section 1.2`,
    anchors: [
      anchor({ vertices: "10", edges: "15" }, "3", 1e-12, `${PETERSEN} (cubic)`),
      anchor({ vertices: "6", edges: "12" }, "4", 1e-12, "Wolfram MathWorld, Octahedral Graph (quartic)"),
    ],
  },
  {
    id: "complement_edges",
    noun: "number of edges of its complement",
    inputs: { vertices, edges },
    expression: "vertices*(vertices - 1)/2 - edges",
    output: { unit: "1", quantity: "count", range: [0, null] },
    exact: true,
    steps: {
      pairs: { expression: "vertices*(vertices - 1)/2", unit: "1", noun: "number of pairs of vertices" },
    },
    wrong_routes: [wrong("vertices*(vertices - 1) - edges", "ordered pairs")],
    source: `${DIESTEL}, section 1.1`,
    anchors: [
      anchor(
        { vertices: "10", edges: "15" },
        "30",
        1e-12,
        `${PETERSEN} (its complement is the triangular graph T5, 30 edges)`,
      ),
      anchor({ vertices: "5", edges: "5" }, "5", 1e-12, "Wikipedia, Self-complementary graph (5-cycle)"),
    ],
  },
  {
    id: "cayley_fraction",
    noun: "ratio of the number of its spanning trees to that of all labelled trees on its vertices",
    definition: "n^(n − 2) for n vertices",
    inputs: {
      vertices,
      trees: input("1", "number of spanning trees", "spanning_trees", { valid: [0, null] }),
    },
    expression: "trees/vertices^(vertices - 2)",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    digits: 4,
    steps: {
      labelled_trees: { expression: "vertices^(vertices - 2)", unit: "1", noun: "number of labelled trees" },
    },
    wrong_routes: [wrong("trees/vertices^(vertices - 1)", "rooted trees")],
    source: "Cayley's formula; Harary, Graph Theory, chapter 15",
    anchors: [
      anchor({ vertices: "4", trees: "16" }, "1", 1e-12, "Cayley's formula: the complete graph K4 has 16"),
      anchor(
        { vertices: "6", trees: "81" },
        "0.0625",
        1e-12,
        "Wikipedia, Spanning tree: K3,3 has 3²·3² = 81 of 6⁴",
      ),
    ],
  },
  {
    id: "independence_ratio",
    noun: "independence ratio",
    definition: "the size of a largest independent set over the number of vertices",
    inputs: {
      vertices,
      independent: input("1", "independence number", "independence_number", { valid: [1, null] }),
    },
    expression: "independent/vertices",
    output: { unit: "1", quantity: "ratio", range: [0, 1] },
    digits: 4,
    source: "Wolfram MathWorld, Independence Ratio",
    anchors: [
      anchor({ vertices: "10", independent: "4" }, "0.4", 1e-12, `${PETERSEN} (independence number 4)`),
      anchor(
        { vertices: "6", independent: "3" },
        "0.5",
        1e-12,
        "Wolfram MathWorld, Utility Graph (independence number 3)",
      ),
    ],
  },
];
