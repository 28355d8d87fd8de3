import { createBoundedMap } from '@tollgate/runtime'

/** A bounded cache that loads what it lacks, shares concurrent loads, and never keeps what changed while it was loading. */
interface LoadingCache<Value, None> {
  /** The value if it is here now; no waiting. */
  readonly peek: (key: string) => Value | undefined
  readonly get: (key: string) => Promise<Value | None>
  /** The value itself if it is here now: nobody waits for a promise that has nothing to wait for. */
  readonly peekOrGet: (key: string) => Value | Promise<Value | None>
  drop(key: string): void
  clear(): void
}

interface LoadingCacheOptions<Value, None> {
  readonly entriesMax: number
  readonly load: (key: string) => Promise<Value | None>
}

/**
 * What was not used for the longest time goes first. A key without a value is not kept, so that strangers cannot fill the cache;
 * with `never` for `None`, every key has one.
 */
export function createLoadingCache<Value extends object | string | true, None extends undefined = undefined>(
  options: LoadingCacheOptions<Value, None>,
): LoadingCache<Value, None> {
  const entries = createBoundedMap<string, Value>(options.entriesMax)
  const loads = new Map<string, Promise<Value | None>>()
  let generation = 0

  async function load(key: string): Promise<Value | None> {
    const started = generation
    const value = await options.load(key)
    if (value !== undefined && generation === started) entries.set(key, value)
    return value
  }

  function loadOnce(key: string): Promise<Value | None> {
    const pending = loads.get(key)
    if (pending !== undefined) return pending
    const started = load(key).finally(() => {
      if (loads.get(key) === started) loads.delete(key)
    })
    loads.set(key, started)
    return started
  }

  const peekOrGet = (key: string): Value | Promise<Value | None> => entries.get(key) ?? loadOnce(key)

  return {
    peek: entries.get,
    get: (key) => Promise.resolve(peekOrGet(key)),
    peekOrGet,
    drop(key) {
      generation += 1
      entries.delete(key)
      loads.delete(key)
    },
    clear() {
      generation += 1
      entries.clear()
      loads.clear()
    },
  }
}

/** Something that is read as a whole and held in memory, so that requests need not wait for it. */
interface Snapshot<Value> {
  /** Reads it again. One reload after the other: a slow one can never put an older picture over a newer. */
  reload(): Promise<void>
  /** The picture of now. Take it once per request, so that the request sees one picture. Throws before the first reload. */
  readonly current: () => Value
}

/** Nothing is read yet. `name` says what it is to whoever asks for it all the same. */
export function createSnapshot<Value>(name: string, read: () => Promise<Value>): Snapshot<Value> {
  let held: { readonly value: Value } | undefined
  let last: Promise<void> = Promise.resolve()
  async function load(): Promise<void> {
    held = { value: await read() }
  }
  return {
    reload() {
      const next = last.then(load)
      last = next.catch(() => undefined)
      return next
    },
    current() {
      if (held === undefined) throw new Error(`${name} used before it was started`)
      return held.value
    },
  }
}
