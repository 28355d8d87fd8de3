/** How much one batch may hold, how many run at once and how many items may wait. */
export interface BatchLimits {
  readonly rowsMax: number
  readonly inFlightMax: number
  readonly waitingMax: number
}

interface BatchOptions<Item, Verdict> {
  readonly limits: BatchLimits
  /**
   * Answers every item, in order. May reject: then all items of the batch fail alike, or are tried apart (below). Is given the error
   * for which they are tried apart.
   */
  readonly run: (items: readonly Item[], cause?: unknown) => Promise<readonly Verdict[]>
  /**
   * True when the error is the fault of one item: the batch is then cut in halves until the culprit stands alone. Is told how many
   * runs of the batch have failed.
   */
  readonly isPoison: (error: unknown, failures: number) => boolean
  /**
   * What all who still wait are told when a batch has ended like this; undefined when they are to go on waiting. Where nobody
   * answers, each further batch would only find out the same, one patience after the other.
   */
  readonly refusalForAll?: (error: unknown) => Error | undefined
}

/** Thrown to an item that found the queue full: nothing was done with it. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
  /** What to do, for whoever asked; undefined where that is of no use to them. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}

interface Waiting<Item, Verdict> {
  readonly item: Item
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

/** A round trip costs as much as some ten rows: fewer do not leave beside a batch in flight... */
const BESIDE_ROWS_MIN = 16
/** ...unless that one stays away: whatever holds it up, say a lock, shall not hold up everybody. */
const PATIENCE_MS = 50

/**
 * Lets concurrent callers share one round trip. When nothing is in flight, a lone item leaves with the end of the current turn
 * of the event loop; while something is, the next batch gathers. Nobody waits while nothing is in flight. Each item gets its own verdict.
 */
export function createBatcher<Item, Verdict>(
  options: BatchOptions<Item, Verdict>,
): (item: Item) => Promise<Verdict> {
  const { limits } = options
  const waiting: Waiting<Item, Verdict>[] = []
  let inFlight = 0
  let scheduled = false
  let patience: NodeJS.Timeout | undefined
  const besideMin = Math.min(BESIDE_ROWS_MIN, limits.rowsMax)

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= limits.inFlightMax) return
    if (inFlight > 0 && waiting.length < besideMin) {
      patience ??= setTimeout(launch, PATIENCE_MS)
      return
    }
    scheduled = true
    setImmediate(() => {
      scheduled = false
      launch()
    })
  }

  function launch(): void {
    clearTimeout(patience)
    patience = undefined
    if (waiting.length === 0 || inFlight >= limits.inFlightMax) return
    const batch = waiting.splice(0, limits.rowsMax)
    inFlight += 1
    void runApart(options, batch, { onFailure: refuseAll, failures: { count: 0 } }).finally(() => {
      inFlight -= 1
      schedule()
    })
    schedule()
  }

  function refuseAll(error: unknown): void {
    const refusal = options.refusalForAll?.(error)
    if (refusal !== undefined) for (const { reject } of waiting.splice(0)) reject(refusal)
  }

  return (item) =>
    new Promise<Verdict>((resolve, reject) => {
      if (waiting.length >= limits.waitingMax) {
        reject(new Overloaded('too many requests are waiting for the database'))
        return
      }
      waiting.push({ item, resolve, reject })
      schedule()
    })
}

/** How a batch went so far. */
interface Trial {
  readonly onFailure: (error: unknown) => void
  /** Of all its parts. */
  readonly failures: { count: number }
  /** Why it was cut. */
  readonly cause?: unknown
}

/** Runs a batch; when one item poisons it, the halves run on their own, so that neighbours never suffer. Never rejects. */
async function runApart<Item, Verdict>(
  options: BatchOptions<Item, Verdict>,
  batch: readonly Waiting<Item, Verdict>[],
  trial: Trial,
): Promise<void> {
  try {
    const verdicts = await options.run(
      batch.map((waiting) => waiting.item),
      trial.cause,
    )
    if (verdicts.length !== batch.length)
      throw new Error(`${batch.length} items but ${verdicts.length} verdicts`)
    for (const [index, verdict] of verdicts.entries()) batch[index]?.resolve(verdict)
  } catch (error) {
    trial.failures.count += 1
    if (batch.length === 1 || !options.isPoison(error, trial.failures.count)) {
      for (const waiting of batch) waiting.reject(error)
      trial.onFailure(error)
      return
    }
    const middle = batch.length >> 1
    await runApart(options, batch.slice(0, middle), { ...trial, cause: error })
    await runApart(options, batch.slice(middle), { ...trial, cause: error })
  }
}
