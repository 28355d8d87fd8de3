import type { BalanceTotalsSchema, ReadItem } from '@tollgate/contract'
import {
  type Amount,
  addAmounts,
  fractionDigits,
  isPositive,
  isZero,
  parsePlainAmount,
  toMinorUnits,
} from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'
import { amountText, plural } from '../format.ts'

type Total = ReadItem<typeof BalanceTotalsSchema>

const PARTS = [
  ['available', 'Available', 'c1'],
  ['notSettled', 'Not settled', 'c2'],
  ['reserved', 'Reserved', 'c3'],
] as const

/** What all merchants together have, a tile for each currency. */
export const balanceTiles = (totals: readonly Total[]): Html =>
  html`<div class="tiles">${totals.map(tile)}</div>`

function tile(total: Total): Html {
  const { currencyCode, merchants, receivable, suspense } = total
  const shown = (amount: string): string => amountText({ amount, currencyCode })
  const parts = PARTS.map(([member, name, colour]) => ({
    name,
    colour,
    amount: parsePlainAmount(total[member]),
  }))
  const sum = parts.map(({ amount }) => amount).reduce(addAmounts)
  const more = [
    ['Receivable', receivable],
    ['Suspense', suspense],
  ] as const
  return html`<div class="tile"><h3>${currencyCode} <small>${plural(merchants, 'merchant')}</small></h3><p class="big">${shown(sum)}</p>${shareBar(parts, sum)}<dl class="pairs">${parts.map(({ name, colour, amount }) => html`<dt><svg class="key" viewBox="0 0 8 8" aria-hidden="true"><rect class="${colour}" width="8" height="8"/></svg>${name}</dt><dd>${shown(amount)}</dd>`)}${more.map(([name, amount]) => !isZero(parsePlainAmount(amount)) && html`<dt>${name}</dt><dd>${shown(amount)}</dd>`)}</dl></div>`
}

interface Part {
  readonly colour: string
  readonly amount: Amount
}

const WIDTH = 1000
const GAP = 4

/** The parts side by side, in thousandths of the sum; what is negative has no width. */
function shareBar(parts: readonly Part[], sum: Amount): Html {
  if (!isPositive(sum))
    return html`<svg class="share" viewBox="0 0 ${WIDTH} 10" aria-hidden="true"><rect class="track" width="${WIDTH}" height="10"/></svg>`
  let x = 0
  const bars = parts.map(({ colour, amount }) => {
    const width = isPositive(amount) ? thousandths(amount, sum) : 0
    const bar = html`<rect class="${colour}" x="${x}" y="0" width="${Math.max(0, width - GAP)}" height="10"/>`
    x += width
    return bar
  })
  return html`<svg class="share" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`
}

function thousandths(part: Amount, sum: Amount): number {
  const digits = Math.max(fractionDigits(part), fractionDigits(sum))
  return Number((toMinorUnits(part, digits) * BigInt(WIDTH)) / toMinorUnits(sum, digits))
}
