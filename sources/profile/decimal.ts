/** One significant digit, upwards; 0 for what is not positive. */
export function neatAbove(value: number): number {
  return neat(value, Math.ceil);
}

/** One significant digit, downwards. */
export function neatBelow(value: number): number {
  return neat(value, Math.floor);
}

/** Taken apart as text: a logarithm may differ in its last digit between machines. */
function neat(value: number, round: (mantissa: number) => number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 0;
  const [mantissa, power] = Number(value.toPrecision(12)).toExponential().split("e");
  return Number(`${round(Number(mantissa))}e${power}`);
}

/** A product without the last digits of binary arithmetic: 2000 × 1e24 is 2e27. */
export function times(value: number, factor: number): number {
  return factor === 1 ? value : Number((value * factor).toPrecision(12));
}
