import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { dayText, momentText, moneyHtml, timeText, wordsOf } from '../format.ts'
import { type IconName, icon } from '../icons.ts'
import { chip, type Tone, withQuery } from '../parts.ts'
import type { PaymentEvents } from '../payment-history.ts'
import { statusLook } from '../status.ts'

// Everything that happened to a payment, the newest first.

type Event = PaymentEvents[number]

interface Group {
  readonly name: string
  readonly show: string
  readonly words: readonly string[]
}

const GROUPS: readonly Group[] = [
  { name: 'Status', show: 'status', words: ['STATUS'] },
  { name: 'Institutions', show: 'institutions', words: ['ANSWER', 'FILE', 'REPORT', 'STATEMENT'] },
  { name: 'Callbacks', show: 'callbacks', words: ['CALLBACK'] },
  { name: 'Ledger', show: 'ledger', words: ['BOOKING', 'REFUND'] },
  { name: 'People', show: 'people', words: ['DECISION', 'HOLD', 'APPROVAL'] },
]

/** The script follows it from this version on: what is marked as a part is replaced, and a changed status is told politely. */
export function timeline(
  path: string,
  query: URLSearchParams,
  history: readonly Event[],
  version: string,
): Html {
  const attempts = history.filter(({ what }) => what === 'ATTEMPT')
  // They stand with the callback that they are of.
  const events = history.filter(({ what }) => what !== 'ATTEMPT').reverse()
  const group = GROUPS.find(({ show }) => show === query.get('show'))
  const shown = group === undefined ? events : events.filter(({ what }) => group.words.includes(what))
  return html`<section aria-labelledby="h-tl"><div class="bar"><h2 id="h-tl">Timeline</h2><p>Newest first, UTC</p><p class="end" hidden data-live="${path}/live" data-version="${version}"></p></div>
<p class="vh" aria-live="polite" data-live-says></p>
${tabs(path, query, events)}
<div data-live-part="line"><ol class="line">
${shown.map((event) => item(event, attempts))}</ol>${shown.length === 0 && html`<p class="quiet">Nothing of this kind happened.</p>`}</div></section>`
}

function tabs(path: string, query: URLSearchParams, events: readonly Event[]): Html {
  const current = GROUPS.some(({ show }) => show === query.get('show')) ? query.get('show') : null
  const tab = (name: string, show: string | undefined, count: number): Html =>
    html`<a class="btn${show !== (current ?? undefined) && ' btn-bare'}" href="${withQuery(path, query, { show, done: undefined })}"${attributes({ 'aria-current': show === (current ?? undefined) ? 'true' : undefined })}>${name} ${count}</a>`
  const groups = GROUPS.map((group) => ({
    ...group,
    count: events.filter(({ what }) => group.words.includes(what)).length,
  }))
  return html`<nav class="filters" aria-label="Show in the timeline" data-live-part="tabs">${tab('All', undefined, events.length)}${groups.map(({ name, show, count }) => count > 0 && tab(name, show, count))}</nav>`
}

function item(event: Event, attempts: readonly Event[]): Html {
  const { tone, name, title, more } = lookOf(event)
  const by =
    event.by === undefined
      ? undefined
      : html` <span class="quiet">by <span class="code">${event.by}</span></span>`
  const at = momentText(event.happenedAt)
  return html`<li class="ev"><time datetime="${event.happenedAt}" title="${at} UTC">${timeText(event.happenedAt)}<span class="sub">${dayText(event.happenedAt)}</span></time><span class="node${tone !== undefined && ` node-${tone}`}">${icon(name)}</span><div><p><b>${title}</b>${by}</p>${more}${event.what === 'CALLBACK' && attemptTable(event, attempts)}</div></li>
`
}

interface Look {
  readonly tone?: Tone | undefined
  readonly name: IconName
  readonly title: HtmlValue
  readonly more?: HtmlValue
}

const ICONS: Readonly<Record<string, IconName>> = {
  ANSWER: 'bank',
  DECISION: 'user',
  HOLD: 'pause',
  APPROVAL: 'user',
  FILE: 'sheet',
  REPORT: 'sheet',
  STATEMENT: 'audit',
  REFUND: 'undo',
  CALLBACK: 'callback',
}
const NAMES: Readonly<Record<string, string>> = {
  ANSWER: 'Institution answered',
  DECISION: 'Decided',
  HOLD: 'Hold',
  APPROVAL: 'Approval',
  FILE: 'Payout file',
  REPORT: 'Status report',
  STATEMENT: 'Bank line',
  REFUND: 'Refund',
  CALLBACK: 'Callback',
}

function lookOf(event: Event): Look {
  const { what, says, facts = {} } = event
  if (what === 'STATUS') return statusOf(says, facts)
  if (what === 'BOOKING')
    return { name: 'coins', title: `Ledger: ${wordsOf(says)}`, more: postings(facts['postings'] ?? '') }
  const { eventId: _id, contentHash: _hash, ...rest } = facts
  const words = /^[A-Z_]+$/.test(says) ? wordsOf(says) : says
  return {
    name: ICONS[what] ?? 'info',
    title: `${NAMES[what] ?? wordsOf(what)}: ${words}`,
    more: factLine(rest),
    tone: CALLBACK_TONES[says],
  }
}

const CALLBACK_TONES: Readonly<Record<string, Tone>> = { DELIVERED: 'good', EXHAUSTED: 'bad' }

function statusOf(says: string, facts: Readonly<Record<string, string>>): Look {
  const [, status = says, phase = ''] = /^(\w+) \((\w+)\)$/.exec(says) ?? []
  const [tone, name, words] = statusLook(status, phase)
  // Only what ends something has a colour.
  const isEnd = status !== 'CREATED'
  return {
    tone: isEnd ? tone : undefined,
    name,
    title: html`${words} <span class="quiet">${wordsOf(phase)}</span>`,
    more: factLine(facts),
  }
}

const FACT_NAMES: Readonly<Record<string, string>> = {
  tookMs: 'took, ms',
  httpStatus: 'status',
  reasonCode: 'reason code',
  lastAnsweredAt: 'last answered',
  lineId: 'line',
  accountCode: 'account',
  bookedOn: 'booked on',
  fileId: 'file',
  reportId: 'report',
  executionOn: 'to be carried out on',
  statusCode: 'status',
}

function factLine(facts: Readonly<Record<string, string>>): Html | undefined {
  const list = Object.entries(facts).filter(([, value]) => value !== '')
  if (list.length === 0) return undefined
  const words = list.map(([name, value]) => `${FACT_NAMES[name] ?? wordsOf(name).toLowerCase()}: ${value}`)
  return html`<p class="quiet">${words.join(' · ')}</p>`
}

const POSTING = /^(\S+) (-?[\d.]+) (\S+)$/

/** "CLEARING -149.9 EUR; FEES 0.25 EUR": what left accounts, and what came to them. */
function postings(text: string): Html {
  const rows = text.split('; ').map((posting) => {
    const [, account = posting, amount = '', currencyCode = ''] = POSTING.exec(posting) ?? []
    const isDebit = amount.startsWith('-')
    const money = amount === '' ? undefined : moneyHtml({ amount: amount.replace('-', ''), currencyCode })
    return html`<tr><td>${wordsOf(account)}</td><td class="n">${isDebit && money}</td><td class="n">${!isDebit && money}</td></tr>`
  })
  return html`<div class="inset"><table><caption class="vh">Postings</caption><thead><tr><th scope="col">Account</th><th scope="col" class="n">Debit</th><th scope="col" class="n">Credit</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function attemptTable({ facts = {} }: Event, attempts: readonly Event[]): Html | undefined {
  const own = attempts.filter((attempt) => attempt.facts?.['eventId'] === facts['eventId'])
  if (own.length === 0) return undefined
  const rows = own.map(({ happenedAt, says, facts: of = {} }) => {
    const { httpStatus, tookMs, message } = {
      httpStatus: of['httpStatus'],
      tookMs: of['tookMs'],
      message: of['message'],
    }
    const result = httpStatus ?? wordsOf(says)
    const state =
      says === 'OK'
        ? chip('good', 'check', result)
        : chip(says === 'UNDER_WAY' ? 'info' : 'bad', says === 'UNDER_WAY' ? 'clock' : 'x', result)
    return html`<tr><td>${of['attempt']}</td><td class="quiet">${momentText(happenedAt)}</td><td>${state}</td><td class="n">${tookMs !== undefined && `${tookMs} ms`}</td><td class="quiet hide-sm">${message}</td></tr>`
  })
  return html`<div class="inset"><table><caption class="vh">Attempts</caption><thead class="vh"><tr><th scope="col">Attempt</th><th scope="col">Started, UTC</th><th scope="col">Result</th><th scope="col">Took</th><th scope="col" class="hide-sm">Message</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
