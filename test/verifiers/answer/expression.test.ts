import { describe, expect, it } from "vitest";
import type { Expected } from "../../../verifiers/answer/answer.js";
import { gradeExpression } from "../../../verifiers/answer/expression/index.js";

type Domain = Extract<Expected, { type: "expression" }>["domain"];

function verdict(answer: string, text: string, domain?: Domain, language?: string): string {
  const { verdict, reason } = gradeExpression(answer, { type: "expression", text, domain }, { language });
  return `${verdict} ${reason}`;
}

const RIGHT: readonly (readonly [answer: string, expected: string, domain?: Domain])[] = [
  // The same value written in other ways.
  ["\\frac{1}{2}", "0.5"],
  ["$\\dfrac12$", "1/2"],
  ["\\(\\frac1{2}\\)", "1/2"],
  ["\\boxed{\\sqrt{2}/2}", "\\frac{1}{\\sqrt{2}}"],
  ["2^{10}", "1024"],
  ["√12", "2\\sqrt{3}"],
  ["1{,}270", "1270"],
  ["1,270", "1270"],
  ["12\\,345", "12345"],
  ["5!", "120"],
  ["\\binom{5}{2}", "10"],
  ["\\sum_{k=1}^{10} k^2", "385"],
  ["\\prod_{i=1}^{5} i", "120"],
  ["\\sin 30^\\circ", "1/2"],
  ["\\cos(60°)", "0.5"],
  ["\\log_2 8", "3"],
  ["log2(8)", "3"],
  ["\\lg 100", "2"],
  ["e^{i\\pi}", "-1"],
  ["i^2", "-1"],
  ["(1+i)^2", "2i"],
  ["\\sqrt{-4}", "2i"],
  ["\\frac{1}{3^{80}}", "3^{-80}"],
  ["2^{2000}\\cdot 2", "2^{2001}"],
  ["9^{9^{9^{9}}}", "9^{9^{9^{9}}}"],
  ["|-3|", "3"],
  ["\\left|{-3}\\right|", "3"],
  ["\\arctan 1", "π/4"],
  ["\\sin^{-1}(1)", "\\frac{\\pi}{2}"],
  ["1.5e3", "1500"],
  ["2.5e-3", "1/400"],
  ["\\sqrt[3]{-8}", "-2"],
  ["0", "\\sin(\\pi)"],
  ["\\frac{\\sqrt{6}-\\sqrt{2}}{4}", "\\sin\\frac{\\pi}{12}"],
  // Algebra.
  ["(x+1)^2", "x^2+2x+1"],
  ["x² + 2x + 1", "(x+1)(x+1)"],
  ["x**2 - 1", "(x-1)*(x+1)"],
  ["\\frac{x^2-1}{x-1}", "x+1"],
  ["x²/x", "x"],
  ["1 - \\cos^2 x", "\\sin^2 x"],
  ["2 \\sin x \\cos x", "\\sin 2x"],
  ["sin(2x)", "2sin(x)cos(x)"],
  ["2sinxcosx", "\\sin{2x}"],
  ["e^{x}e^{-x}", "1"],
  ["\\frac{e^x - e^{-x}}{2}", "\\sinh x"],
  ["\\ln(\\sqrt{x^2+1}+x)", "arsinh(x)"],
  ["\\operatorname{arsinh} x", "asinh(x)"],
  ["|x|", "\\sqrt{x^2}"],
  ["|x||y|", "|xy|"],
  ["||x|-1|", "|1-|x||"],
  ["\\ln x + \\ln 2", "\\ln(2x)"],
  ["x^{1/3}", "\\sqrt[3]{x}"],
  ["x^{2/6}", "\\sqrt[3]{x}"],
  ["\\theta_1 + θ_{2}", "theta_1 + \\theta_2"],
  ["v_0 t - g t^2/2", "v_{0}t - \\frac{1}{2} g t^2"],
  ["v_{\\text{max}}^2", "v_max v_max"],
  ["\\hat{x} + x'", "x' + \\hat x"],
  ["mass*speed^2/2", "\\frac{1}{2}mass speed^2", { mass: [1, 2], speed: [1, 9] }],
  ["\\frac{n(n+1)}{2}", "\\sum_{k=1}^{n} k"],
  ["\\frac{n!}{(n-1)!}", "n", { n: [1, 10] }],
  ["\\binom{n}{2}", "n(n-1)/2"],
  ["\\sin^2\\theta + \\cos^2\\theta - 1", "0"],
  ["x^{1000}", "(x^{500})^2"],
  ["\\mathrm{e}^{2x}", "\\exp(2x)"],
  ["\\log x", "\\log x"],
  ["\\log x^2", "\\log x + \\log x", { x: [1, 5] }],
  ["e^{it}", "\\cos t + i\\sin t"],
  ["2 - -x", "2+x"],
  ["x^{-2}", "1/x^2"],
  ["x^-2", "1/x^2"],
  ["x⁻²", "\\frac{1}{x^{2}}"],
  ["\\arcsin x + \\arccos x", "\\pi/2"],
  ["2 ln x", "ln x^2", { x: [0.1, 9] }],
  ["\\lfloor x \\rfloor + 1", "\\lfloor x+1 \\rfloor"],
  ["min(x,y)+max(x,y)", "x+y"],
  ["\\sin\\frac{x}{2}\\cos\\frac{x}{2}", "\\frac{\\sin x}{2}"],
  ["ut + at^2/2", "ut+\\frac{1}{2}at^2"],
  // Equations.
  ["y = 2x+1", "2x + 1"],
  ["2x + 1", "y = 1 + 2x"],
  ["f(x) = 2x+1", "y = 2x+1"],
  ["f'(x) = 2(x+1)", "2x+2"],
  ["f^{-1}(x) = x/2", "x/2"],
  ["\\frac{dy}{dx} = 2x", "2x"],
  ["y = 2(x+1) = 2x+2", "2x+2"],
  ["3 = x", "x = 3"],
  // Antiderivatives.
  ["x^2/2 + C", "\\frac{1}{2}x^2 + C"],
  ["\\ln(2x) + K", "\\ln x + C"],
  ["-\\cos^2 x + C", "\\sin^2 x + C"],
];

const WRONG: readonly (readonly [answer: string, expected: string, domain?: Domain])[] = [
  ["-\\frac12", "1/2"],
  ["\\frac{1}{3^{79}}", "\\frac{1}{3^{80}}"],
  ["2 + \\frac{3}{\\mathrm{e}}", "2 - \\frac{3}{\\mathrm{e}}"],
  ["0.333", "1/3"],
  ["0.3333333333", "1/3"],
  ["3.14159265358", "\\pi"],
  ["2^{2001}", "2^{2000}"],
  ["0.0000000000001", "0"],
  ["1.27", "1270"],
  ["-2i", "(1+i)^2"],
  ["x-1", "1-x"],
  ["x^2+1", "(x+1)^2"],
  ["x/y", "y/x"],
  ["x^y", "y^x"],
  ["x", "|x|"],
  ["\\sqrt{x^2}", "x"],
  ["\\sin x", "x", { x: [-0.01, 0.01] }],
  ["\\sin x", "x", { x: [1e-9, 2e-9] }],
  ["\\sin x^2", "\\sin^2 x"],
  ["\\cos 2x", "2\\cos x"],
  ["e^{-x}", "e^x"],
  ["\\ln x", "\\log_{10} x"],
  ["1.0000001x", "x"],
  ["x + 10^{-15}", "x"],
  ["x+y", "x"],
  ["x_1", "x_2"],
  ["\\sqrt{-x}", "\\sqrt{x}"],
  ["2 ln x", "ln x^2", { x: [-5, 5] }],
  ["1/0", "5"],
  ["x^2/2", "x^2/2 + C"],
  ["x^2 + C", "x^2/2 + C"],
  ["y = 2x", "y = 2x+1"],
  ["\\sum_{k=1}^{n} k^2", "\\frac{n(n+1)}{2}"],
];

const UNDECIDED: readonly (readonly [answer: string, expected: string, reason: string, domain?: Domain])[] = [
  ["9^{9^{9^{9}}}", "\\frac{1}{3}", "out_of_reach"],
  ["", "1", "no_answer"],
  ["the answer is 5", "5", "unreadable"],
  ["x is 5", "5", "unreadable"],
  ["velocity", "5", "unreadable"],
  ["5 or 6", "5", "unreadable"],
  ["2 - \\frac{3}{\\foo{e}}", "2 - \\frac{3}{\\mathrm{e}}", "unreadable"],
  ["\\frac{1}{2", "1/2", "unreadable"],
  ["x +", "x", "unreadable"],
  [")", "x", "unreadable"],
  ["3 \\pm 1", "3", "unreadable"],
  ["1, 2", "1", "unreadable"],
  ["x \\approx 3", "3", "unreadable"],
  ["\\infty", "3", "unreadable"],
  ["\\int x dx", "x^2/2", "unreadable"],
  ["f(x)+1", "x", "unreadable"],
  ["x^2+y^2 = 1", "1", "unreadable"],
  ["3!!", "3", "unreadable"],
  ["1.2.3", "1.2", "unreadable"],
  ["(".repeat(5000), "1", "unreadable"],
  ["x".repeat(10_001), "x", "too_long"],
  ["1/2x", "x/2", "ambiguous"],
  ["\\log x", "\\ln x", "ambiguous"],
  ["\\sin x/2", "\\frac{\\sin x}{2}", "ambiguous"],
  ["2\\frac{1}{2}", "5/2", "ambiguous"],
  ["2e-3", "0.002", "ambiguous"],
  ["\\ln x^2", "2\\ln x", "different_domain"],
  ["\\ln x + C", "\\ln|x| + C", "different_domain"],
  ["y = 3 = 4", "3", "several_answers"],
  ["y = 3", "x = 3", "different_label"],
  ["1", "\\foo", "unreadable_reference"],
  ["1", "x", "unreadable_reference", { x: [2, 1] }],
];

describe("gradeExpression", () => {
  for (const [answer, expected, domain] of RIGHT) {
    it(`${answer} equals ${expected}`, () => {
      expect(verdict(answer, expected, domain)).toBe("right equal");
    });
  }

  for (const [answer, expected, domain] of WRONG) {
    it(`${answer} is not ${expected}`, () => {
      expect(verdict(answer, expected, domain)).toMatch(/^wrong /);
    });
  }

  for (const [answer, expected, reason, domain] of UNDECIDED) {
    it(`${answer.slice(0, 40)} against ${expected} cannot be told`, () => {
      expect(verdict(answer, expected, domain)).toBe(`undecided ${reason}`);
    });
  }

  it("says where it stopped and why", () => {
    const { why, read } = gradeExpression("2 + \\foo{3}", { type: "expression", text: "5" });
    expect(why).toBe("it cannot be read: \\foo is not read here (character 5)");
    expect(read).toBeNull();
  });

  it("shows the answer as it was read, and a point at which it differs", () => {
    const { why, read } = gradeExpression("\\frac{x}{2}+1", { type: "expression", text: "x" });
    expect(read).toBe("x/2 + 1");
    expect(why).toMatch(/^it has another value at x = -?[0-9.]+$/);
  });

  it("reads separators in the question's language", () => {
    expect(verdict("1,27", "1.27", undefined, "de")).toBe("right equal");
    expect(verdict("1.270", "1270", undefined, "de")).toBe("right equal");
    expect(verdict("1.270,5", "1270.5", undefined, "de-AT")).toBe("right equal");
    expect(verdict("1,27", "1.27", undefined, "en")).toBe("undecided unreadable");
    expect(verdict("1,270", "1.27", undefined, "en")).toBe("wrong wrong_value");
  });
});

describe("what would take forever, or leave something behind", () => {
  it.each([
    ["\\sinh(370000)", "1"],
    ["\\cosh(900000)", "1"],
    ["\\operatorname{arcosh}(10^{20000})", "1"],
    ["\\operatorname{arsinh}(10^{5000})", "1"],
    [`x${"°".repeat(1400)}`, "x"],
    [`${"a = ".repeat(20)}y`, "y"],
    ["x_{\\constructor}", "x"],
    ["\\toString", "x"],
  ])("%s is looked at for a while, and no longer", (answer, expected) => {
    expect(verdict(answer, expected)).toMatch(/^(?:undecided|wrong) /);
  });

  it("many digits in one answer do not change the next verdict", () => {
    expect(verdict("0", "\\sin(\\pi)")).toBe("right equal");
    const d = `1.${"3".repeat(1100)}`;
    verdict(`\\sin(${d})-\\sin(${d})`, "0");
    expect(verdict("0", "\\sin(\\pi)")).toBe("right equal");
  });
});
