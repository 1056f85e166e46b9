import { WIDTH } from "./draw.js";

/** Specifications of charts for Vega-Lite, without data of their own. */

export interface Bar {
  readonly label: string;
  readonly rows: number;
}

/** Each label stands above its bar, so that long names need no cutting. */
const STEP = 36;
const name = {
  mark: { type: "text", align: "left", baseline: "bottom", dy: -3, fill: "var(--ink)", limit: 0 },
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
    // A few classes are no reason for wide bars.
    width: Math.min(WIDTH - 60, data.length * 56),
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

/** Columns with a mark each, for what is expected. */
export function columnsWithMarks(
  data: readonly (Bar & { readonly expected: number })[],
  axis: string,
): object {
  const { data: values, width, height, mark, encoding } = columns(data, axis) as Record<string, object>;
  const x = (encoding as { x: object }).x;
  return {
    data: values,
    width,
    height,
    encoding: { x },
    layer: [
      { mark, encoding },
      {
        mark: { type: "tick", color: "var(--second)", thickness: 3, opacity: 1 },
        encoding: { x, y: { field: "expected", type: "quantitative" } },
      },
    ],
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

/** Counts over two ordered properties of many values: the stronger the colour, the more. @param x, y all values, in order; names of `y` no wider than `names` */
export function heat(
  data: readonly Cell[],
  x: readonly string[],
  y: readonly string[],
  xTitle: string,
  /** Pixels for the names of `y`. */
  names = 84,
): object {
  const axis = { labelAngle: 0, grid: false, domain: false, title: null };
  return {
    data: { values: data },
    width: WIDTH - 16 - names,
    height: { step: 22 },
    mark: { type: "rect", color: "var(--accent)" },
    encoding: {
      x: {
        field: "x",
        type: "ordinal",
        scale: { domain: x, paddingInner: 0.08 },
        axis: { ...axis, title: xTitle, labelOverlap: "greedy" },
      },
      y: {
        field: "y",
        type: "ordinal",
        scale: { domain: y, paddingInner: 0.12 },
        axis,
      },
      opacity: {
        field: "rows",
        type: "quantitative",
        legend: null,
        scale: { type: "sqrt", domainMin: 0, range: [0.12, 1] },
      },
    },
  };
}

export interface Rung {
  readonly label: string;
  readonly value: number;
  readonly u: number;
  readonly selected: boolean;
}

/** Values in their order with their standard uncertainties, one line each, the selected one marked. */
export function ladder(data: readonly Rung[], axis: string): object {
  const rungs = data.map(({ value, u, ...rest }) => ({ ...rest, value, low: value - u, high: value + u }));
  const scale = { zero: false, nice: false, padding: 6 };
  const x = (field: string) => ({ field, type: "quantitative", scale });
  const colour = { condition: { test: "datum.selected", value: "var(--second)" }, value: "var(--accent)" };
  return {
    data: { values: rungs },
    width: WIDTH - 30,
    height: { step: 32 },
    encoding: { y: line, color: colour },
    layer: [
      {
        mark: { type: "rule", strokeWidth: 3, opacity: 0.45, yOffset: 7 },
        encoding: {
          x: { ...x("low"), axis: { title: axis, tickCount: 4, domain: false, labelOverlap: "greedy" } },
          x2: { field: "high" },
        },
      },
      {
        mark: { type: "point", filled: true, size: 60, opacity: 1, yOffset: 7 },
        encoding: { x: x("value") },
      },
      {
        mark: { ...name.mark, dy: -1 },
        encoding: { ...name.encoding, color: { value: "var(--ink)" } },
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
        mark: { type: "text", align: "left", baseline: "bottom", fill: "var(--ink)", limit: 0 },
        encoding: { x: { value: 0 }, text: { field: "label", type: "nominal" } },
      },
    ],
  };
}
