import {
  ConversionSchema,
  OperatorRateListSchema,
  OperatorRateSheetSchema,
  RateSheetsStoredSchema,
  RateStoredSchema,
  type Read,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentOf } from '../filters.ts'
import { durationText, momentHtml, moneyText, plural } from '../format.ts'
import {
  actButton,
  actForm,
  areaField,
  folded,
  given,
  looseNote,
  selectField,
  textField,
  typedInto,
} from '../forms.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, numberOf, pathOf } from '../operator-api.ts'
import { empty, facts, note, table } from '../parts.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { crumbs } from './merchant-parts.ts'
import { rateListHref, rateState } from './rate-parts.ts'

type Sheet = Read<typeof OperatorRateSheetSchema>
type Conversion = Read<typeof ConversionSchema>

/** One rate list: its sheet in force now or at a date, setting rates, and what money is worth by it. */
export const rateListScreen: Screen = {
  path: '/rates/:code',
  permission: 'rates.read',
  async show(visit) {
    const { api, name, query } = visit
    const date = dateOf(query)
    const sheet = await api.get(routeOf(name('code')), OperatorRateSheetSchema, { date })
    const { code } = sheet
    return {
      title: `${sheet.name}: rates`,
      nav: 'Rates',
      content: html`${crumbs([['Rates', '/rates']], sheet.name)}
<div class="head"><h1>${sheet.name}</h1>${rateState(sheet)}<p class="code">${code}</p>${visit.may('rates.change') && html`<div class="acts">${onOff(visit, sheet)}</div>`}</div>
${looseNote(visit)}${doneNote(visit)}
${factsOf(sheet)}
${visit.may('rates.change') && html`<div class="fold-row">${setFold(visit, sheet)}${importFold(visit, sheet)}</div>`}
<section aria-labelledby="h-conv"><div class="bar"><h2 id="h-conv">Try a conversion</h2><p>As merchants are told</p></div>${await conversionPart(visit, sheet)}</section>
<section class="section" aria-labelledby="h-sheet"><div class="bar"><h2 id="h-sheet">${date === undefined ? 'The sheet in force' : 'The sheet of that day'}</h2>${dateForm(visit)}</div>${sheetTable(sheet)}</section>`,
    }
  },
  acts: {
    enable: switchAct('!enable', 'enabled'),
    disable: switchAct('!disable', 'disabled'),
    set: {
      permission: 'rates.change',
      isOnce: true,
      async perform({ api, name }, form) {
        const body = {
          currencyCode: (given(form, 'currencyCode') ?? '').toUpperCase(),
          buy: numberOf(given(form, 'buy')),
          mid: numberOf(given(form, 'mid')),
          sell: numberOf(given(form, 'sell')),
          unit: numberOf(given(form, 'unit')),
          quotation: given(form, 'quotation'),
          validFrom: momentOf(given(form, 'validFrom') ?? null),
        }
        await api.post(`${routeOf(name('code'))}/!set`, RateStoredSchema, { body })
        return 'set'
      },
    },
    import: { permission: 'rates.change', perform: importSheet },
  },
}

const routeOf = (code: string): string => pathOf`/operator/rate-lists/${code}`

const dateOf = (query: URLSearchParams): string | undefined => query.get('date')?.trim() || undefined

function switchAct(operation: string, done: string): Act {
  return {
    permission: 'rates.change',
    async perform({ api, name }) {
      await api.post(`${routeOf(name('code'))}/${operation}`, OperatorRateListSchema)
      return done
    },
  }
}

/** What is pasted goes on as the file that it was. */
async function importSheet({ api, name }: Visit, form: URLSearchParams): Promise<string> {
  const file = new TextEncoder().encode((form.get('sheet') ?? '').replaceAll('\r\n', '\n'))
  const { sheets } = await api.upload(`${routeOf(name('code'))}/sheets`, RateSheetsStoredSchema, {
    file,
    query: { format: form.get('format') ?? '', validFrom: momentOf(given(form, 'validFrom') ?? null) },
  })
  return sheets.some(({ isNew }) => isNew) ? 'imported' : 'known'
}

const DONE: Readonly<Record<string, string>> = {
  created: 'The list was created. It has no sheet yet.',
  enabled: 'Enabled: merchants read and convert by it again.',
  disabled: 'Disabled: merchants neither read nor convert by it.',
  set: 'A new sheet is stored.',
  imported: 'The sheets are stored.',
  known: 'The list had these sheets already; nothing was stored.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

function onOff(visit: Visit, { isEnabled, code }: Sheet): Html {
  const path = rateListHref(code)
  const press = actButton(visit, {
    path,
    verb: isEnabled ? 'disable' : 'enable',
    style: isEnabled ? 'btn-bad' : 'btn-main',
    words: isEnabled ? `Disable ${code}` : `Enable ${code}`,
  })
  const says = html`<p class="quiet">Merchants neither read nor convert by it. Settlements and fees that need it wait or are refused.</p>`
  return isEnabled
    ? folded('Disable', html`<div class="stack-s">${says}${press}</div>`, false, 'pause')
    : press
}

function factsOf(sheet: Sheet): Html {
  const { baseCurrencyCode, version, source, validFrom, validTo, publishedAt, ageSeconds } = sheet
  const { staleAfterSeconds, supersededByVersion } = sheet
  const list: [string, HtmlValue][] = [['Base', baseCurrencyCode]]
  if (version !== undefined) list.push(['Version', `${version}, ${source ?? ''}`])
  if (supersededByVersion !== undefined) list.push(['Superseded by', String(supersededByVersion)])
  if (validFrom !== undefined) list.push(['In force from, UTC', momentHtml(validFrom)])
  if (validTo !== undefined) list.push(['Until', momentHtml(validTo)])
  if (publishedAt !== undefined) list.push(['Published, UTC', momentHtml(publishedAt)])
  if (ageSeconds !== undefined) list.push(['Age', durationText(ageSeconds)])
  list.push(['Stale after', staleAfterSeconds === undefined ? 'Never' : durationText(staleAfterSeconds)])
  return facts(list)
}

function dateForm({ path, query }: Visit): Html {
  return html`<form class="end daypick" action="${path}"><label class="vh" for="date">Day, UTC</label><input class="input" id="date" type="date" name="date" value="${(query.get('date') ?? '').slice(0, 10)}"><button class="btn">Show</button></form>`
}

function sheetTable({ rates, baseCurrencyCode }: Sheet): Html {
  if (rates.length === 0)
    return empty('pulse', 'No sheet in force', { says: 'Import one, or set a rate by hand.' })
  return html`${table(
    'Rates',
    [
      { name: 'Currency' },
      { name: 'Quoted' },
      { name: 'Buy', style: 'n' },
      { name: 'Mid', style: 'n' },
      { name: 'Sell', style: 'n' },
    ],
    rates.map(({ currencyCode, quotation, unit, buy, mid, sell }) => {
      const [per, priced] =
        quotation === 'DIRECT' ? [currencyCode, baseCurrencyCode] : [baseCurrencyCode, currencyCode]
      return [
        currencyCode,
        html`<span class="quiet">${unit} ${per} in ${priced}</span>`,
        ...[buy, mid, sell].map((price) => html`<span class="amt">${price}</span>`),
      ]
    }),
  )}<p class="pager">${plural(rates.length, 'rate')}</p>`
}

// Changing it

const QUOTATIONS = [
  { value: '', words: 'As before' },
  { value: 'DIRECT', words: 'Units of it in the base' },
  { value: 'INDIRECT', words: 'Units of the base in it' },
]

function setFold(visit: Visit, { code }: Sheet): Html {
  const typed = typedInto(visit, 'set')
  const field = (name: string, label: string, hint = ''): Html =>
    textField({ name, label, hint, value: typed.value(name), maxLength: 80 })
  const fields = html`${textField({ name: 'currencyCode', label: 'Currency', value: typed.value('currencyCode'), isRequired: true, maxLength: 16, hint: 'For example USD' })}${field('buy', 'Buy', 'At which you buy it')}${field('mid', 'Mid', 'Alone, it is all three')}${field('sell', 'Sell', 'At which you sell it')}${field('unit', 'Units', 'That the numbers are for; empty: as before, else 1')}${selectField({ name: 'quotation', label: 'Quoted', value: typed.value('quotation'), choices: QUOTATIONS })}${field('validFrom', 'In force from', 'A day, or a moment in UTC; empty: now')}`
  const form = actForm(visit, { path: rateListHref(code), verb: 'set', fields, button: 'Store a new sheet' })
  return folded('Set a rate', form, typed.isRefused)
}

const FORMATS = [
  { value: 'CSV', words: 'CSV' },
  { value: 'JSON', words: 'JSON' },
  { value: 'ECB', words: 'ECB (eurofxref XML)' },
]

function importFold(visit: Visit, { code }: Sheet): Html {
  const typed = typedInto(visit, 'import')
  const fields = html`${selectField({ name: 'format', label: 'Format', value: typed.value('format'), choices: FORMATS })}${textField({ name: 'validFrom', label: 'In force from', value: typed.value('validFrom'), maxLength: 30, hint: 'A day, or a moment in UTC, unless the sheet says so' })}${areaField({ name: 'sheet', label: 'Sheet', value: typed.value('sheet'), isRequired: true, rows: 8, placeholder: 'currencyCode,unit,buy,sell,mid', hint: 'Paste it: 12,000 characters at most. Larger files by the command line.' })}`
  const form = actForm(visit, { path: rateListHref(code), verb: 'import', fields, button: 'Store the sheet' })
  return folded('Paste a sheet', form, typed.isRefused, 'sheet')
}

// A conversion: by the address, because nothing is changed

const SIDES = [
  { value: 'MID', words: 'Mid: a value without a spread' },
  { value: 'BUY', words: 'Buy: you buy the money' },
  { value: 'SELL', words: 'Sell: you sell the money' },
]

async function conversionPart(visit: Visit, sheet: Sheet): Promise<Html> {
  const { query, path } = visit
  const value = (name: string, otherwise = ''): string => query.get(name) ?? otherwise
  const date = dateOf(query)
  const [first] = sheet.rates
  return html`<form class="convert" action="${path}">${date !== undefined && html`<input type="hidden" name="date" value="${date}">`}${textField({ name: 'amount', label: 'Amount', value: value('amount', '100'), maxLength: 80, isRequired: true })}${textField({ name: 'from', label: 'Of', value: value('from', sheet.baseCurrencyCode), maxLength: 16, isRequired: true })}${textField({ name: 'to', label: 'In', value: value('to', first?.currencyCode), maxLength: 16, isRequired: true })}${selectField({ name: 'side', label: 'Side', value: value('side', 'MID'), choices: SIDES })}<button class="btn">${icon('resend')}Convert</button></form>${query.has('amount') && (await converted(visit, sheet))}`
}

async function converted({ api, query }: Visit, { code }: Sheet): Promise<Html> {
  try {
    const conversion = await api.get(`${routeOf(code)}/conversion`, ConversionSchema, {
      amount: query.get('amount')?.trim(),
      currencyCode: query.get('from')?.trim().toUpperCase(),
      targetCurrencyCode: query.get('to')?.trim().toUpperCase(),
      side: query.get('side') ?? undefined,
      date: dateOf(query),
    })
    return worth(conversion)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 406, 410].includes(error.status)) throw error
    return html`<div class="section-s">${note('bad', error.message)}</div>`
  }
}

function worth({
  money,
  converted: result,
  rate,
  side,
  version,
  isStale,
  rates,
  ageSeconds,
}: Conversion): Html {
  const rows = rates.map(
    ({ currencyCode, buy, mid, sell, unit }) =>
      html`<li>${currencyCode}, ${plural(unit, 'unit')}: buy ${buy}, mid ${mid}, sell ${sell}</li>`,
  )
  return html`<div class="panel section-s worth"><div class="sums"><details><summary><span>${moneyText(money)} is</span><span class="amt">${moneyText(result)}</span></summary><div class="why"><p>${moneyText(money)} times ${rate}, side ${side.toLowerCase()}, version ${version}.</p><ul>${rows}</ul></div></details></div></div>${isStale && html`<div class="section-s">${note('warn', `The sheet is stale: it was published ${durationText(ageSeconds)} before.`)}</div>`}`
}
