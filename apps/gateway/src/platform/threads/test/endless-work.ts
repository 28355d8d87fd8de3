/** Work that never ends, takes all memory, breaks off, or counts: as it is asked. */
export function* work(order: {
  readonly what: 'COUNT' | 'LOOP' | 'EAT' | 'THROW'
  readonly upTo: number
}): Iterable<number> {
  const eaten: number[][] = []
  for (let number = 1; order.what !== 'COUNT' || number <= order.upTo; number += 1) {
    if (order.what === 'THROW') throw new Error('it broke off')
    if (order.what === 'EAT') eaten.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5))
    if (order.what === 'COUNT') yield number
  }
}
