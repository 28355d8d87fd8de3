import type { WireMoney } from '@tollgate/contract'
import type { WallClock } from '@tollgate/runtime'
import type { Caller } from '../../../http/authentication.ts'
import { rejection } from '../../../platform/refusal.ts'
import type { Rail } from '../../../rails/rail.ts'
import {
  type CatalogueService,
  type Choice,
  type Direction,
  dailyCapsOf,
  listChoices,
  listOptions,
  type MerchantTerms,
  type PaymentOption,
  type Question,
} from '../../catalogue/index.ts'
import type { MerchantDirectory } from '../../merchants/index.ts'
import type { RateService } from '../../rates/index.ts'
import type { PaymentService } from '../service.ts'
import { judgeSegment, objectionsOf, readMoney } from './request.ts'

/** The body of the options operations (specification 2.7). */
export interface OptionsOrder {
  readonly money: WireMoney
  readonly segmentCode?: string | undefined
}

type OptionsQuestion = OptionsOrder & { readonly direction: Direction }

interface OptionsNeeds {
  readonly catalogue: CatalogueService
  readonly merchants: MerchantDirectory
  readonly rates: Pick<RateService, 'current'>
  readonly clock: Pick<WallClock, 'nowMs'>
  readonly payments: Pick<PaymentService, 'listUsedUp'>
  readonly rails: ReadonlyMap<string, Pick<Rail, 'objectTo'>>
}

/** What can be paid with. Throws why nothing can. */
export async function findOptions(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly PaymentOption[]> {
  const question = await questionOf(needs, caller, order)
  const terms = await needs.catalogue.termsOf(caller.merchantId)
  const usedUp = await findUsedUp(needs, terms, question)
  const objectTo: Question['objectTo'] = (method) =>
    usedUp.has(method.code) ? USED_UP : question.objectTo?.(method)
  const asked = { ...question, objectTo }
  const rates = { snapshot: needs.rates.current(), atMs: needs.clock.nowMs() }
  const found = listOptions(needs.catalogue.current(), terms, asked, rates)
  if (!found.ok) throw rejection(found.items)
  return found.options
}

/** What a picker shows beside the options. */
export async function findChoices(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly Choice[]> {
  const question = await questionOf(needs, caller, order)
  const terms = await needs.catalogue.termsOf(caller.merchantId)
  const usedUp = await findUsedUp(needs, terms, question)
  return listChoices(needs.catalogue.current(), terms, question, usedUp)
}

/** Why a method with a daily cap takes no payment any more. */
export const USED_UP = {
  code: 'CHANNEL_LIMIT',
  message: 'The daily limit of this payment method has been reached.',
} as const

/** The methods whose cap of today has no parts for the payment: asked for only where the merchant has caps. */
async function findUsedUp(
  { payments }: OptionsNeeds,
  terms: MerchantTerms,
  { direction, money }: Question,
): Promise<ReadonlySet<string>> {
  const caps = dailyCapsOf(terms, { direction, currencyCode: money.currencyCode })
  if (caps.size === 0) return new Set()
  return payments.listUsedUp({ merchantId: terms.merchantId, kind: direction, money, caps })
}

async function questionOf(needs: OptionsNeeds, caller: Caller, order: OptionsQuestion): Promise<Question> {
  const { direction, money: wire, segmentCode } = order
  const money = readMoney(caller, wire, 'money')
  const merchant =
    needs.merchants.peek(caller.merchantCode) ?? (await needs.merchants.find(caller.merchantCode))
  const items = judgeSegment({ caller, merchant, segmentCode, isOwn: false, field: 'segmentCode' })
  if (items.length > 0) throw rejection(items)
  return { direction, money, segmentCode, objectTo: objectionsOf(needs, { kind: direction, money }) }
}
