import type { ChainedTable } from './chained.ts'
import { type ChainKey, linkHash } from './model.ts'
import type { AuditedRow } from './walk-store.ts'

/** Rows of the past that no entry of the chain names, until it is known why. */
export interface Strays {
  /** The stray with this content, which is then explained. */
  takeByContent(contentHash: Buffer): AuditedRow | undefined
  /**
   * The strays between two keys, when they are just those that lead from one chain hash to the next: they are then
   * explained. Undefined when they do not.
   */
  takeBetween(gap: Gap): readonly AuditedRow[] | undefined
  /** Those that nothing has explained. */
  left(): readonly AuditedRow[]
}

/** A place where entries are missing. */
interface Gap {
  readonly after: { readonly no: number; readonly hash: Buffer; readonly key: ChainKey }
  readonly before: ChainKey
  /** Whether the entry behind the gap follows from this link. */
  readonly closes: (no: number, hash: Buffer) => boolean
}

/** The strays must be in the order of the chain. */
export function createStrays(table: Pick<ChainedTable, 'key'>, rows: readonly AuditedRow[]): Strays {
  let strays = rows
  const isBefore = orderOf(table)
  return {
    takeByContent(contentHash) {
      const found = strays.find((stray) => stray.contentHash.equals(contentHash))
      strays = strays.filter((stray) => stray !== found)
      return found
    },
    takeBetween({ after, before, closes }) {
      const between = strays.filter(({ key }) => isBefore(after.key, key) && isBefore(key, before))
      let { no, hash } = after
      for (const stray of between) {
        no += 1
        hash = linkHash(hash, no, stray.contentHash)
      }
      if (between.length === 0 || !closes(no, hash)) return undefined
      strays = strays.filter((stray) => !between.includes(stray))
      return between
    },
    left: () => strays,
  }
}

/** The order of the chain. */
const orderOf =
  ({ key }: Pick<ChainedTable, 'key'>) =>
  (one: ChainKey, other: ChainKey): boolean => {
    if (one.xid !== other.xid) return BigInt(one.xid) < BigInt(other.xid)
    const index = key.findIndex((_, each) => one.id[each] !== other.id[each])
    const [first = '', second = ''] = [one.id[index], other.id[index]]
    return key[index]?.type === 'bigint' ? BigInt(first) < BigInt(second) : first < second
  }
