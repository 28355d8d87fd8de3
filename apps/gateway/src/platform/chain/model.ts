import { hash } from 'node:crypto'
import type { ChainedTable } from './chained.ts'

/** Where a row stands in the order of its chain: by the transaction that wrote it, then by its own key. */
export interface ChainKey {
  /** The number of the transaction, as PostgreSQL counts them (xid8). */
  readonly xid: string
  /** The values of the table's key. */
  readonly id: readonly string[]
}

/** Below every row. */
export const firstKey = ({ key }: Pick<ChainedTable, 'key'>): ChainKey => ({
  xid: '0',
  id: key.map(({ first }) => first),
})

/** A point of the chain: everything up to here is fixed by one hash. */
export interface ChainHead {
  /** 0 while the chain is empty. */
  readonly entryNo: number
  /** 32 bytes. */
  readonly chainHash: Buffer
}

const HASH_BYTES = 32

/** What the first entry is chained to. */
export const CHAIN_BEGINNING: ChainHead = { entryNo: 0, chainHash: Buffer.alloc(HASH_BYTES) }

/** SHA-256 of the hash before, the entry's number in 8 bytes (big endian), and its content hash. */
export function linkHash(previous: Buffer, entryNo: number, contentHash: Buffer): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(entryNo))
  return hash('sha256', Buffer.concat([previous, number, contentHash]), 'buffer')
}

/** `<entryNo>:<chain hash in hex>`, as heads are printed and kept. */
export function printHead({ entryNo, chainHash }: ChainHead): string {
  return `${entryNo}:${chainHash.toString('hex')}`
}

const HEAD = /^(0|[1-9]\d{0,14}):([0-9a-f]{64})$/i

/** Reads what `printHead` wrote; undefined for anything else. */
export function parseHead(text: string): ChainHead | undefined {
  const [, entryNo, hex] = HEAD.exec(text) ?? []
  if (entryNo === undefined || hex === undefined) return undefined
  return { entryNo: Number(entryNo), chainHash: Buffer.from(hex, 'hex') }
}
