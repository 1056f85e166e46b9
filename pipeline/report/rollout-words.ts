/** "19.0 %" */
export function percentOf(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Ids read better without their underscores. */
export function words(id: string): string {
  return id.replaceAll("_", " ");
}

/** At most three digits behind the point. */
export function figure(value: number): string {
  return String(Number(value.toFixed(3)));
}
