import type { TopLevelSpec } from "vega-lite";

/** A chart as SVG text, and the same numbers as a table for those who cannot see it. */
export interface Chart {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  readonly svg: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Drawn at the width of a phone, so that text stays readable there; wider pages set charts side by side. */
export const WIDTH = 340;

/** Colours are CSS variables of the page, so that charts follow dark mode. */
const CONFIG = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
  // Labels of axes reach beyond the last value.
  padding: { left: 3, top: 4, right: 12, bottom: 4 },
  axis: {
    labelColor: "var(--soft)",
    titleColor: "var(--soft)",
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
    gridColor: "var(--line)",
    domainColor: "var(--line)",
    ticks: false,
    labelPadding: 6,
    labelLimit: 0,
    labelSeparation: 5,
  },
  legend: {
    labelColor: "var(--soft)",
    titleColor: "var(--soft)",
    labelFontSize: 11,
    orient: "top",
    title: null,
    symbolType: "circle",
  },
  text: { font: "system-ui, sans-serif", fontSize: 11, fill: "var(--ink)" },
} as const;

/** Draws a chart. The same data give the same bytes on any machine. */
export async function draw(spec: object): Promise<string> {
  const [{ compile }, vega] = await Promise.all([import("vega-lite"), import("vega")]);
  const full = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", config: CONFIG, ...spec };
  measureByEstimate(vega as unknown as { textMetrics: TextMetrics });
  const { spec: compiled } = compile(full as TopLevelSpec);
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

interface TextMetrics {
  canvas(use: boolean): void;
  width(item: { readonly fontSize?: number }, text: string): number;
}

/**
 * A canvas package that happens to be installed would measure text otherwise than a machine without one, and vega's own estimate is
 * a third too wide for the fonts that browsers use, so that it would cut what fits.
 */
function measureByEstimate({ textMetrics }: { readonly textMetrics: TextMetrics }): void {
  textMetrics.canvas(false);
  textMetrics.width = ({ fontSize = 11 }, text) => Math.round(fontSize * emsOf(String(text)));
}

/** Letters of scripts that are written wide, such as Chinese. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

function ems(char: string): number {
  return WIDE.test(char) ? 1.05 : /[MWmw@%—]/.test(char) ? 1 : /[iljtfrI.,:;' !|()]/.test(char) ? 0.4 : 0.63;
}

function emsOf(text: string): number {
  return [...text].reduce((sum, char) => sum + ems(char), 0);
}

/** Text that fits into so many pixels of a chart; what is cut off stands in the chart's table. */
export function fitting(text: string, width = WIDTH - 12, fontSize = 11): string {
  if (emsOf(text) * fontSize <= width) return text;
  let room = width / fontSize - 1;
  let kept = "";
  for (const char of text) {
    room -= ems(char);
    if (room < 0) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}
