import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

/** Chromium over its DevTools protocol, where the machine has one: nothing is downloaded for it. */

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser of this machine; undefined where there is none. */
export const chromium: string | undefined =
  process.env.TASKMILL_CHROMIUM ??
  (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

export function launch(): Promise<Browser> {
  // Tests may run as root, where Chromium's own sandbox cannot be had; what it opens is our own file.
  return puppeteer.launch({ executablePath: chromium!, args: ["--no-sandbox", "--disable-gpu"] });
}

export interface Opened {
  readonly page: Page;
  /** What the page said on its console, and what it asked for beside itself. */
  readonly said: string[];
  readonly asked: string[];
}

/** Opens a file as a reader with this width and colour scheme would. */
export async function open(
  browser: Browser,
  file: string,
  { width, scheme }: { readonly width: number; readonly scheme: "light" | "dark" },
): Promise<Opened> {
  const page = await browser.newPage();
  const said: string[] = [];
  const asked: string[] = [];
  const url = pathToFileURL(file).href;
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== url) asked.push(request.url());
  });
  await page.setViewport({ width, height: 844 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(url);
  return { page, said, asked };
}

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe-core finds wrong: rule, impact, and how an element in question begins. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    readonly violations: readonly Violation[];
  };
  return found.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 120)}`);
}

/**
 * The least contrast (WCAG 2.2, 1.4.3) of any text in a chart against the card behind it: axe does not look into SVG.
 */
export async function leastChartContrast(page: Page): Promise<number> {
  return (await page.evaluate(`(() => {
    const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => {
      const s = Number(c) / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    const light = (colour) => channels(colour).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ratios = [...document.querySelectorAll("svg text")].filter((text) => text.textContent !== "").map((text) => {
      const behind = text.closest("figure, .card");
      const [a, b] = [light(getComputedStyle(text).fill), light(getComputedStyle(behind).backgroundColor)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
    return Math.min(...ratios);
  })()`)) as number;
}
