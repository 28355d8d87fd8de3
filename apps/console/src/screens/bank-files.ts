import { PayoutFileListSchema, PayoutRunSchema, type Read, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { dayText, momentHtml, moneyHtml, plural } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, empty, note, pager, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews } from './bank-views.ts'
import { actorName, bankDay } from './line-words.ts'
import { paymentHref } from './payments.ts'

type PayoutFile = ReadItem<typeof PayoutFileListSchema>
type Run = Read<typeof PayoutRunSchema>

const PATH = '/bank-files'
const LIMIT = '50'

/** Files of payouts on their way to a bank, and making one. */
export const bankFilesScreen: Screen = {
  path: PATH,
  permission: 'payout-files.read',
  show: (visit) => list(visit, undefined),
  acts: {
    create: {
      permission: 'payout-files.change',
      async perform(visit, form) {
        const currencyCode = form.get('currencyCode')?.trim().toUpperCase() ?? ''
        const body = currencyCode === '' ? {} : { currencyCode }
        return list(visit, runNote(await visit.api.post('/operator/payout-files', PayoutRunSchema, { body })))
      },
    },
  },
}

async function list(visit: Visit, said: Html | undefined): Promise<Page> {
  const cursor = visit.query.get('cursor') ?? undefined
  const files = await visit.api.get('/operator/payout-files', PayoutFileListSchema, { cursor, limit: LIMIT })
  return {
    title: 'Payout files',
    nav: 'Bank files',
    content: html`<div class="head"><h1>Payout files</h1><p>Payouts on their way to a bank</p></div>
${bankViews(visit, 'Payout files')}
${refusedNote(visit)}${said}${visit.may('payout-files.change') && createForm(visit)}
${tableOf(visit, files)}`,
  }
}

const createForm = ({ formToken, refused }: Visit): Html =>
  html`<form class="line-form" method="post" action="${PATH}/create">${formToken}<label for="file-currency">Currency</label><input class="input" id="file-currency" name="currencyCode" maxlength="10" placeholder="All" autocomplete="off" value="${refused?.form.get('currencyCode') ?? ''}"><button class="btn btn-main">${icon('sheet')}Collect waiting payouts</button><span class="hint">One file for each account and day of execution; a payout goes into one file only.</span></form>`

function runNote({ files, leftOut }: Run): Html {
  const made =
    files.length === 0
      ? note('info', 'No payout waits for a file.')
      : note(
          'good',
          html`<b>${plural(files.length, 'file')} made:</b> ${files.map((file, index) => html`${index > 0 && ', '}<a href="${fileHref(file)}"><span class="code">${file.fileId}</span></a> with ${plural(file.paymentCount, 'payment')}, ${moneyHtml(file.controlSum)}`)}`,
        )
  return html`${made}${leftOut.map((each) => note('warn', html`Left out: <a href="${paymentHref(each)}"><span class="code">${each.idPayment}</span></a> of ${each.merchantCode}: ${each.why}`))}`
}

const fileHref = ({ fileId }: Pick<PayoutFile, 'fileId'>): string => pathOf`/bank-files/${fileId}`

export function submittedChip({ submittedAt, channel }: Pick<PayoutFile, 'submittedAt' | 'channel'>): Html {
  if (submittedAt !== undefined) return chip('good', 'check', 'Submitted')
  if (channel?.state === 'UNCLEAR') return chip('bad', 'help', 'Unclear: ask the bank')
  return chip('warn', 'clock', 'Not submitted')
}

function tableOf({ query }: Visit, { data, nextCursor }: Read<typeof PayoutFileListSchema>): Html {
  if (data.length === 0)
    return empty('sheet', 'No payout files', {
      says: 'Payouts whose account leaves by files are collected here.',
    })
  const columns = [
    { name: 'Sum', style: 'n' },
    { name: 'State' },
    { name: 'File' },
    { name: 'Payments', style: 'n hide-sm' },
    { name: 'Account', style: 'hide-sm' },
    { name: 'Executed on', style: 'hide-md' },
    { name: 'Made by', style: 'hide-md' },
    { name: 'Made, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((file): readonly HtmlValue[] => [
    moneyHtml(file.controlSum),
    submittedChip(file),
    html`<a href="${fileHref(file)}"><span class="code">${file.fileId}</span></a><span class="sub only-sm">${plural(file.paymentCount, 'payment')}, ${dayText(file.createdAt)}</span>`,
    file.paymentCount,
    html`<span class="code">${file.accountCode}</span>`,
    html`${dayText(bankDay(file.executionOn))}${file.speed === 'INSTANT' && html`<span class="sub">at once</span>`}`,
    actorName(file.createdBy),
    html`<span class="quiet">${momentHtml(file.createdAt)}</span>`,
  ])
  const says = `${plural(data.length, 'file')}, the newest first`
  return html`${table('Payout files, the newest first', columns, rows, 2)}${pager({ path: PATH, query, nextCursor, says })}`
}
