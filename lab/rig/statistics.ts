/** The middle of the numbers; the mean of the two in the middle when they are even in number. Throws for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (low === undefined || high === undefined) throw new Error('nothing has no median')
  return (low + high) / 2
}

/** The middle, and what it lies between. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Round by round: what was measured in one round stands under the same weather. Rounds that only one of them has are left out. */
export function ratiosOf(numerators: readonly number[], denominators: readonly number[]): readonly number[] {
  return numerators
    .slice(0, denominators.length)
    .map((numerator, round) => numerator / (denominators[round] ?? Number.NaN))
}
