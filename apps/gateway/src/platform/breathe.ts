import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets everybody else have a turn of the event loop; for work that is done in small pieces. */
export const breathe = (): Promise<void> => nextTurn()

/** The items, so many at a time, each time after everybody else has had a turn of the event loop. */
export async function* slicesOf<Item>(
  items: readonly Item[],
  count: number,
): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += count) {
    await breathe()
    yield items.slice(from, from + count)
  }
}
