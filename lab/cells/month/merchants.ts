import type { Random } from '../../rig/random.ts'

/** How merchants are spread over cells: by chance, as a hash of their codes does, or the largest first, each into the emptiest cell. */
export type Placement = 'HASH' | 'LARGEST_FIRST'

/** Which share of all payments each merchant has, the largest first: the k-th is 1/k^exponent of the first (Zipf). */
export function merchantShares(count: number, exponent: number): Float64Array {
  const sizes = Float64Array.from({ length: count }, (_, index) => (index + 1) ** -exponent)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => size / total)
}

interface Spread {
  /** The cell of each merchant. */
  readonly cells: Uint16Array
  /** The share of all payments that each cell has. */
  readonly loads: Float64Array
}

export function placeMerchants(
  shares: Float64Array,
  cells: number,
  { placement, random }: { readonly placement: Placement; readonly random: Random },
): Spread {
  const loads = new Float64Array(cells)
  const choose = placement === 'HASH' ? () => random.below(cells) : () => emptiest(loads)
  const chosen = Uint16Array.from(shares, (share) => {
    const cell = choose()
    loads[cell] = (loads[cell] ?? 0) + share
    return cell
  })
  return { cells: chosen, loads }
}

function emptiest(loads: Float64Array): number {
  let found = 0
  let least = Infinity
  for (let cell = 0; cell < loads.length; cell += 1) {
    const load = loads[cell] ?? 0
    if (load < least) {
      least = load
      found = cell
    }
  }
  return found
}
