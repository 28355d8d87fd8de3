import { createHash } from 'node:crypto'
import { parsePlainAmount } from '@tollgate/money'
import {
  type ActKind,
  ANYBODY,
  type ChangedPayment,
  listNeedingSecond,
  type OpenedAct,
  type Performer,
  type SecondPerson,
  sumsByCurrency,
  sumsOfPayments,
} from '../../modules/confirmations/index.ts'
import {
  documentEvidence,
  findPaymentByReference,
  OPERATOR_ACTOR_PREFIX,
  type TransitionDeps,
  transition,
} from '../../modules/payments/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'

// Documents that people hand in. Real are the confirmations, the evidence and what it does to payments; a document is a list
// of references and money, and stands for what the rooms of statements and payout files read and match.

/** One line of a document: this money was paid under this reference. */
export interface DocumentLine {
  readonly reference: string
  readonly amount: string
  readonly currencyCode: string
}

export interface HandedIn {
  readonly kind: Extract<ActKind, 'STATEMENT_FILE' | 'PAYOUT_REPORT'>
  readonly lines: readonly DocumentLine[]
  readonly operatorCode: string
}

/** What waits for a second operator. */
export interface Waiting {
  readonly confirmationId: string
  readonly digest: string
}

const bytesOf = (lines: readonly DocumentLine[]): Buffer =>
  Buffer.from(
    lines.map(({ reference, amount, currencyCode }) => `${reference};${amount};${currencyCode}\n`).join(''),
  )

function linesIn(bytes: Buffer): readonly DocumentLine[] {
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [reference = '', amount = '', currencyCode = ''] = line.split(';')
      return { reference, amount, currencyCode }
    })
}

/** SHA-256 of a document. */
export const digestOf = (lines: readonly DocumentLine[]): Buffer =>
  createHash('sha256').update(bytesOf(lines)).digest()

const moneyIn = ({ amount, currencyCode }: DocumentLine) => ({
  amount: parsePlainAmount(amount),
  currencyCode,
})

interface HandInDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly secondPerson: SecondPerson
}

/** Takes a document, as the rooms do: one that its operator may not bring alone waits. */
export async function handIn(
  { db, clock, secondPerson }: HandInDeps,
  { kind, lines, operatorCode }: HandedIn,
): Promise<Waiting> {
  const admission = await resolveUnknown(clock, () =>
    db.transaction((tx) =>
      secondPerson.admit(tx, {
        ...{ kind, digest: digestOf(lines), bytes: bytesOf(lines), lineIds: [] },
        ...{ title: 'day.csv', directive: '{}', actor: `${OPERATOR_ACTOR_PREFIX}${operatorCode}` },
        sums: sumsByCurrency(lines.map(moneyIn)),
      }),
    ),
  )
  if (admission.kind === 'ALONE') throw new Error('a document was taken without a second operator')
  const { confirmationId, digest } = admission.act
  return { confirmationId, digest }
}

/** What confirmations of documents do: whatever the lines prove happens, all of it in the transaction of the confirmation. */
export function createUploadPerformer(deps: TransitionDeps): Performer {
  return {
    async rehearse(dry, opened) {
      const payments = await dry.transaction((tx) => carryOut(deps, tx, opened, ANYBODY))
      return { payments, sums: sumsOfPayments(payments), remarks: [] }
    },
    problemOfOperator: () => Promise.resolve(undefined),
    async carryOut(within, opened, confirmedBy) {
      const changed = await within.transaction((tx) => carryOut(deps, tx, opened, confirmedBy))
      return String(changed.length)
    },
    afterwards: () => Promise.resolve(),
    describe: ({ bytes }) => ({ byteCount: bytes.length }),
  }
}

async function carryOut(
  deps: TransitionDeps,
  tx: Tx,
  { act, bytes }: OpenedAct,
  confirmedBy: string,
): Promise<readonly ChangedPayment[]> {
  const needing = await listNeedingSecond(tx, act.kind, [Buffer.from(act.digest, 'hex')])
  const confirmer = confirmedBy.slice(OPERATOR_ACTOR_PREFIX.length)
  const evidence = documentEvidence(act.actor, [confirmer], needing.has(act.digest))
  const changed: ChangedPayment[] = []
  for (const line of linesIn(bytes)) {
    const key = await findPaymentByReference(tx, line.reference)
    if (key === undefined) continue
    const proposal = {
      ...({ status: 'SUCCESS', actor: act.actor, evidence, reason: 'a document says so' } as const),
      received: moneyIn(line),
    }
    const [outcome] = await transition(deps, tx, [{ key, proposal }])
    if (outcome?.kind !== 'CHANGED') continue
    const { merchantId, kind, idPayment, money } = outcome.payment
    changed.push({ key: { merchantId, kind, idPayment }, becomes: outcome.status, money })
  }
  return changed
}
