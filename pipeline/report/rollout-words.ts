/** "19.0 %" */
export function percentOf(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** At most three digits behind the point. */
export function figure(value: number): string {
  return String(Number(value.toFixed(3)));
}
