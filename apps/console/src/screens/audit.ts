import {
  AuditActSchema,
  AuditHeadSchema,
  AuditListSchema,
  AuditVerificationSchema,
  type Read,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { dayText, momentHtml, momentText, plural, timeText, wordsOf } from '../format.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf, searchOf } from '../operator-api.ts'
import { empty, note, pager, pairs, table, withQuery } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import {
  type AuditAct,
  aboutText,
  changeCell,
  changeTitle,
  endsHtml,
  hashText,
  meansText,
  outcomeChip,
  whoHtml,
  whoName,
} from './audit-act.ts'
import { AUDIT_FILTERS, auditQuery } from './audit-filters.ts'
import { paymentHref } from './payments.ts'

const PATH = '/audit'
const LIMIT = '50'

/** What operators did, the newest first, and the state of the chain over it. */
export const auditScreen: Screen = {
  path: PATH,
  permission: 'operators.read',
  async show(visit) {
    const { query } = visit
    const asked = auditQuery(query)
    const [list, state] = await Promise.all([listOf(visit, asked), stateOf(visit)])
    const file = (format: string): string => `${PATH}/export${searchOf({ ...asked, format })}`
    return {
      title: 'Audit log',
      nav: 'Audit log',
      content: html`<div class="head"><h1>Audit log</h1><div class="acts"><a class="btn" href="${file('csv')}" download>${icon('in')}Export CSV</a><a class="btn hide-sm" href="${file('jsonl')}" download>Export JSON lines</a><a class="btn" href="${withQuery(PATH, query, { verify: '1' })}">${icon('check')}Verify the chain</a></div></div>
${state}
<div class="section-s">${filterBar(PATH, query, AUDIT_FILTERS)}</div>
${list}`,
    }
  },
}

/** One act with everything that it changed. */
export const auditActScreen: Screen = {
  path: `${PATH}/:number`,
  permission: 'operators.read',
  async show(visit) {
    const number = visit.name('number')
    const act = await findAct(visit, number)
    return {
      title: act === undefined ? `Entry ${number}` : `${act.says}: entry ${number}`,
      nav: 'Audit log',
      status: act === undefined ? 404 : undefined,
      content: html`<p class="backlink"><a href="${PATH}">${icon('left')}Audit log</a></p>
${act === undefined ? empty('audit', 'No such entry', { says: `The audit log has no act ${number}.` }) : actHtml(visit, act)}`,
    }
  },
}

async function findAct({ api }: Visit, number: string): Promise<AuditAct | undefined> {
  try {
    return await api.get(pathOf`/operator/audit/${number}`, AuditActSchema)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 404, 410].includes(error.status)) throw error
    return undefined
  }
}

/** Only a chain that was followed just now is called intact. */
async function stateOf({ api, query }: Visit): Promise<Html> {
  if (query.get('verify') === '1')
    return verifiedNote(await api.get('/operator/audit/verification', AuditVerificationSchema))
  const { entryNo, chainHash, chainedAt, beginsWith, beganAt } = await api.get(
    '/operator/audit/head',
    AuditHeadSchema,
  )
  const began = html`Everything from entry ${beginsWith} on, of ${momentText(beganAt)}, was recorded as it happened.`
  if (chainedAt === undefined) return note('info', html`Nothing is chained yet. ${began}`)
  return note(
    'info',
    html`Chained up to ${momentText(chainedAt)} UTC: ${plural(entryNo, 'record')}, head <span class="code">${hashText(chainHash)}</span>. ${began}`,
  )
}

function verifiedNote(found: Read<typeof AuditVerificationSchema>): Html {
  const { isIntact, entryNo, head, verifiedAt, findings } = found
  if (isIntact)
    return note(
      'good',
      html`<b>Chain intact.</b> ${plural(entryNo, 'record')} verified at ${momentText(verifiedAt)} UTC. Head to keep elsewhere: <span class="code break">${head}</span>`,
    )
  return html`${note('bad', html`<b>The chain is broken.</b> ${plural(findings.length, 'finding')} at ${momentText(verifiedAt)} UTC. Keep the database as it is, and look into each.`)}<ul class="stack-s">${findings.map(({ detail }) => html`<li>${detail}</li>`)}</ul>`
}

async function listOf({ api, query }: Visit, asked: ReturnType<typeof auditQuery>): Promise<HtmlValue> {
  const cursor = query.get('cursor') ?? undefined
  try {
    const page = await api.get('/operator/audit', AuditListSchema, { ...asked, cursor, limit: LIMIT })
    return tableOf(query, page)
  } catch (error) {
    // What somebody typed into a filter, or into the address.
    if (!(error instanceof ApiRefusal) || error.status !== 400) throw error
    return note('bad', error.message)
  }
}

function tableOf(query: URLSearchParams, { data, nextCursor }: Read<typeof AuditListSchema>): Html {
  if (data.length === 0)
    return empty('audit', 'No entries', {
      says: 'None fits these filters.',
      acts: html`<a class="btn" href="${PATH}">Clear the filters</a>`,
    })
  const columns = [
    { name: 'Time, UTC', style: 'hide-sm' },
    { name: 'Who' },
    { name: 'Did what' },
    { name: 'Change', style: 'diff' },
    { name: 'Reason', style: 'hide-sm' },
    { name: 'Entry', style: 'n hide-md' },
  ]
  const shown = new URLSearchParams(query)
  shown.delete('verify')
  const says = `${plural(data.length, 'entry', 'entries')}, the newest first`
  return html`<div class="audit">${table('Audit log, the newest first', columns, data.map(row), 2)}</div>${pager({ path: PATH, query: shown, nextCursor, says })}`
}

const actHref = ({ number }: AuditAct): string => pathOf`/audit/${number}`

function row(act: AuditAct): readonly HtmlValue[] {
  const { happenedAt, says, reason, number, chainHash, isFromBefore } = act
  const time = `${dayText(happenedAt)} ${timeText(happenedAt)}`
  const hash = chainHash === undefined ? 'not chained yet' : hashText(chainHash)
  return [
    html`<time class="quiet" datetime="${happenedAt}">${time}</time>`,
    html`${whoHtml(act)}<span class="sub only-sm">${time}</span>`,
    html`<a href="${actHref(act)}">${says}</a><span class="sub">${aboutText(act)}</span>${outcomeChip(act)}`,
    changeCell(act),
    reason === undefined ? undefined : `“${reason}”`,
    html`${number}<span class="sub hash">${isFromBefore ? 'from before' : hash}</span>`,
  ]
}

function actHtml(visit: Visit, act: AuditAct): Html {
  const { happenedAt, says, reason, number, databaseUser, path, requestId, program } = act
  const { entryNo, chainHash, operatorCode, merchantCode, subject } = act
  const payment = visit.may('payouts.read') ? paymentOf(act) : undefined
  const subjectHtml = payment === undefined ? subject : html`<a href="${payment}">${subject}</a>`
  const pair = (name: string, value: HtmlValue | undefined): readonly [string, HtmlValue] | undefined =>
    value === undefined || value === '' ? undefined : [name, value]
  return html`<div class="head"><h1>${says}</h1>${outcomeChip(act)}<p>Entry ${number}</p></div>
${act.isFromBefore && note('info', 'Noted before there was this log, and taken over: it is chained as it was found then.')}
${pairs([
  ['When', html`${momentHtml(happenedAt)} UTC`],
  [
    'Who',
    html`${whoHtml(act)}${operatorCode !== undefined && operatorCode !== whoName(act) && html` <span class="quiet">${operatorCode}</span>`}`,
  ],
  pair('By', meansText(act)),
  pair('Program', program),
  pair('Database user', databaseUser),
  pair('Merchant', merchantCode),
  pair('Subject', subjectHtml),
  pair('Reason', reason && `“${reason}”`),
  pair('Outcome', outcomeText(act)),
  pair('Request', path && html`<span class="code break">${path}</span>`),
  pair('Request id', requestId && html`<span class="code break">${requestId}</span>`),
  pair(
    'Chained',
    chainHash === undefined
      ? 'Not yet'
      : html`Entry ${entryNo} of the chain <span class="code break hash">${chainHash}</span>`,
  ),
])}
${changesHtml(act)}`
}

function outcomeText({ kind, outcome, status }: AuditAct): string {
  if (kind !== 'ACT') return 'Done'
  if (outcome === 'NOT_KNOWN') return 'No answer recorded'
  return `${outcome === 'DONE' ? 'Done' : 'Refused'}, status ${status ?? ''}`
}

function changesHtml({ changes, changeCount, kind }: AuditAct): Html {
  if (changes.length === 0)
    return html`<h2 class="section-s">Changes</h2><p class="quiet">${kind === 'READ' ? 'None: data was read.' : 'No configuration and no person was changed.'}</p>`
  const isCut = changes.length < changeCount
  return html`<h2 class="section-s">${plural(changeCount, 'change')}</h2>${isCut && html`<p class="quiet">The first ${changes.length} are shown.</p>`}
${changes.map(
  (change) =>
    html`<section class="section-s diff"><h3>${changeTitle(change)}${change.merchantCode !== undefined && change.merchantCode !== change.item && html` <span class="quiet">of ${change.merchantCode}</span>`}</h3>${fieldsHtml(change)}</section>
`,
)}`
}

const fieldsHtml = (change: AuditAct['changes'][number]): HtmlValue =>
  change.fields.length > 0 &&
  table(
    changeTitle(change),
    [{ name: 'Field' }, { name: 'Before' }, { name: 'After' }],
    change.fields.map(({ name, before, after }) => [
      wordsOf(name),
      html`<span class="break">${endsHtml(before, undefined)}</span>`,
      html`<span class="break">${endsHtml(undefined, after)}</span>`,
    ]),
  )

const OF_PAYMENT = /^\/operator\/(?:payments|reviews)\/([A-Z]+)\/([^/]+)\/([^/]+)\//
const OF_PAYOUT = /^\/operator\/payouts\/([^/]+)\/([^/]+)\//
const READ_PAYMENT = /^([A-Z]+) (\S+)$/

/** The page of the payment that an act is about. */
function paymentOf(act: AuditAct): string | undefined {
  if (act.kind === 'READ') return payeeOf(act)
  const { path = '' } = act
  const [, kind, merchantCode = '', idPayment = ''] = OF_PAYMENT.exec(path) ?? []
  if (kind !== undefined) return paymentHref({ kind, merchantCode, idPayment })
  const [, merchantOfPayout, idPayout = ''] = OF_PAYOUT.exec(path) ?? []
  if (merchantOfPayout === undefined) return undefined
  return paymentHref({ kind: 'PAYOUT', merchantCode: merchantOfPayout, idPayment: idPayout })
}

function payeeOf({ act, merchantCode = '', subject = '' }: AuditAct): string | undefined {
  const [, kind, idPayment = ''] = (act === 'PAYEE' && READ_PAYMENT.exec(subject)) || []
  return kind === undefined ? undefined : paymentHref({ kind, merchantCode, idPayment })
}
