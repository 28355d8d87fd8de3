import type { WireMoney } from '@tollgate/contract'
import type { Money } from '@tollgate/money'
import type { WallClock } from '@tollgate/runtime'
import type { Caller } from '../../../http/app-type.ts'
import { rejection } from '../../../platform/refusal.ts'
import type { Rail } from '../../../rails/rail.ts'
import {
  type CatalogueService,
  type Choice,
  type Direction,
  dailyCapsOf,
  explainOptions,
  listChoices,
  listOptions,
  type MerchantTerms,
  type PaymentOption,
  type Question,
} from '../../catalogue/index.ts'
import type { MerchantDirectory } from '../../merchants/index.ts'
import type { RateService } from '../../rates/index.ts'
import type { PaymentService } from '../service.ts'
import { judgeGranted, judgeSegment, objectionsOf, readMoney } from './request.ts'

/** The body of the options operations (specification 2.7). */
export interface OptionsOrder {
  readonly money: WireMoney
  readonly segmentCode?: string | undefined
}

type OptionsQuestion = OptionsOrder & { readonly direction: Direction }

export interface OptionsNeeds {
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
  const { terms, asked, rates } = await askedOf(needs, caller.merchantId, question)
  const found = listOptions(needs.catalogue.current(), terms, asked, rates)
  if (!found.ok) throw rejection(found.items)
  return found.options
}

interface ExplainOrder {
  readonly merchantId: string
  readonly merchantCode: string
  readonly direction: Direction
  readonly money: Money
  readonly segmentCode?: string | undefined
}

/** For operators: why each method is offered to the merchant for this, or not. By the rules of {@link findOptions}. */
export async function explainMerchantOptions(
  needs: OptionsNeeds,
  { merchantId, merchantCode, direction, money, segmentCode }: ExplainOrder,
): Promise<ReturnType<typeof explainOptions>> {
  const items = judgeGranted(await needs.merchants.find(merchantCode), segmentCode, 'segmentCode')
  if (items.length > 0) return { items, methods: [] }
  const objectTo = objectionsOf(needs, { kind: direction, money })
  const { terms, asked, rates } = await askedOf(needs, merchantId, {
    direction,
    money,
    segmentCode,
    objectTo,
  })
  return explainOptions({ catalogue: needs.catalogue.current(), terms }, asked, rates)
}

/** The question as the rules are asked it: with the caps of today, by the rates of now. */
async function askedOf(needs: OptionsNeeds, merchantId: string, question: Question) {
  const terms = await needs.catalogue.termsOf(merchantId)
  const usedUp = await findUsedUp(needs, terms, question)
  const objectTo: Question['objectTo'] = (method) =>
    usedUp.has(method.code) ? USED_UP : question.objectTo?.(method)
  const rates = { snapshot: needs.rates.current(), atMs: needs.clock.nowMs() }
  return { terms, asked: { ...question, objectTo }, rates }
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

/** Why a method with a daily cap does not take the payment: a smaller one may still fit. */
export const USED_UP = {
  code: 'CHANNEL_LIMIT',
  message: 'The daily limit of this payment method has no room for this payment today.',
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
  const items = judgeSegment({ caller, merchant, segmentCode, field: 'segmentCode' })
  if (items.length > 0) throw rejection(items)
  return { direction, money, segmentCode, objectTo: objectionsOf(needs, { kind: direction, money }) }
}
