import { createHash } from 'node:crypto'
import { createJournal, JournalDamaged } from '@tollgate/runtime/journal'
import type { SignRequest } from '@tollgate/signer-protocol'

/** A transaction that was signed. Numbers are texts of digits. */
export interface Signed extends Omit<SignRequest, 'seal'> {
  /** When, in milliseconds since 1970. */
  readonly signedAtMs: number
  readonly transaction: string
  readonly hash: string
}

/** A line of the file: what was signed, and the hash over it and the line before. */
interface RecordLine extends Signed {
  readonly link: string
}

/** All that was ever signed: a file to which lines are added. */
export interface SigningRecord {
  /** The latest transaction of a reference. */
  ofReference(chainId: string, reference: string): Signed | undefined
  /** Of all its transactions, the oldest first. */
  hashesOf(chainId: string, reference: string): readonly string[]
  /** The reference that has the number. */
  referenceOf(chainId: string, nonce: string): string | undefined
  /** The first number behind all that were signed; 0 for none. */
  nextNonce(chainId: string): bigint
  /** What was signed for the first time on a day (UTC) of a token, replacements left out, in the token's smallest units. */
  sumOfDay(token: Pick<Signed, 'chainId' | 'token'>, day: string): bigint
  /** Resolves when it is on the disk. Rejects for good once a write has failed: then nothing more may be signed. */
  add(signed: Signed): Promise<void>
  /** Resolves when all that was added is on the disk. */
  settled(): Promise<void>
  /** How many lines it has. */
  readonly lines: () => number
  close(): Promise<void>
}

/** Opens the record, makes it if needed, and checks it from its beginning. Throws JournalDamaged. */
export async function openRecord(file: string): Promise<SigningRecord> {
  const journal = createJournal<RecordLine>(file, readLine)
  const kept = createIndex()
  let [link, count] = ['', 0]
  for (const line of (await journal.open()).lines) {
    count += 1
    const { link: noted, ...signed } = line
    if (noted !== linkOf(link, signed)) {
      await journal.close()
      throw new JournalDamaged(
        `Line ${count} of ${file} does not follow from the lines before it: somebody changed or removed one. Nothing is signed with such a record; put back a copy that is whole.`,
      )
    }
    link = noted
    kept.note(signed)
  }
  return {
    ...kept.reader,
    async add(signed) {
      link = linkOf(link, signed)
      count += 1
      kept.note(signed)
      journal.append({ ...signed, link })
      await journal.settled()
    },
    settled: () => journal.settled(),
    lines: () => count,
    close: () => journal.close(),
  }
}

function createIndex(): {
  readonly reader: Omit<SigningRecord, 'add' | 'settled' | 'lines' | 'close'>
  note(signed: Signed): void
} {
  const byReference = new Map<string, readonly Signed[]>()
  const byNonce = new Map<string, string>()
  const nextNonces = new Map<string, bigint>()
  const sums = new Map<string, bigint>()
  return {
    reader: {
      ofReference: (chainId, reference) => byReference.get(`${chainId} ${reference}`)?.at(-1),
      hashesOf: (chainId, reference) =>
        (byReference.get(`${chainId} ${reference}`) ?? []).map(({ hash }) => hash),
      referenceOf: (chainId, nonce) => byNonce.get(`${chainId} ${nonce}`),
      nextNonce: (chainId) => nextNonces.get(chainId) ?? 0n,
      sumOfDay: ({ chainId, token }, day) => sums.get(`${chainId} ${token} ${day}`) ?? 0n,
    },
    note(signed) {
      const { chainId, reference, nonce, token, units } = signed
      const name = `${chainId} ${reference}`
      if (!byReference.has(name)) {
        const sum = `${chainId} ${token} ${dayOf(signed.signedAtMs)}`
        sums.set(sum, (sums.get(sum) ?? 0n) + BigInt(units))
      }
      byReference.set(name, [...(byReference.get(name) ?? []), signed])
      byNonce.set(`${chainId} ${nonce}`, reference)
      const next = BigInt(nonce) + 1n
      if (next > (nextNonces.get(chainId) ?? 0n)) nextNonces.set(chainId, next)
    },
  }
}

const DAY_CHARACTERS = 10

/** The day in UTC, as `2026-01-31`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, DAY_CHARACTERS)

const linkOf = (previous: string, signed: Signed): string =>
  createHash('sha256')
    .update(JSON.stringify([previous, ...MEMBERS.map((member) => signed[member])]))
    .digest('hex')

const MEMBERS = [
  'signedAtMs',
  'chainId',
  'reference',
  'nonce',
  'token',
  'payee',
  'units',
  'gasLimit',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'transaction',
  'hash',
] as const

function readLine(value: unknown): RecordLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const line = { ...EMPTY, ...value }
  const isWhole =
    Number.isSafeInteger(line.signedAtMs) &&
    [...MEMBERS.slice(1), 'link' as const].every(
      (member) => typeof line[member] === 'string' && line[member] !== '',
    )
  return isWhole && [line.nonce, line.units].every((digits) => /^\d+$/.test(digits)) ? line : undefined
}

const EMPTY: RecordLine = {
  signedAtMs: Number.NaN,
  chainId: '',
  reference: '',
  nonce: '',
  token: '',
  payee: '',
  units: '',
  gasLimit: '',
  maxFeePerGas: '',
  maxPriorityFeePerGas: '',
  transaction: '',
  hash: '',
  link: '',
}
