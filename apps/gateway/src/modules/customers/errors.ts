import { Refusal, rejection } from '../../platform/refusal.ts'

export const notFound = (): Refusal => new Refusal('ENTITY_NOT_FOUND')

export const nothingToChange = (): Refusal =>
  new Refusal('BODY_INVALID', { message: 'The body names nothing that could be changed.' })

/** The id is taken. After an erasure nobody can tell any more whether the request is the same. */
export function duplicate(acceptedAt: Date, isIdentical: boolean): Refusal {
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: acceptedAt.toISOString() },
  })
}

export const segmentUnknown = (): Refusal =>
  rejection([
    {
      code: 'SEGMENT_NOT_SUPPORTED',
      message: 'The customer segment is not supported.',
      field: 'segmentCode',
    },
  ])

export const hasOpenPaymentsRefusal = (): Refusal =>
  rejection([
    { code: 'CUSTOMER_HAS_OPEN_PAYMENTS', message: 'The customer has payments that have not ended.' },
  ])
