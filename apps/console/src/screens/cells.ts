import { ATTENTION_KINDS } from '@tollgate/contract/words'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import type { CellHealth } from '../cell-words.ts'
import type { Cell, Cells } from '../cells.ts'
import { filterBar } from '../filters.ts'
import { type IconName, icon } from '../icons.ts'
import { chip, empty, note, type Tone, table, views, withQuery } from '../parts.ts'
import { STATUS_LOOKS } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { attentionRow } from './attention.ts'
import { PAYMENT_FILTERS, paymentQuery, spanText } from './payment-filters.ts'

// All cells. The page has the frame and the pieces; its script asks the console of each cell and fills them with texts.

const WAITING = '/cells'
const PAYMENTS = '/cells/payments'

/** What waits for people in each cell, and how each is. */
export const cellsScreen: Screen = {
  path: WAITING,
  permission: 'self.read',
  show(visit) {
    const parts = cellsOf(visit).all.map((cell) => cellPart(cell))
    return page(visit, {
      path: WAITING,
      content: html`<div data-cells="waiting">${parts}</div>${waitingPieces}`,
    })
  },
}

const cellPart = ({ letter, origin }: Cell): Html =>
  html`<section class="section-s" data-cell="${letter}" data-origin="${origin}" aria-labelledby="h-${letter}"><div class="bar"><h2 id="h-${letter}">Cell ${letter}</h2><span data-health></span><a href="${origin}/">Open its console</a></div><div data-body></div></section>
`

const HEALTH_CHIPS: Readonly<Record<Exclude<CellHealth, 'HIDDEN'>, readonly [Tone, IconName, string]>> = {
  WELL: ['good', 'check', 'Healthy'],
  LOOK: ['warn', 'alert', 'Needs a look'],
  STOPPED: ['bad', 'alert', 'No money leaves'],
  MISPLACED: ['bad', 'alert', 'Another cell’s gateway'],
}

/** What the script clones. An element of a template does nothing until then. */
const piece = (name: string, content: HtmlValue): Html =>
  html`<template data-piece="${name}">${content}</template>
`

const slot = (name: string): Html => html`<span data-of="${name}"></span>`

/** Rows of the list of what waits, whose places are named for the script. */
const waitingPiece = (kind: string): Html =>
  piece(`waiting-${kind}`, attentionRow({ kind, count: slot('count'), says: slot('says'), age: slot('age') }))

const waitingPieces = html`${ATTENTION_KINDS.map(waitingPiece)}${Object.entries(HEALTH_CHIPS).map(([health, look]) => piece(`health-${health}`, chip(...look)))}${piece('nothing', html`<p class="quiet">Nothing waits. You see only what your roles allow.</p>`)}`

/** Payments of all cells, the newest first. */
export const cellPaymentsScreen: Screen = {
  path: PAYMENTS,
  permission: 'payouts.read',
  show(visit) {
    const query = new URLSearchParams(visit.query)
    // How long the list has grown.
    query.delete('rows')
    const asked = paymentQuery(query, visit.nowMs)
    const { all } = cellsOf(visit)
    const cells = all.map(
      ({ letter, origin }) => html`<span data-cell="${letter}" data-origin="${origin}"></span>`,
    )
    return page(visit, {
      path: PAYMENTS,
      says: spanText(query, asked),
      content: html`${filterBar(PAYMENTS, query, PAYMENT_FILTERS)}
<div data-cells="payments" hidden>${cells}</div><div class="stack-s" data-cells-problems></div><div data-cells-list></div>
<div class="pager"><span data-cells-count></span><span class="acts"><button class="btn" type="button" data-cells-older hidden>Older payments</button></span></div>
${paymentPieces}`,
    })
  },
}

const COLUMNS = [
  { name: 'Amount', style: 'n' },
  { name: 'Status' },
  { name: 'Payment' },
  { name: 'Cell', style: 'hide-sm' },
  { name: 'Kind', style: 'hide-sm' },
  { name: 'Merchant', style: 'hide-sm' },
  { name: 'Method', style: 'hide-md' },
  { name: 'Reference', style: 'hide-md' },
  { name: 'Created, UTC', style: 'n hide-sm' },
]

const paymentRow: readonly HtmlValue[] = [
  html`<span class="amt">${slot('amount')} <span class="cur" data-of="currencyCode"></span></span>`,
  slot('chip'),
  html`<a href=""><span class="code" data-of="idPayment"></span></a><span class="sub only-sm" data-of="sub"></span>`,
  slot('cell'),
  slot('kindWords'),
  slot('merchantCode'),
  slot('method'),
  html`<span class="code quiet" data-of="reference"></span>`,
  html`<time class="quiet" data-of="moment"></time>`,
]

const paymentPieces = html`${piece('table', table('Payments of all cells, the newest first', COLUMNS, [paymentRow], 2))}${STATUS_LOOKS.map(([tone, name]) => piece(`chip-${tone}-${name}`, chip(tone, name, '')))}${piece('chip', chip('mute', 'help', ''))}${piece('nothing', empty('search', 'No payments', { says: 'None fits these filters, in the cells that answered.', acts: html`<a class="btn" href="${PAYMENTS}">Clear the filters</a>` }))}${piece('nowhere', empty('search', 'No cell knows this merchant', { acts: html`<a class="btn" href="${PAYMENTS}">Clear the filters</a>` }))}${piece('note', note('info', slot('says')))}`

/** The screens are there only where there are cells. */
function cellsOf({ cells }: Visit): Cells {
  if (cells === undefined) throw new Error('a screen of all cells where there are none')
  return cells
}

interface Part {
  readonly path: typeof WAITING | typeof PAYMENTS
  readonly says?: string | undefined
  readonly content: Html
}

async function page(visit: Visit, { path, says, content }: Part): ReturnType<Screen['show']> {
  const { all } = cellsOf(visit)
  const shown = [
    { name: 'Waiting', href: WAITING, isCurrent: path === WAITING },
    { name: 'Payments', href: PAYMENTS, isCurrent: path === PAYMENTS },
  ]
  const own = path === WAITING ? '/' : withQuery('/payments', visit.query, { rows: undefined })
  const links = all.map(
    ({ letter, origin }) => html`<a class="btn" href="${origin}${own}">Cell ${letter}</a>`,
  )
  return {
    title: 'All cells',
    nav: 'All cells',
    asksCells: true,
    content: html`<div class="head"><h1>All cells</h1>${says !== undefined && html`<p>${says}</p>`}</div>
${views(shown.filter(({ href }) => href === WAITING || visit.may('payouts.read')))}
<noscript>${note('info', 'Without JavaScript this screen cannot ask the other cells. Open the list of each cell instead.')}<p class="acts section-s">${links}</p></noscript>
<p class="vh" role="status" data-cells-says></p>
${content}
${piece('problem', note('warn', html`${slot('says')}<span class="acts way-out"><a class="btn" href="" hidden></a><button class="btn" type="button">${icon('resend')}Try again</button></span>`))}`,
  }
}
