import { Problem } from '../../platform/problem.ts'
import { Refusal, type RejectionItem, rejection } from '../../platform/refusal.ts'
import type { Settlement } from './model.ts'

/** Something that cannot be done with settlements. */
export class SettlementProblem extends Problem {
  override readonly name = 'SettlementProblem'
}

/** The id is taken: by this very request, by another, or by a settlement of a cycle. */
export function duplicateOf({ createdAt, requestDigest }: Settlement, digest: Buffer): Refusal {
  const isIdentical = requestDigest?.equals(digest) ?? false
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: createdAt.toISOString() },
  })
}

export const accountMissing = (currencyCode: string): Refusal =>
  rejection([
    {
      code: 'SETTLEMENT_ACCOUNT_MISSING',
      message: `No settlement account is registered for ${currencyCode}.`,
      field: 'currencyCode',
    },
  ])

export const nothingAvailable = (currencyCode: string): Refusal =>
  rejection([
    {
      code: 'BALANCE_INSUFFICIENT',
      message: `Nothing is available in ${currencyCode}.`,
      field: 'currencyCode',
    },
  ])

/** The reasons of a payout in the words of this request; what the merchant did not send has no field. */
export function inOwnWords(refusal: Refusal): Refusal {
  const { items } = refusal.details
  return items === undefined ? refusal : rejection(items.map(withOwnField))
}

function withOwnField({ field, ...item }: RejectionItem): RejectionItem {
  const own = field === undefined ? undefined : /(?:^|[.])(money[.](?:amount|currencyCode))$/.exec(field)?.[1]
  return own === undefined ? item : { ...item, field: own }
}
