/** Simulated time, and what happens in it. Nothing here knows the time of the machine. */
export interface Timeline {
  nowMs(): number
  after(ms: number, act: () => void): void
  /** Lets happen what is due up to then, in order; what is due at the same time, in the order in which it was planned. */
  runUntil(ms: number): void
}

interface Event {
  readonly atMs: number
  readonly sequence: number
  readonly act: () => void
}

export function createTimeline(): Timeline {
  const heap: Event[] = []
  let nowMs = 0
  let planned = 0
  return {
    nowMs: () => nowMs,
    after(ms, act) {
      push(heap, { atMs: nowMs + ms, sequence: planned, act })
      planned += 1
    },
    runUntil(ms) {
      for (let next = heap[0]; next !== undefined && next.atMs <= ms; next = heap[0]) {
        removeFirst(heap)
        nowMs = next.atMs
        next.act()
      }
      nowMs = ms
    },
  }
}

const isBefore = (a: Event, b: Event): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence)

/** A binary heap: the earliest event is its first. */
function push(heap: Event[], event: Event): void {
  let index = heap.length
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(event, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = event
}

function removeFirst(heap: Event[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let index = 0
  for (;;) {
    const left = heap[2 * index + 1]
    const right = heap[2 * index + 2]
    const isRight = left !== undefined && right !== undefined && isBefore(right, left)
    const child = isRight ? right : left
    if (child === undefined || !isBefore(child, last)) break
    heap[index] = child
    index = 2 * index + (isRight ? 2 : 1)
  }
  heap[index] = last
}
