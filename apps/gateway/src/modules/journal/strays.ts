import type { AuditedTransfer } from './audit-store.ts'
import { linkHash, type TransferKey } from './model.ts'

/** Transfers of the past that no entry of the journal names, until it is known why. */
export interface Strays {
  /** The stray with this content, which is then explained. */
  takeByContent(contentHash: Buffer): AuditedTransfer | undefined
  /**
   * The strays between two keys, when they are just those that lead from one chain hash to the next: they are then
   * explained. Undefined when they do not.
   */
  takeBetween(gap: Gap): readonly AuditedTransfer[] | undefined
  /** Those that nothing has explained. */
  left(): readonly AuditedTransfer[]
}

/** A place where entries are missing. */
interface Gap {
  readonly after: { readonly no: number; readonly hash: Buffer; readonly key: TransferKey }
  readonly before: TransferKey
  /** Whether the entry behind the gap follows from this link. */
  readonly closes: (no: number, hash: Buffer) => boolean
}

/** The strays must be in the order of the journal. */
export function createStrays(transfers: readonly AuditedTransfer[]): Strays {
  let strays = transfers
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

/** The order of the journal. */
function isBefore(one: TransferKey, other: TransferKey): boolean {
  const numbers = [BigInt(one.xid) - BigInt(other.xid), BigInt(one.merchantId) - BigInt(other.merchantId)]
  const difference = numbers.find((each) => each !== 0n)
  return difference === undefined ? one.transferId < other.transferId : difference < 0n
}
