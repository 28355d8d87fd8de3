import {
  type Read,
  StatementLineListSchema,
  StatementLineSchema,
  StatementsMatchedSchema,
} from '@tollgate/contract'
import { STATEMENT_LINE_STATES } from '@tollgate/contract/words'
import { addAmounts, parsePlainAmount } from '@tollgate/money'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { dayText, type Money, moneyText, plural } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf, type Query } from '../operator-api.ts'
import { empty, note, pager, views, withQuery } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { decideLine } from './line-decision.ts'
import {
  actorName,
  bankDay,
  type Line,
  lineMoney,
  lineStateChip,
  lineStateWords,
  partyWords,
} from './line-words.ts'
import { lineSubject, type Report } from './suspense-line.ts'

const PATH = '/suspense'
const LIMIT = '50'

/** The desk of bank lines: what is not certain at the left, one of it at the right with the payments that it may be for. */
export const suspenseScreen: Screen = {
  path: PATH,
  permission: 'statements.read',
  show: (visit) => desk(visit, undefined),
  acts: {
    match: {
      permission: 'statements.take',
      async perform({ api }) {
        const { looked, matched } = await api.post(
          '/operator/statement-lines/!match',
          StatementsMatchedSchema,
        )
        return `matched-${matched}-of-${looked}`
      },
    },
  },
}

/** The same with one of them chosen. */
export const suspenseLineScreen: Screen = {
  path: '/suspense/:lineId',
  permission: 'statements.read',
  show: (visit) => desk(visit, undefined),
  acts: {
    decide: { permission: 'statements.decide', perform: decideLine },
    // Looking is recorded, so it takes a press.
    details: {
      permission: 'statements.unmask',
      perform: async (visit) => desk(visit, await readLine(visit, visit.name('lineId'), '/details')),
    },
  },
}

async function readLine({ api }: Visit, lineId: string, part: '' | '/details'): Promise<Report> {
  return api.get(`${pathOf`/operator/statement-lines/${lineId}`}${part}`, StatementLineSchema)
}

const VIEWS = [
  { name: 'Open', show: undefined, states: undefined },
  { name: 'To be sent back', show: 'returning', states: 'RETURNING' },
  { name: 'Decided', show: 'decided', states: 'APPLIED,SAME_MONEY,RETURNED,NOTED' },
  { name: 'Matched', show: 'matched', states: 'MATCHED' },
] as const

const FILTERS = [
  {
    name: 'State',
    fields: [
      {
        name: 'state',
        label: 'State',
        choices: STATEMENT_LINE_STATES.map((value) => ({ value, words: lineStateWords(value) })),
      },
    ],
  },
  {
    name: 'Account',
    fields: [{ name: 'accountCode', label: 'Your account', hint: 'Its code, such as MAIN' }],
  },
  { name: 'Currency', fields: [{ name: 'currencyCode', label: 'Currency', hint: 'For example EUR' }] },
  {
    name: 'Booked',
    fields: [
      { name: 'bookedFrom', label: 'From', type: 'date' },
      { name: 'bookedTo', label: 'To', type: 'date' },
    ],
  },
] as const

const viewOf = (query: URLSearchParams): (typeof VIEWS)[number] =>
  VIEWS.find(({ show }) => show === (query.get('show') ?? undefined)) ?? VIEWS[0]

function linesQuery(query: URLSearchParams): Query {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  return {
    states: given('state') ?? viewOf(query).states,
    accountCode: given('accountCode')?.toUpperCase(),
    currencyCode: given('currencyCode')?.toUpperCase(),
    bookedFrom: given('bookedFrom'),
    bookedTo: given('bookedTo'),
    cursor: given('cursor'),
    limit: LIMIT,
  }
}

type Lines = Read<typeof StatementLineListSchema>

/** A filter that is refused is a sentence above an empty queue. */
async function queueOf({ api, query }: Visit): Promise<Lines & { readonly problem?: string }> {
  try {
    return await api.get('/operator/statement-lines', StatementLineListSchema, linesQuery(query))
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 400) throw error
    return { data: [], problem: error.message }
  }
}

async function desk(visit: Visit, full: Report | undefined): Promise<Page> {
  const queue = await queueOf(visit)
  const isNamed = visit.name('lineId') !== ''
  const lineId = isNamed ? visit.name('lineId') : queue.data[0]?.lineId
  const report = full ?? (lineId === undefined ? undefined : await readLine(visit, lineId, ''))
  return {
    title: isNamed ? `Line ${visit.name('lineId')}: suspense` : 'Suspense',
    nav: 'Suspense',
    content: html`${heading(visit, queue)}
${refusedNote(visit)}${doneNote(visit, report)}${queue.problem !== undefined && note('bad', queue.problem)}
${
  report === undefined
    ? nothing(visit)
    : html`${queuePart(visit, { queue, report, isNamed })}
<div${attributes({ class: isNamed ? undefined : 'hide-sm' })}>${lineSubject(visit, report, lineHref(report))}</div></div>`
}`,
  }
}

const lineHref = ({ lineId }: Pick<Line, 'lineId'>): string => pathOf`/suspense/${lineId}`

function heading(visit: Visit, queue: Lines): Html {
  const { query, may, formToken } = visit
  const current = viewOf(query)
  const isOpen = current.show === undefined && (query.get('state') ?? '') === ''
  const sums = sumsOf(queue.data.flatMap(({ openMoney }) => (openMoney === undefined ? [] : [openMoney])))
  const count = `${plural(queue.data.length, 'bank line')}${queue.nextCursor === undefined ? '' : ' and more'}`
  const money = queue.nextCursor === undefined && sums !== '' ? `: ${sums}` : ''
  const says = isOpen ? `${count} without a certain payment${money}` : count
  const acts = may('statements.take')
    ? html`<form method="post" action="${PATH}/match">${formToken}<button class="btn">${icon('resend')}Match again</button></form><a class="btn" href="/statements/import">${icon('in')}Import statement</a>`
    : html`<a class="btn" href="/statements">Statements</a>`
  const filters = Object.fromEntries([...query].filter(([name]) => !LIST_STATE.has(name)))
  return html`<div class="head"><h1>Suspense</h1><p>${says}</p><div class="acts">${acts}</div></div>
${views([
  ...VIEWS.map(({ name, show }) => ({
    name,
    href: withQuery(PATH, new URLSearchParams(filters), { show }),
    isCurrent: show === current.show && (query.get('state') ?? '') === '',
    count: show === current.show && isOpen ? queue.data.length : undefined,
  })),
  ...(may('confirmations.read')
    ? [{ name: 'Waits for a second operator', href: '/confirmations', isCurrent: false }]
    : []),
])}
${filterBar(PATH, query, FILTERS)}`
}

/** What another view does not keep. */
const LIST_STATE: ReadonlySet<string> = new Set(['show', 'state', 'cursor', 'trail', 'done'])

const nothing = ({ query }: Visit): Html =>
  viewOf(query).show === undefined && !FILTER_NAMES.some((name) => (query.get(name) ?? '') !== '')
    ? empty('check', 'No bank lines in suspense', {
        says: 'Every line is matched or decided.',
        acts: html`<a class="btn" href="/statements">Statements</a>`,
      })
    : empty('search', 'No bank lines', {
        says: 'None fits these filters.',
        acts: html`<a class="btn" href="${PATH}">Clear the filters</a>`,
      })

const FILTER_NAMES: readonly string[] = FILTERS.flatMap(({ fields }) => fields.map(({ name }) => name))

interface QueuePart {
  readonly queue: Lines
  readonly report: Report
  /** On a phone, the queue is a page of its own. */
  readonly isNamed: boolean
}

function queuePart({ query, search }: Visit, { queue, report, isNamed }: QueuePart): Html {
  const { data, nextCursor } = queue
  const back = html`<p class="only-sm backlink"><a href="${PATH}${search}">${icon('left')}Bank lines</a></p>`
  const items = data.map((line) => queueItem(line, line.lineId === report.lineId, search))
  const list: HtmlValue =
    items.length === 0
      ? html`<p class="quiet">No bank lines.</p>`
      : html`<ol class="queue">${items}</ol>${pager({ path: PATH, query, nextCursor, says: 'Newest first' })}`
  return html`${isNamed && back}<div class="desk"><section${attributes({ class: isNamed ? 'hide-sm' : undefined })} aria-labelledby="h-q"><h2 class="vh" id="h-q">Queue</h2>${list}</section>`
}

function queueItem(line: Line, isCurrent: boolean, search: string): Html {
  const { lineId, payment, party, accountCode, bookedOn, state } = line
  const about =
    payment === undefined
      ? [party?.name === undefined ? undefined : party.accountNumber, `on ${accountCode}`]
      : [`${payment.idPayment} of ${payment.merchantCode}`]
  return html`<li><a href="${lineHref({ lineId })}${search}"${attributes({ 'aria-current': isCurrent ? 'true' : undefined })}><b>${partyWords(line)}</b><span class="end">${lineMoney(line)}</span><small class="clip">${about.filter((each) => each !== undefined).join(' ')}</small><small class="end">${dayText(bankDay(bookedOn))}</small><span class="tags">${lineStateChip(state)}</span></a></li>
`
}

/** Of decisions by what the line is now. */
const DECIDED: Readonly<Record<string, string>> = {
  APPLIED: 'Decided: the money is the payment’s.',
  OVER: 'Decided: the money is the payment’s. What is too much of it stays in suspense.',
  SAME_MONEY: 'Decided: the payment was told of this money before.',
  RETURNED: 'Decided: the money went back.',
  NOTED: 'Noted.',
}

function doneNote({ query }: Visit, report: Report | undefined): Html | undefined {
  const done = query.get('done') ?? ''
  const [, matched, looked] = /^matched-(\d+)-of-(\d+)$/.exec(done) ?? []
  if (matched !== undefined)
    return note('good', `${matched} of ${plural(Number(looked), 'new line')} matched.`)
  if (done !== 'decided' || report === undefined) return undefined
  const by = report.decisions.at(-1)
  if (report.state === 'RETURNING')
    return note(
      'good',
      html`Decided. Send the money back from your bank under the reference <b class="code">${report.returnReference}</b>; its line then closes this one.`,
    )
  return note(
    'good',
    `${DECIDED[report.state] ?? 'Decided.'}${by?.confirmedBy === undefined ? '' : ` Confirmed by ${actorName(by.confirmedBy)}.`}`,
  )
}

/** Sums by currency, in words. */
function sumsOf(list: readonly Money[]): string {
  const sums = new Map<string, string>()
  for (const { amount, currencyCode } of list) {
    const before = parsePlainAmount(sums.get(currencyCode) ?? '0')
    sums.set(currencyCode, addAmounts(before, parsePlainAmount(amount)))
  }
  return [...sums].map(([currencyCode, amount]) => moneyText({ amount, currencyCode })).join(', ')
}
