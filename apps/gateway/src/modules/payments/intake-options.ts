import type { WireMoney } from '@tollgate/contract'
import type { Caller } from '../../http/authentication.ts'
import { rejection } from '../../platform/refusal.ts'
import type { Rail, RailCustomer, RailQuestion } from '../../rails/rail.ts'
import {
  type CatalogueService,
  type Choice,
  type Direction,
  type FeeRates,
  listChoices,
  listOptions,
  type PaymentOption,
  type Question,
} from '../catalogue/index.ts'
import { readMoney } from './intake-request.ts'

/** The body of the options operations (specification 2.7). */
export interface OptionsOrder {
  readonly money: WireMoney
  readonly segmentCode?: string | undefined
}

type OptionsQuestion = OptionsOrder & { readonly direction: Direction }

interface OptionsNeeds {
  readonly catalogue: CatalogueService
  readonly feeRates: () => FeeRates
  readonly rails: ReadonlyMap<string, Pick<Rail, 'objectTo'>>
}

/** What can be paid with. Throws why nothing can. */
export async function findOptions(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly PaymentOption[]> {
  const question = questionOf(needs, caller, order)
  const terms = await needs.catalogue.termsOf(caller.merchantId)
  const found = listOptions(needs.catalogue.current(), terms, question, needs.feeRates())
  if (!found.ok) throw rejection(found.items)
  return found.options
}

/** What a picker shows beside the options. */
export async function findChoices(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly Choice[]> {
  const question = questionOf(needs, caller, order)
  return listChoices(needs.catalogue.current(), await needs.catalogue.termsOf(caller.merchantId), question)
}

function questionOf(needs: OptionsNeeds, caller: Caller, order: OptionsQuestion): Question {
  const { direction, money: wire, segmentCode } = order
  const money = readMoney(caller, wire, 'money')
  return { direction, money, segmentCode, objectTo: objectionsOf(needs, { kind: direction, money }) }
}

/** What the rail of a method has against the payment. */
export function objectionsOf(
  { rails }: Pick<OptionsNeeds, 'rails'>,
  asked: Pick<RailQuestion, 'kind' | 'money'> & { readonly customer?: RailCustomer },
): Question['objectTo'] {
  return ({ code, rail }) => rails.get(rail)?.objectTo?.({ customer: undefined, ...asked, methodCode: code })
}
