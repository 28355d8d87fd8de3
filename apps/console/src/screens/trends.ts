import { type Read, type ReadItem, VolumesSchema } from '@tollgate/contract'
import { type Amount, compareAmounts, parsePlainAmount, sumAmounts, ZERO } from '@tollgate/money'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { barChart, lineChart, type Series, shareOf } from '../charts.ts'
import { dayText, momentText, moneyText, wordsOf } from '../format.ts'
import { withQuery } from '../parts.ts'
import type { Visit } from '../visit.ts'

type Volume = ReadItem<typeof VolumesSchema>

const DAY_MS = 86_400_000
const DAYS = 14
/** Methods with a colour of their own; the others are taken together. */
const METHODS_MAX = 3

/** What was paid in the last days and how much of what was tried succeeded, of one currency; undefined for those who may not see it. */
export async function trends({ api, may, nowMs, query }: Visit): Promise<Html | undefined> {
  if (!may('payouts.read')) return undefined
  const tomorrowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
  const asked = {
    step: 'DAY',
    kind: 'PAYIN',
    from: momentOf(tomorrowMs - 2 * DAYS * DAY_MS),
    to: momentOf(tomorrowMs),
  }
  // One currency is shown: the methods of all of them would be most of what the home page waits for.
  const currencies = currenciesIn((await api.get('/operator/volumes', VolumesSchema, asked)).data)
  const currencyCode = currencies.find((code) => code === query.get('currency')) ?? currencies[0]
  if (currencyCode === undefined) return undefined
  const volumes = await api.get('/operator/volumes', VolumesSchema, {
    ...asked,
    by: 'METHOD',
    currencyCode,
  })
  const days = Array.from({ length: DAYS }, (_, day) =>
    new Date(tomorrowMs - (DAYS - day) * DAY_MS).toISOString(),
  )
  const of = volumes.data.filter((volume) => volume.currencyCode === currencyCode)
  const view = { days, currencyCode, countedUntil: volumes.countedUntil }
  const [before, now] = [
    of.filter(({ from }) => from < (days[0] ?? '')),
    of.filter(({ from }) => from >= (days[0] ?? '')),
  ]
  return html`${currencies.length > 1 && currencyLinks(currencies, currencyCode)}<div class="two section">
${volumeSection(view, now, before)}
${rateSection(view, now, before)}
</div>`
}

const momentOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** The currency in which most payments were made comes first. */
function currenciesIn(data: Read<typeof VolumesSchema>['data']): readonly string[] {
  const counts = new Map<string, number>()
  for (const { currencyCode, created } of data)
    counts.set(currencyCode, (counts.get(currencyCode) ?? 0) + created.payments)
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([code]) => code)
}

const currencyLinks = (currencies: readonly string[], current: string): Html =>
  html`<nav class="views section" aria-label="Currency of the charts">${currencies.map((code) => html`<a href="${withQuery('/', new URLSearchParams(), { currency: code })}"${attributes({ 'aria-current': code === current ? 'page' : undefined })}>${code}</a>`)}</nav>`

interface View {
  readonly days: readonly string[]
  readonly currencyCode: string
  readonly countedUntil: string
}

const succeededIn = (volumes: readonly Volume[]): Amount =>
  sumAmounts(volumes.map(({ succeeded }) => parsePlainAmount(succeeded.amount)))

function volumeSection(view: View, now: readonly Volume[], before: readonly Volume[]): Html {
  const { days, currencyCode, countedUntil } = view
  const total = succeededIn(now)
  const series = methodsIn(now).map(({ name, volumes }): Series<Amount> => {
    const values = days.map((day) => succeededIn(volumes.filter(({ from }) => from === day)))
    return { name, values, total: percentText(shareOf(sumAmounts(values), total)) }
  })
  const sums = days.map((day) => succeededIn(now.filter(({ from }) => from === day)))
  return html`<section aria-labelledby="h-vol"><div class="bar"><h2 id="h-vol">Volume, last ${DAYS} days</h2><a href="/payments?status=SUCCESS">Payments</a></div>
<p class="figure"><b>${moneyText({ amount: total, currencyCode })}</b>${changeOf(total, succeededIn(before))}</p><p class="under">Payins that succeeded, by day of UTC. Counted until ${momentText(countedUntil)}.</p>
${barChart({
  steps: days.map(dayText),
  series,
  caption: `Volume by day, ${currencyCode}`,
  says: extremesOf(days, sums, currencyCode),
  written: (amount) => moneyText({ amount, currencyCode }),
})}</section>`
}

/** Against the days before, where there was something. */
function changeOf(now: Amount, before: Amount): Html | undefined {
  const share = shareOf(now, before)
  if (share === 0) return undefined
  const percent = (share - 1) * 100
  return html`<span>${signed(percent.toFixed(1))}% against the ${DAYS} days before</span>`
}

const signed = (text: string): string => (text.startsWith('-') ? text.replace('-', '−') : `+${text}`)

function extremesOf(days: readonly string[], sums: readonly Amount[], currencyCode: string): string {
  const order = days
    .map((day, index) => ({ day, sum: sums[index] ?? ZERO }))
    .toSorted((one, other) => compareAmounts(one.sum, other.sum))
  const [least, most] = [order[0], order.at(-1)]
  const says = (at: { readonly day: string; readonly sum: Amount } | undefined): string =>
    at === undefined ? '' : `${moneyText({ amount: at.sum, currencyCode })} on ${dayText(at.day)}`
  return `Volume by day. Lowest ${says(least)}, highest ${says(most)}.`
}

function rateSection({ days }: View, now: readonly Volume[], before: readonly Volume[]): Html {
  const rate = rateOf(now)
  const earlier = rateOf(before)
  const series = methodsIn(now).map(({ name, volumes }): Series<number | undefined> => {
    const values = days.map((day) => rateOf(volumes.filter(({ from }) => from === day)))
    return { name, values, total: rateText(rateOf(volumes)) }
  })
  const points = rate !== undefined && earlier !== undefined ? (rate - earlier) * 100 : undefined
  return html`<section aria-labelledby="h-rate"><div class="bar"><h2 id="h-rate">Success rate, last ${DAYS} days</h2><a href="/payments?status=FAILED">Failures</a></div>
<p class="figure"><b>${rateText(rate)}</b>${points !== undefined && html`<span>${signed(points.toFixed(1))} points against the ${DAYS} days before</span>`}</p><p class="under">Of the payins that ended; expired and cancelled ones are among them.</p>
${lineChart({
  steps: days.map(dayText),
  series,
  caption: 'Success rate by day',
  written: rateText,
  says: `Success rate by day. ${series.map(({ name, total }) => `${name}: ${total}`).join(', ')}.`,
})}</section>`
}

/** Of what ended, how much succeeded; a late success ends its payment a second time. Undefined where nothing ended. */
function rateOf(volumes: readonly Volume[]): number | undefined {
  const count = (of: keyof Pick<Volume, 'succeeded' | 'late' | 'failed' | 'cancelled' | 'expired'>): number =>
    volumes.reduce((sum, volume) => sum + volume[of].payments, 0)
  const succeeded = count('succeeded')
  const ended = succeeded + count('failed') + count('cancelled') + count('expired') - count('late')
  // What comes late may be of payments that ended on earlier days.
  return ended <= 0 ? undefined : Math.min(1, succeeded / ended)
}

const percentText = (share: number): string => `${Math.round(share * 100)}%`
const rateText = (rate: number | undefined): string =>
  rate === undefined ? '–' : `${(Math.floor(rate * 1000) / 10).toFixed(1)}%`

interface Method {
  readonly name: string
  readonly volumes: readonly Volume[]
}

/** The methods with the most volume, and all others as one. */
function methodsIn(volumes: readonly Volume[]): readonly Method[] {
  const methods = [...Map.groupBy(volumes, ({ paymentMethodCode }) => paymentMethodCode ?? '')]
    .map(([code, of]) => ({ name: wordsOf(code), volumes: of, sum: succeededIn(of) }))
    .toSorted((one, other) => compareAmounts(other.sum, one.sum))
  const rest = methods.slice(METHODS_MAX)
  if (rest.length <= 1) return methods
  const others = { name: 'Others', volumes: rest.flatMap(({ volumes: of }) => of) }
  return [...methods.slice(0, METHODS_MAX), others]
}
