import { hash } from 'node:crypto'

/** Where a transfer stands in the order of the journal: by the transaction that wrote it, then by its own key. */
export interface TransferKey {
  /** The number of the transaction, as PostgreSQL counts them (xid8). */
  readonly xid: string
  readonly merchantId: string
  readonly transferId: string
}

/** Below every transfer. */
export const FIRST_KEY: TransferKey = {
  xid: '0',
  merchantId: '0',
  transferId: '00000000-0000-0000-0000-000000000000',
}

/** A point of the chain: everything up to here is fixed by one hash. */
export interface JournalHead {
  /** 0 while the journal is empty. */
  readonly entryNo: number
  /** 32 bytes. */
  readonly chainHash: Buffer
}

const HASH_BYTES = 32

/** What the first entry is chained to. */
export const CHAIN_BEGINNING: JournalHead = { entryNo: 0, chainHash: Buffer.alloc(HASH_BYTES) }

/** SHA-256 of the hash before, the entry's number in 8 bytes (big endian), and its content hash. */
export function linkHash(previous: Buffer, entryNo: number, contentHash: Buffer): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(entryNo))
  return hash('sha256', Buffer.concat([previous, number, contentHash]), 'buffer')
}

/** `<entryNo>:<chain hash in hex>`, as heads are printed and kept. */
export function printHead({ entryNo, chainHash }: JournalHead): string {
  return `${entryNo}:${chainHash.toString('hex')}`
}

const HEAD = /^(0|[1-9]\d{0,14}):([0-9a-f]{64})$/i

/** Reads what `printHead` wrote; undefined for anything else. */
export function parseHead(text: string): JournalHead | undefined {
  const [, entryNo, hex] = HEAD.exec(text) ?? []
  if (entryNo === undefined || hex === undefined) return undefined
  return { entryNo: Number(entryNo), chainHash: Buffer.from(hex, 'hex') }
}
