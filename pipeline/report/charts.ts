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
const WIDTH = 340;

/*
 * Colours are CSS variables of the page, so that charts follow dark mode. Labels are never wider than their limit: text
 * widths are estimated, as vega does without a canvas, and so the same on any machine.
 */
const CONFIG = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
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
    labelLimit: 130,
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
  // A canvas package that happens to be installed would measure text otherwise than a machine without one.
  (vega as unknown as { textMetrics: { canvas(use: boolean): void } }).textMetrics.canvas(false);
  const { spec: compiled } = compile(full as TopLevelSpec);
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logLevel: vega.Error });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

export interface Bar {
  readonly label: string;
  readonly rows: number;
}

/** Each label stands above its bar, so that long names need no cutting. */
const STEP = 36;
const name = {
  mark: { type: "text", align: "left", baseline: "bottom", dy: -3, fill: "var(--ink)", limit: WIDTH - 10 },
  encoding: { x: { value: 0 }, text: { field: "label", type: "nominal" } },
};
const line = { field: "label", type: "nominal", sort: null, axis: null };

/** Horizontal bars with their counts, in the order given. */
export function bars(data: readonly Bar[]): object {
  const x = { field: "rows", type: "quantitative", axis: null, scale: { domainMin: 0 } };
  return {
    data: { values: data },
    width: WIDTH - 50,
    height: { step: STEP },
    encoding: { y: line },
    layer: [
      { mark: { type: "bar", color: "var(--accent)", height: 9, yOffset: 6 }, encoding: { x } },
      {
        mark: { type: "text", align: "left", dx: 6, dy: 6, fill: "var(--soft)" },
        encoding: { x, text: { field: "rows", type: "quantitative", format: ",d" } },
      },
      name,
    ],
  };
}

/** Vertical bars over ordered classes. @param counted what a bar counts */
export function columns(data: readonly Bar[], axis: string, counted = "tasks"): object {
  return {
    data: { values: data },
    width: WIDTH - 60,
    height: 150,
    mark: { type: "bar", color: "var(--accent)" },
    encoding: {
      x: {
        field: "label",
        type: "ordinal",
        sort: null,
        axis: { title: axis, labelAngle: 0, labelOverlap: "greedy" },
        scale: { paddingInner: 0.15 },
      },
      y: {
        field: "rows",
        type: "quantitative",
        axis: { title: counted, tickCount: 4, domain: false, format: ",d" },
      },
    },
  };
}

export interface Cell {
  readonly x: string;
  readonly y: string;
  readonly rows: number;
}

/** Counts over two ordered properties, as dots whose area is the count. */
export function dots(data: readonly Cell[], xTitle: string, yTitle: string): object {
  const rowsOfY = new Set(data.map((d) => d.y)).size;
  const axis = { labelAngle: 0, grid: false, domain: false };
  return {
    data: { values: data },
    width: WIDTH - 60,
    height: Math.max(80, rowsOfY * 46),
    encoding: {
      x: { field: "x", type: "ordinal", sort: null, axis: { ...axis, title: xTitle } },
      y: { field: "y", type: "ordinal", sort: null, axis: { ...axis, title: yTitle } },
    },
    layer: [
      {
        mark: { type: "circle", color: "var(--accent)", opacity: 0.35 },
        encoding: {
          size: { field: "rows", type: "quantitative", legend: null, scale: { rangeMin: 0, rangeMax: 1400 } },
        },
      },
      {
        mark: { type: "text", fill: "var(--ink)" },
        encoding: { text: { field: "rows", type: "quantitative", format: ",d" } },
      },
    ],
  };
}

/** Parts of wholes, one line each. */
export function stacks(
  data: readonly (Bar & { readonly part: string; readonly place: number })[],
  parts: readonly string[],
  colours: readonly string[],
): object {
  return {
    data: { values: data },
    width: WIDTH - 20,
    height: { step: STEP },
    encoding: { y: line },
    layer: [
      {
        mark: { type: "bar", height: 9, yOffset: 6 },
        encoding: {
          x: { field: "rows", type: "quantitative", stack: "zero", axis: null },
          color: { field: "part", type: "nominal", scale: { domain: parts, range: colours } },
          order: { field: "place", type: "quantitative" },
        },
      },
      { ...name, transform: [{ filter: "datum.place === 0" }] },
    ],
  };
}

export interface Interval {
  readonly label: string;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Rates with their 95 % intervals, one line each, the label above. */
export function intervals(data: readonly Interval[]): object {
  const y = { field: "label", type: "nominal", sort: null, axis: null };
  const scale = { domain: [0, 1] };
  const x = (field: string) => ({ field, type: "quantitative", scale });
  const axis = { title: null, format: ".0%", tickCount: 5, domain: false };
  return {
    data: { values: data },
    width: WIDTH - 30,
    height: { step: 40 },
    encoding: { y },
    layer: [
      {
        mark: { type: "rule", color: "var(--accent)", strokeWidth: 3, opacity: 0.45, yOffset: 8 },
        encoding: { x: { ...x("low"), axis }, x2: { field: "high" } },
      },
      {
        mark: { type: "point", filled: true, size: 60, color: "var(--accent)", opacity: 1, yOffset: 8 },
        encoding: { x: x("estimate") },
      },
      {
        mark: { type: "text", align: "left", baseline: "bottom", fill: "var(--ink)", limit: WIDTH - 40 },
        encoding: { x: { value: 0 }, text: { field: "label", type: "nominal" } },
      },
    ],
  };
}
