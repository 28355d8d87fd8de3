/** Counts of latencies in classes that are at most 1.6 % wide, so that millions of them fit into a few kilobytes. */
export interface Histogram {
  add(microseconds: number): void
  /** Class and count of every class that has any; what is sent between processes. */
  counts(): readonly (readonly [index: number, count: number])[]
}

const SUB_BITS = 6
const SUB_CLASSES = 1 << SUB_BITS
const MICROSECONDS_MAX = 2 ** 31 - 1
const CLASSES = (32 - SUB_BITS + 1) * SUB_CLASSES

/** The class of a latency: exact below 64 µs, then 64 classes to each doubling. */
export function classOf(microseconds: number): number {
  const value = Math.min(MICROSECONDS_MAX, Math.max(0, Math.round(microseconds)))
  if (value < SUB_CLASSES) return value
  const shift = 31 - Math.clz32(value) - SUB_BITS
  return shift * SUB_CLASSES + (value >>> shift)
}

/** The middle of a class, in microseconds. */
export function middleOf(index: number): number {
  if (index < 2 * SUB_CLASSES) return index
  const shift = Math.floor(index / SUB_CLASSES) - 1
  const first = (index - shift * SUB_CLASSES) * 2 ** shift
  return first + (2 ** shift - 1) / 2
}

export function createHistogram(): Histogram {
  const classes = new Uint32Array(CLASSES)
  return {
    add(microseconds) {
      const index = classOf(microseconds)
      classes[index] = (classes[index] ?? 0) + 1
    },
    counts: () => [...classes.entries()].filter(([, count]) => count > 0),
  }
}

/** Latencies in milliseconds. */
export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

/** The percentiles of counts; undefined when there are none. */
export function latenciesOf(counts: readonly (readonly [number, number])[]): Latencies | undefined {
  const sorted = counts.filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  const at = (share: number): number => {
    let left = Math.max(1, Math.ceil(total * share))
    for (const [index, count] of sorted) {
      left -= count
      if (left <= 0) return middleOf(index) / 1000
    }
    return 0
  }
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) }
}
