/** The value below which a share of the values lies; 0.5 is the median. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `0.52 (0.49 to 0.55)`: the median and the spread. */
export function withSpread(values: readonly number[], digits = 2, unit = ''): string {
  const text = (value: number) => value.toFixed(digits) + unit;
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}
