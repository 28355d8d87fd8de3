/** Chance that can be had again: the same seed gives the same numbers. */
export interface Random {
  /** From 0 up to 1, without it. */
  share(): number
  /** A whole number from 0 up to `count`, without it. */
  below(count: number): number
  between(from: number, to: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Chance of its own, which what is drawn here later does not change. */
  fork(): Random
}

const WORD = 2 ** 32

/** mulberry32: short, and good enough to choose faults and payments. `seed`: a whole number below 2^32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const word = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const share = (): number => word() / WORD
  const below = (count: number): number => Math.floor(share() * count)
  return {
    share,
    below,
    between: (from, to) => from + share() * (to - from),
    pick: (items) => items[below(items.length)] ?? items[0],
    fork: () => createRandom(word()),
  }
}

/** Takes an item by its weight. */
export function pickWeighted<Item>(
  random: Random,
  items: readonly [Item, ...Item[]],
  weightOf: (item: Item) => number,
): Item {
  let left = random.share() * items.reduce((sum, item) => sum + weightOf(item), 0)
  for (const item of items) {
    left -= weightOf(item)
    if (left < 0) return item
  }
  return items[0]
}
