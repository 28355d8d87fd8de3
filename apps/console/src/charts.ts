import {
  type Amount,
  compareAmounts,
  fractionDigits,
  fromMinorUnits,
  isZero,
  toMinorUnits,
  ZERO,
} from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'
import { amountText } from './format.ts'

// Charts as drawings of the server: shapes stretch, words are HTML beside them, and the figures stand in a table below.

/** One method in colours of its own: `c1` to `c4`. */
export interface Series<Value> {
  readonly name: string
  /** One for each step of the axis. */
  readonly values: readonly Value[]
  /** Behind the name in the legend. */
  readonly total: string
}

interface ChartOf<Value> {
  /** The steps, as the axis and the table call them. */
  readonly steps: readonly string[]
  readonly series: readonly Series<Value>[]
  /** What happened, in a sentence, for those who do not see it. */
  readonly says: string
  readonly caption: string
  /** A value in the table. */
  readonly written: (value: Value) => string
}

type Shape = Html | false | undefined

const WIDTH = 100
const HEIGHT = 100
const LINES = 3
const BAR = { left: 18, width: 64, gap: 0.8 } as const
/** Every second day is named, so that names do not touch. */
const NAMED_EVERY = 2

/** Amounts of one currency on top of each other. */
export function barChart(chart: ChartOf<Amount>): Html {
  const sums = chart.steps.map((_, step) => sumAt(chart.series, step))
  const top = topOf(sums.reduce((most, sum) => (compareAmounts(sum, most) > 0 ? sum : most), ZERO))
  const bars = chart.steps.flatMap((step, index): readonly Shape[] => {
    let below = 0
    return chart.series.map(({ name, values }, at) => {
      const value = values[index] ?? ZERO
      if (isZero(value)) return undefined
      const height = shareOf(value, top) * HEIGHT
      below += height
      return html`<rect class="c${at + 1}" x="${index * WIDTH + BAR.left}" y="${(HEIGHT - below).toFixed(2)}" width="${BAR.width}" height="${Math.max(0.4, height - BAR.gap).toFixed(2)}"><title>${name}, ${step}: ${chart.written(value)}</title></rect>`
    })
  })
  const labels = Array.from({ length: LINES + 1 }, (_, line) => shortAmount(partOf(top, LINES - line)))
  return chartOf(chart, labels, bars)
}

/** Shares of one, as lines; a step without a value interrupts them. */
export function lineChart(chart: ChartOf<number | undefined>): Html {
  const known = chart.series.flatMap(({ values }) => values.filter((value) => value !== undefined))
  const floor = floorOf(Math.min(1, ...known))
  const lines = chart.series.map(({ values }, at) => {
    const points = values.map((value, index) =>
      value === undefined
        ? undefined
        : `${index * WIDTH + WIDTH / 2} ${(((1 - value) / (1 - floor)) * HEIGHT).toFixed(2)}`,
    )
    // A day between two without a value is a dot.
    const path = points
      .map((point, index) => point && (points[index - 1] === undefined ? `M${point}h.01` : `L${point}`))
      .join('')
    return path !== '' && html`<path class="ln ln${at + 1}" d="${path}"/>`
  })
  const labels = Array.from({ length: LINES + 1 }, (_, line) => {
    const percent = 100 - (line * (1 - floor) * 100) / LINES
    return `${Number(percent.toFixed(1))}%`
  })
  return chartOf(chart, labels, lines)
}

function chartOf<Value>(chart: ChartOf<Value>, labels: readonly string[], shapes: readonly Shape[]): Html {
  const { steps, series, says } = chart
  const grid = labels.map((_, line) => {
    const y = ((line * HEIGHT) / LINES).toFixed(2)
    return html`<line class="gridline" x1="0" x2="${steps.length * WIDTH}" y1="${y}" y2="${y}"/>`
  })
  const names = steps.map((name, index) => html`<span>${index % NAMED_EVERY === 0 && name}</span>`)
  const legend = series.map(
    ({ name, total }, at) =>
      html`<li><svg class="key" viewBox="0 0 8 8" aria-hidden="true"><rect class="c${at + 1}" width="8" height="8"/></svg>${name} <b>${total}</b></li>`,
  )
  return html`<div class="chart"><div class="chart-y" aria-hidden="true">${labels.map((label) => html`<span>${label}</span>`)}</div><svg viewBox="0 0 ${steps.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${says}">${grid}${shapes}</svg><div class="chart-x" aria-hidden="true">${names}</div></div>
<ul class="legend">${legend}</ul>
${tableOf(chart)}`
}

const tableOf = <Value>({ steps, series, caption, written }: ChartOf<Value>): Html =>
  html`<details class="aschart more"><summary>Show as a table</summary><div class="sheet" tabindex="0" role="region" aria-label="${caption}, table"><table class="rows"><caption class="vh">${caption}</caption><thead><tr><th scope="col">Day</th>${series.map(({ name }) => html`<th scope="col" class="n">${name}</th>`)}</tr></thead><tbody>${steps.map((step, index) => html`<tr><th scope="row">${step}</th>${series.map(({ values }) => html`<td class="n">${values.slice(index, index + 1).map((value) => html`${written(value)}`)}</td>`)}</tr>`)}</tbody></table></div></details>`

function sumAt(series: readonly Series<Amount>[], step: number): Amount {
  const amounts = series.map(({ values }) => values[step] ?? ZERO)
  const digits = Math.max(0, ...amounts.map(fractionDigits))
  return fromMinorUnits(
    amounts.reduce((sum, amount) => sum + toMinorUnits(amount, digits), 0n),
    digits,
  )
}

/** How much of the whole a part is, for drawing. */
export function shareOf(part: Amount, whole: Amount): number {
  const digits = Math.max(fractionDigits(part), fractionDigits(whole))
  const units = toMinorUnits(whole, digits)
  return units === 0n ? 0 : Number((toMinorUnits(part, digits) * 1_000_000n) / units) / 1_000_000
}

/** Three lines divide them evenly, in figures that are easily read. */
const TOPS = [15n, 30n, 60n, 90n, 120n, 150n] as const

/** The least figure of an axis that holds the amount. */
export function topOf(most: Amount): Amount {
  if (isZero(most)) return fromMinorUnits(3n, 0)
  const digits = fractionDigits(most)
  const units = toMinorUnits(most, digits)
  const ten = 10n ** BigInt(units.toString().length)
  // In hundredths, so that the figures of one digit are whole.
  const top = TOPS.map((each) => each * ten).find((each) => each >= units * 100n) ?? TOPS[5] * ten
  return fromMinorUnits(top, digits + 2)
}

function partOf(top: Amount, lines: number): Amount {
  const digits = fractionDigits(top) + 1
  return fromMinorUnits((toMinorUnits(top, digits) * BigInt(lines)) / BigInt(LINES), digits)
}

const SHORT = [
  [9, 'bn'],
  [6, 'M'],
  [3, 'k'],
] as const

/** 150000 is 150k. */
export function shortAmount(amount: Amount): string {
  const digits = fractionDigits(amount)
  const units = toMinorUnits(amount, digits)
  const whole = units / 10n ** BigInt(digits)
  const [zeros, letter] = SHORT.find(([count]) => whole >= 10n ** BigInt(count)) ?? [0, '']
  const text = amountText({ amount: fromMinorUnits(units, digits + zeros), currencyCode: '' })
  return `${text}${letter}`
}

/** The least share of an axis that holds all: the space below 100 % in thirds that are easily read. */
function floorOf(least: number): number {
  const gaps = [0.03, 0.06, 0.12, 0.3, 0.6]
  return 1 - (gaps.find((gap) => 1 - least <= gap + 1e-9) ?? 1)
}
