import { createHash } from 'node:crypto'
import type { ConfirmationKind, ConfirmationState } from '@tollgate/contract/words'
import { type Amount, addAmounts, compareAmounts, isPositive, type Money, ZERO } from '@tollgate/money'
import type { Payment, PaymentKey } from '../payments/index.ts'

export type ActKind = ConfirmationKind
export type ActState = ConfirmationState

/** From which amounts on an act needs a second operator. */
export interface SecondPersonPolicy {
  readonly isOn: boolean
  /** By currency; a currency that is not named: from zero. */
  readonly from: ReadonlyMap<string, Amount>
  readonly expiresAfterSeconds: number
  /** Whether files of the watched folder count as fetched from a bank. */
  readonly isFolderChannel: boolean
}

/** An act as it is proposed. */
export interface NewAct {
  readonly kind: ActKind
  /** SHA-256 of the bytes. */
  readonly digest: Buffer
  readonly title: string
  /** `operator:<code>`, or `folder`. */
  readonly actor: string
  /** What the room that carries it out needs beside the bytes: JSON, and nothing about persons. */
  readonly directive: string
  readonly lineIds: readonly string[]
  readonly bytes: Uint8Array
  /** The money that it is about; one entry per currency. */
  readonly sums: readonly Money[]
  /** Whatever the amount is, it waits: whoever proposes it has had a part in it before. */
  readonly needsSecond?: boolean
}

/** An act as it is stored. */
export interface Act {
  readonly confirmationId: string
  readonly kind: ActKind
  /** In hexadecimal. */
  readonly digest: string
  readonly title: string
  readonly actor: string
  readonly directive: string
  readonly lineIds: readonly string[]
  readonly byteCount: number
  readonly state: ActState
  /** It still waits, and its time is over. */
  readonly isDue: boolean
  readonly proposedAt: Date
  readonly expireAt: Date
  readonly endedAt: Date | undefined
  readonly endedBy: string | undefined
  readonly endedReason: string | undefined
  /** The file, report or line that came of it. */
  readonly result: string | undefined
  readonly sums: readonly Money[]
}

/** A payment that an act changes, and what it becomes. */
export interface ChangedPayment {
  readonly key: PaymentKey
  readonly becomes: Payment['status']
  readonly money: Money
}

/** Money of one kind and currency. */
export interface ConsequenceSum {
  /** A status for money of payments; SUSPENSE: it waits in suspense; COVERED: the house gives it; NOTED: written down. */
  readonly what: Payment['status'] | 'SUSPENSE' | 'COVERED' | 'NOTED'
  readonly count: number
  readonly money: Money
}

/** What follows from an act, as the code that carries it out finds it in a dry run. */
export interface Consequences {
  readonly payments: readonly ChangedPayment[]
  readonly sums: readonly ConsequenceSum[]
  /** Warnings, what is put aside, and the like. */
  readonly remarks: readonly string[]
}

/** Identifies what would follow, so that an operator confirms just what they saw. Hexadecimal. */
export function digestOfConsequences({ payments, sums, remarks }: Consequences): string {
  const said = [
    payments.map(({ key, becomes, money }) => [
      key.merchantId,
      key.kind,
      key.idPayment,
      becomes,
      money.amount,
      money.currencyCode,
    ]),
    sums.map(({ what, count, money }) => [what, count, money.amount, money.currencyCode]),
    remarks,
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

/** Sums of payments by what they become, in the order in which they come. */
export function sumsOfPayments(payments: readonly ChangedPayment[]): readonly ConsequenceSum[] {
  const sums = new Map<string, ConsequenceSum>()
  for (const { becomes, money } of payments) {
    const name = `${becomes} ${money.currencyCode}`
    const known = sums.get(name)
    sums.set(name, {
      what: becomes,
      count: (known?.count ?? 0) + 1,
      money: { ...money, amount: addAmounts(known?.money.amount ?? ZERO, money.amount) },
    })
  }
  return [...sums.values()]
}

/** Adds money up, one entry per currency. */
export function sumsByCurrency(moneys: readonly Money[]): readonly Money[] {
  const sums = new Map<string, Amount>()
  for (const { amount, currencyCode } of moneys)
    sums.set(currencyCode, addAmounts(sums.get(currencyCode) ?? ZERO, amount))
  return [...sums].map(([currencyCode, amount]) => ({ currencyCode, amount }))
}

/**
 * Whether money needs a second operator, with what the same operator did alone within a day: a large file in many small
 * parts is a large file.
 */
export function needsSecondPerson(
  { isOn, from }: Pick<SecondPersonPolicy, 'isOn' | 'from'>,
  sums: readonly Money[],
  alone: readonly Money[],
): boolean {
  if (!isOn) return false
  return sums.some(({ amount, currencyCode }) => {
    if (!isPositive(amount)) return false
    const before = alone.find((each) => each.currencyCode === currencyCode)?.amount ?? ZERO
    return compareAmounts(addAmounts(before, amount), from.get(currencyCode) ?? ZERO) >= 0
  })
}
