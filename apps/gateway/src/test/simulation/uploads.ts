import { createHash } from 'node:crypto'
import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import {
  type ActKind,
  ANYBODY,
  type ChangedPayment,
  listNeedingSecond,
  type NewAct,
  type OpenedAct,
  type Performer,
  type SecondPerson,
  sumsByCurrency,
  sumsOfPayments,
} from '../../modules/confirmations/index.ts'
import {
  documentEvidence,
  findPaymentByReference,
  listPaymentsByReference,
  OPERATOR_ACTOR_PREFIX,
  type PaymentKey,
  type Proposal,
  type TransitionDeps,
  transition,
} from '../../modules/payments/index.ts'
import { detailsOf, type PartDetails } from '../../modules/statements/formats/parsed.ts'
import { tokensOf } from '../../modules/statements/matching/tokens.ts'
import { judgeLine } from '../../modules/statements/model.ts'
import type { Database, Tx } from '../../platform/database.ts'

// Documents that people hand in. Real are the confirmations, the matching of statements, the evidence and what it does to
// payments. A statement is what was read of it: money, and the words of a bank. A report is a list of references and money.

/** How a line names its payment, or does not: banks and payers write references in many ways, and put others in their place. */
export const LINE_FORMS = [
  'TEXT',
  'END_TO_END',
  'SPACED',
  'LOOKALIKE',
  'TWICE',
  'NONREF',
  'NONE',
  'TWO',
] as const
export type LineForm = (typeof LINE_FORMS)[number]

/** Whether the line names its payment, and no other one. */
export const namesIt = (form: LineForm): boolean => form !== 'NONREF' && form !== 'NONE' && form !== 'TWO'

/** One line of a document: this money was paid under this reference. */
interface DocumentLine {
  readonly reference: string
  readonly amount: string
  readonly currencyCode: string
  readonly form: LineForm
  /** Of another payment, for TWO. */
  readonly other: string
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

/** What is written of a line: a report names the payment, a statement has the words of a bank. */
interface WrittenLine {
  readonly reference: string
  readonly money: Money
  readonly details: PartDetails
}

const SEPARATOR = ';'

function wordsOf({ reference, form, other }: DocumentLine): PartDetails {
  switch (form) {
    case 'TEXT':
    case 'TWICE':
      return { endToEndId: 'NOTPROVIDED', texts: [`INVOICE ${reference}`] }
    case 'END_TO_END':
      return { endToEndId: reference }
    case 'SPACED':
      return { texts: [[reference.slice(0, 4), reference.slice(4, 8), reference.slice(8)].join(' ')] }
    case 'LOOKALIKE':
      return { texts: [reference.replaceAll('0', 'O').replaceAll('1', 'l').toLowerCase()] }
    case 'NONREF':
      return { endToEndId: 'NONREF', references: ['NONREF'], texts: ['INVOICE 4711'] }
    case 'NONE':
      return {}
    case 'TWO':
      return { texts: [`${reference} and ${other}`] }
  }
}

function bytesOf({ kind, lines }: Pick<HandedIn, 'kind' | 'lines'>): Buffer {
  const written = lines.flatMap((line) => {
    const { endToEndId = '', references = [], texts = [] } = kind === 'PAYOUT_REPORT' ? {} : wordsOf(line)
    const named = kind === 'PAYOUT_REPORT' ? line.reference : ''
    const text = [named, line.amount, line.currencyCode, endToEndId, references.join(), ...texts].join(
      SEPARATOR,
    )
    return line.form === 'TWICE' ? [text, text] : [text]
  })
  return Buffer.from(written.join('\n'))
}

const linesIn = (bytes: Buffer): readonly WrittenLine[] =>
  bytes
    .toString()
    .split('\n')
    .map((line) => {
      const [reference = '', amount = '', currencyCode = '', endToEndId, references = '', ...texts] =
        line.split(SEPARATOR)
      return {
        reference,
        money: moneyIn({ amount, currencyCode }),
        details: detailsOf({
          endToEndId,
          references: references.split(',').filter((each) => each !== ''),
          texts,
        }),
      }
    })

/** SHA-256 of a document. */
export const digestOf = (document: Pick<HandedIn, 'kind' | 'lines'>): Buffer =>
  createHash('sha256').update(bytesOf(document)).digest()

const moneyIn = ({ amount, currencyCode }: Pick<DocumentLine, 'amount' | 'currencyCode'>): Money => ({
  amount: parsePlainAmount(amount),
  currencyCode,
})

interface HandInDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly secondPerson: SecondPerson
}

/** Takes a document, as the rooms do: one that its operator may not bring alone waits. */
export async function handIn({ db, clock, secondPerson }: HandInDeps, document: HandedIn): Promise<Waiting> {
  const { kind, lines, operatorCode } = document
  const act: NewAct = {
    kind,
    digest: digestOf(document),
    bytes: bytesOf(document),
    lineIds: [],
    title: 'day.csv',
    directive: '{}',
    actor: `${OPERATOR_ACTOR_PREFIX}${operatorCode}`,
    sums: sumsByCurrency(lines.map(moneyIn)),
  }
  const admission = await secondPerson.admit(
    { db, clock },
    {
      actOf: () => Promise.resolve(act),
      carryOut: () => Promise.reject(new Error('a document was taken without a second operator')),
    },
  )
  if (admission.kind !== 'WAITS') throw new Error('a document was taken already')
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
    const proposed = await proposalOf(tx, line)
    if (proposed === undefined) continue
    const { key, ...proposal } = proposed
    const by = { actor: act.actor, evidence, reason: 'a document says so' }
    const [outcome] = await transition(deps, tx, [{ key, proposal: { ...proposal, ...by } }])
    if (outcome?.kind !== 'CHANGED') continue
    const { merchantId, kind, idPayment, money } = outcome.payment
    changed.push({ key: { merchantId, kind, idPayment }, becomes: outcome.status, money })
  }
  return changed
}

type Proposed = Pick<Proposal, 'status' | 'received' | 'failure'> & { readonly key: PaymentKey }

/** What a line proves, by the product's own matching; a report names its payment. */
async function proposalOf(tx: Tx, { reference, details, money }: WrittenLine): Promise<Proposed | undefined> {
  if (reference !== '') {
    const found = await findPaymentByReference(tx, reference)
    return found && { key: found.payment, status: 'SUCCESS', received: money }
  }
  const named = await listPaymentsByReference(tx, tokensOf(details, undefined).references)
  const line = { ...money, direction: 'CREDIT', isReversal: false, charge: undefined } as const
  const { payment, proposed } = judgeLine(
    line,
    named.map((candidate) => ({ ...candidate, by: 'REFERENCE', debitLineIds: [] })),
  )
  return payment && proposed && { ...proposed, key: payment }
}
