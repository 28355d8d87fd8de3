import type { Visit } from '../visit.ts'
import { merchantHref } from './merchant-parts.ts'

// What screens show otherwise to a merchant's person, who has one merchant and no list of them.

/** The merchant of who asks; undefined for operators of the house. */
export const ownMerchantOf = ({ me }: Pick<Visit, 'me'>): string | undefined => me.merchantCode

/** The way to a merchant's page: for its people the merchant is where everything begins. */
export function merchantSteps(visit: Visit, merchantCode: string): readonly Step[] {
  const own: Step = [merchantCode, merchantHref(merchantCode)]
  return ownMerchantOf(visit) === undefined ? [['Merchants', '/merchants'], own] : [own]
}

type Step = readonly [name: string, href: string]

/** Filters without those by a merchant. */
export const withoutMerchant = <Filter extends { readonly fields: readonly { readonly name: string }[] }>(
  visit: Visit,
  filters: readonly Filter[],
): Filter[] =>
  ownMerchantOf(visit) === undefined
    ? [...filters]
    : filters
        .map((filter) => ({ ...filter, fields: filter.fields.filter(({ name }) => name !== 'merchantCode') }))
        .filter(({ fields }) => fields.length > 0)
