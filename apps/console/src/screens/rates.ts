import { OperatorRateListListSchema, OperatorRateListSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { durationText, momentHtml, plural } from '../format.ts'
import { actForm, folded, given, looseNote, textField, tickField, typedInto } from '../forms.ts'
import { numberOf } from '../operator-api.ts'
import { chip, empty, table } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { rateListHref, rateState } from './rate-parts.ts'

type RateList = ReadItem<typeof OperatorRateListListSchema>

const PATH = '/rates'

/** Rate lists with the age of their sheets. */
export const ratesScreen: Screen = {
  path: PATH,
  permission: 'rates.read',
  async show(visit) {
    const { data } = await visit.api.get('/operator/rate-lists', OperatorRateListListSchema)
    const stale = data.filter(({ isStale, isEnabled }) => isStale === true && isEnabled).length
    return {
      title: 'Rates',
      nav: 'Rates',
      content: html`<div class="head"><h1>Rates</h1><p>${plural(data.length, 'list')}</p>${stale > 0 && chip('warn', 'clock', `${stale} stale`)}</div>
${looseNote(visit)}
${visit.may('rates.change') && html`<div class="fold-row">${newList(visit)}</div>`}
${
  data.length === 0
    ? empty('pulse', 'No rate lists', { says: 'Money is then settled and priced in its own currency alone.' })
    : table(
        'Rate lists',
        [
          { name: 'List' },
          { name: 'State' },
          { name: 'Base' },
          { name: 'Published, UTC', style: 'n hide-sm' },
          { name: 'Age', style: 'n' },
          { name: 'Stale after', style: 'n hide-sm' },
        ],
        data.map(row),
      )
}`,
    }
  },
  acts: {
    create: {
      permission: 'rates.change',
      async perform({ api }, form) {
        const { code } = await api.post('/operator/rate-lists', OperatorRateListSchema, {
          body: {
            code: (given(form, 'code') ?? '').toUpperCase(),
            name: given(form, 'name') ?? '',
            baseCurrencyCode: (given(form, 'baseCurrencyCode') ?? '').toUpperCase(),
            staleAfterDays: numberOf(given(form, 'staleAfterDays')),
            ...(form.has('isNeverStale') && { isNeverStale: true }),
          },
        })
        return { goTo: `${rateListHref(code)}?done=created` }
      },
    },
  },
}

const row = (list: RateList): readonly HtmlValue[] => {
  const { code, name, baseCurrencyCode, publishedAt, ageSeconds, staleAfterSeconds } = list
  return [
    html`<a href="${rateListHref(code)}">${name}</a><span class="sub code">${code}</span>`,
    rateState(list),
    baseCurrencyCode,
    html`<span class="quiet">${publishedAt === undefined ? '–' : momentHtml(publishedAt)}</span>`,
    ageSeconds === undefined ? '–' : durationText(ageSeconds),
    html`<span class="quiet">${staleAfterSeconds === undefined ? 'Never' : durationText(staleAfterSeconds)}</span>`,
  ]
}

function newList(visit: Visit): Html {
  const typed = typedInto(visit, 'create')
  const fields = html`${textField({ name: 'code', label: 'Code', value: typed.value('code'), isRequired: true, maxLength: 32, isCode: true, hint: 'Letters, digits and _' })}${textField({ name: 'name', label: 'Name', value: typed.value('name'), isRequired: true, maxLength: 140 })}${textField({ name: 'baseCurrencyCode', label: 'Base currency', value: typed.value('baseCurrencyCode'), isRequired: true, maxLength: 16, hint: 'In which the others are quoted. It stays.' })}${textField({ name: 'staleAfterDays', label: 'Stale after days', value: typed.value('staleAfterDays'), type: 'number', hint: 'Empty: 4, a weekend and a day' })}${tickField({ name: 'isNeverStale', label: 'Never stale', isTicked: typed.isTicked('isNeverStale') })}`
  return folded(
    'New list',
    actForm(visit, { path: PATH, verb: 'create', fields, button: 'Create the list' }),
    typed.isRefused,
  )
}
