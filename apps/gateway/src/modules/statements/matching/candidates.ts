import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import {
  isOutgoing,
  listPaymentsByExternalReference,
  listPaymentsByReference,
  type NamedPayment,
  type PaymentKey,
} from '../../payments/index.ts'
import type { PartDetails } from '../formats/parsed.ts'
import { listDebitsOf, type SealedLine } from '../lines/line-store.ts'
import { openDetails } from '../lines/sealed-details.ts'
import type { Candidate } from '../model.ts'
import { accountsByLine, type Claim, claimsOfKnownPayers, isPlausible } from './claims.ts'
import { type Tokens, tokensOf } from './tokens.ts'

/** A line with what it says and what it may name. */
export interface OpenLine {
  readonly line: SealedLine
  readonly details: PartDetails
  readonly tokens: Tokens
}
/** Opens what is encrypted of a line. */
export function openLine(secrets: Secrets, line: SealedLine): OpenLine {
  const details = openDetails(secrets, line)
  return { line, details, tokens: tokensOf(details, line.bankReference) }
}

/** The payments that each line names. */
export async function candidatesFor(
  deps: { readonly secrets: Secrets },
  tx: Tx,
  lines: readonly OpenLine[],
): Promise<(line: OpenLine) => readonly Candidate[]> {
  const references = [...new Set(lines.flatMap(({ tokens }) => tokens.references))]
  const payments = await listPaymentsByReference(tx, references)
  const byReference = indexBy(payments, (payment) => [
    payment.reference,
    ...(payment.printedReference === undefined ? [] : [payment.printedReference]),
  ])
  const debitsOf = Map.groupBy(
    await listDebitsOf(
      tx,
      payments.filter(({ kind }) => isOutgoing(kind)),
    ),
    ({ payment }) => textOf(payment),
  )
  const claimed = await claimsOn(deps, tx, lines)
  return ({ line, tokens }) => {
    const own = tokens.references.flatMap((token) => byReference.get(token) ?? [])
    return distinct([
      ...own.map((payment): Candidate => {
        const debits = debitsOf.get(textOf(payment)) ?? []
        return { ...payment, by: 'REFERENCE', debitLineIds: debits.map(({ lineId }) => lineId) }
      }),
      ...(claimed.get(line.lineId) ?? []),
    ])
  }
}

/** What customers claim of the lines, by line. */
async function claimsOn(
  deps: { readonly secrets: Secrets },
  tx: Tx,
  lines: readonly OpenLine[],
): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const externals = [...new Set(lines.flatMap(({ tokens }) => tokens.externals))]
  const payments = await listPaymentsByExternalReference(tx, externals)
  if (payments.length === 0) return new Map()
  const byExternal = indexBy(payments, ({ externalReference }) =>
    externalReference === undefined ? [] : [externalReference],
  )
  const accountOf = await accountsByLine(tx)
  const claims = lines.flatMap(({ line, details, tokens }) =>
    tokens.externals
      .flatMap((token) => byExternal.get(token) ?? [])
      .map((payment): Claim => ({ line, details, payment }))
      .filter((claim) => isPlausible(claim, accountOf(line))),
  )
  const proved = await claimsOfKnownPayers(deps, tx, claims)
  const candidates = claims.map((claim) => {
    const by = proved.has(claim) ? ('CLAIM_OF_PAYER' as const) : ('CLAIM' as const)
    return { lineId: claim.line.lineId, candidate: { ...claim.payment, by, debitLineIds: [] } }
  })
  return new Map(
    [...Map.groupBy(candidates, ({ lineId }) => lineId)].map(([lineId, found]) => [
      lineId,
      found.map(({ candidate }) => candidate),
    ]),
  )
}

function indexBy(
  payments: readonly NamedPayment[],
  namesOf: (payment: NamedPayment) => readonly string[],
): ReadonlyMap<string, readonly NamedPayment[]> {
  const index = new Map<string, NamedPayment[]>()
  for (const payment of payments) {
    for (const name of new Set(namesOf(payment))) {
      const known = index.get(name)
      if (known === undefined) index.set(name, [payment])
      else known.push(payment)
    }
  }
  return index
}

/** Each payment once, by the stronger way in which it was found. */
function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  const found = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const name = textOf(candidate)
    if (!found.has(name)) found.set(name, candidate)
  }
  return [...found.values()]
}

/** A payment as one text. */
export function textOf({ merchantId, kind, idPayment }: PaymentKey): string {
  return `${merchantId} ${kind} ${idPayment}`
}
