import { type Read, SettlementRunResultSchema } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, moneyHtml, plural } from '../format.ts'
import { actForm, folded, given, notTaken, textField, tickField, typedInto } from '../forms.ts'
import type { Page } from '../frame.ts'
import { chip, empty, note, table } from '../parts.ts'
import type { Act, Visit } from '../visit.ts'
import { crumbs } from './merchant-parts.ts'
import { SETTLEMENTS_PATH, settlementHref, settlementsHref } from './settlement-parts.ts'

type Run = Read<typeof SettlementRunResultSchema>

// Running what is due: first what would happen, then for good.

/** The form of a run, of one merchant where one is given. */
export function runFold(visit: Visit, merchantCode: string | undefined): Html {
  const typed = typedInto(visit, 'preview')
  const whose =
    merchantCode === undefined
      ? html`${textField({ name: 'merchantCode', label: 'Merchant code', value: typed.value('merchantCode'), maxLength: 64, isCode: true })}${tickField({ name: 'isForAll', label: 'All merchants', isTicked: typed.isTicked('isForAll') })}`
      : html`<input type="hidden" name="merchantCode" value="${merchantCode}">`
  const fields = html`${whose}${textField({ name: 'currencyCode', label: 'Currency', value: typed.value('currencyCode'), maxLength: 16, hint: 'Empty: every one' })}${textField({ name: 'until', label: 'Until', value: typed.value('until'), maxLength: 30, hint: 'Empty: the periods that are due. A day (00:00 UTC) or now: one period that ends then.' })}`
  const form = actForm(
    { ...visit, search: '' },
    { path: SETTLEMENTS_PATH, verb: 'preview', fields, button: 'Show what would happen' },
  )
  return folded('Run a settlement', form, typed.isRefused, 'resend')
}

interface Order {
  readonly merchantCode: string | undefined
  readonly isForAll: boolean | undefined
  readonly currencyCode: string | undefined
  readonly until: string | undefined
}

/** As the API takes it. */
const UNTIL = /^(?:NOW|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?)$/

function requireUntil({ until }: Order): void {
  if (until !== undefined && !UNTIL.test(until))
    throw notTaken('Until', until, 'is not a day. Write it as 2026-11-20, or now.')
}

function orderOf(form: URLSearchParams): Order {
  const until = given(form, 'until')
  return {
    merchantCode: given(form, 'merchantCode'),
    isForAll: form.has('isForAll') ? true : undefined,
    currencyCode: given(form, 'currencyCode')?.toUpperCase(),
    until: until?.toLowerCase() === 'now' ? 'NOW' : until,
  }
}

async function run({ api }: Visit, form: URLSearchParams, isDry: boolean): Promise<Run> {
  const order = orderOf(form)
  requireUntil(order)
  return api.post('/operator/settlements/!run', SettlementRunResultSchema, {
    body: { ...order, isDry },
    isLong: true,
  })
}

const LOOKS: Readonly<Record<string, Parameters<typeof chip>>> = {
  SETTLED: ['good', 'check', 'Settled'],
  ALREADY_RUN: ['mute', 'minus', 'Run before'],
  NOTHING: ['mute', 'minus', 'Nothing to settle'],
  NOT_POSITIVE: ['mute', 'right', 'Carried: nothing is left after fees and recalls'],
  BELOW_MINIMUM: ['mute', 'right', 'Carried: below the minimum'],
  WAITS: ['warn', 'clock', 'Waits'],
}

function outcomePage(visit: Visit, form: URLSearchParams, result: Run): Page {
  const { isDry, data } = result
  const { merchantCode } = orderOf(form)
  const title = isDry ? 'What would be settled' : 'What was settled'
  const back = merchantCode === undefined ? SETTLEMENTS_PATH : settlementsHref(merchantCode)
  const isAny = data.some(({ result: each }) => each === 'SETTLED')
  return {
    title,
    nav: 'Settlements',
    content: html`${crumbs([['Settlements', SETTLEMENTS_PATH]], title)}
<div class="head"><h1>${title}</h1>${isDry && html`<p>Nothing was changed.</p>`}</div>
${data.some(({ result: each }) => each === 'WAITS') && note('warn', 'What waits is tried again by the worker, and later periods after it.')}
${outcomes(title, result)}
<div class="acts section-s">${isDry && isAny && runForm(visit, form, data)}<a class="btn" href="${back}">${isDry ? 'Settle nothing' : 'Back'}</a></div>`,
  }
}

function outcomes(title: string, { isDry, cycleCount, data }: Run): Html {
  if (cycleCount === 0)
    return empty('sheet', 'No settlement cycles', {
      says: 'A cycle is set on the merchant’s page, under Terms.',
    })
  if (data.length === 0)
    return empty('sheet', 'Nothing is due', { says: 'Give “now” as the end to settle all the same.' })
  const columns = [
    { name: 'Merchant' },
    { name: 'Result' },
    { name: 'Net', style: 'n' },
    { name: 'Until, UTC', style: 'n hide-sm' },
    { name: 'Settlement', style: 'hide-sm' },
  ]
  return table(
    title,
    columns,
    data.map((period) => periodRow(period, isDry)),
  )
}

function periodRow(period: Run['data'][number], isDry: boolean): readonly HtmlValue[] {
  const { merchantCode, currencyCode, result, problem, net, until, settlement } = period
  const look = LOOKS[result] ?? ['mute', 'help', result]
  const chosen: Parameters<typeof chip> =
    isDry && result === 'SETTLED' ? ['info', 'clock', 'Would be settled'] : look
  const id =
    settlement === undefined || isDry
      ? ''
      : html`<a href="${settlementHref(merchantCode, settlement.idSettlement)}"><span class="code">${settlement.idSettlement}</span></a>`
  return [
    html`<a href="${settlementsHref(merchantCode)}"><span class="code">${merchantCode}</span></a><span class="sub">${currencyCode}</span>`,
    html`${chip(...chosen)}${problem !== undefined && html`<span class="sub">${problem}</span>`}`,
    net === undefined ? '' : moneyHtml(net),
    html`<span class="quiet">${momentHtml(until)}</span>`,
    id,
  ]
}

/** The same order again, for good. */
function runForm({ formToken }: Visit, form: URLSearchParams, data: Run['data']): Html {
  const names = ['merchantCode', 'isForAll', 'currencyCode', 'until']
  const kept = names.flatMap((name) => {
    const value = given(form, name)
    return value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  const count = data.filter(({ result }) => result === 'SETTLED').length
  return html`<form method="post" action="${SETTLEMENTS_PATH}/run">${formToken}${kept}<button class="btn btn-main">Settle ${plural(count, 'period')}</button></form>`
}

export const RUN_ACTS: Readonly<Record<string, Act>> = {
  preview: {
    permission: 'settlements.run',
    async perform(visit, form) {
      return outcomePage(visit, form, await run(visit, form, true))
    },
  },
  run: {
    permission: 'settlements.run',
    isOnce: true,
    async perform(visit, form) {
      return outcomePage(visit, form, await run(visit, form, false))
    },
  },
}
