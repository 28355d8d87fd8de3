import { PayoutFileContentSchema, PayoutFileDetailSchema, type Read } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import {
  dayText,
  momentHtml,
  momentText,
  moneyHtml,
  moneyText,
  plural,
  sizeText,
  wordsOf,
} from '../format.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { copyButton, facts, note, pairs, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import { kindWords } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { submittedChip } from './bank-files.ts'
import { digestHtml } from './confirmation-words.ts'
import { actorName, bankDay } from './line-words.ts'
import { paymentHref } from './payments.ts'

type Detail = Read<typeof PayoutFileDetailSchema>

/** One payout file: what is in it, its bytes for the bank, and noting that the bank has it. */
export const bankFileScreen: Screen = {
  path: '/bank-files/:fileId',
  permission: 'payout-files.read',
  async show(visit) {
    const file = await visit.api.get(pathTo(visit), PayoutFileDetailSchema)
    const { fileId, controlSum, accountCode, createdBy, createdAt } = file
    return {
      title: `${fileId}: payout file`,
      nav: 'Bank files',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/bank-files">Payout files</a>${icon('right')}<span class="code" aria-current="page">${fileId}</span></nav>
${refusedNote(visit)}${visit.query.get('done') === 'submitted' && file.submittedAt !== undefined && note('good', 'Noted: the bank has it. What became of its payments is in the bank’s report and statements.')}
<div class="hero"><div><h1 class="hero-sum">${moneyHtml(controlSum)}<span class="vh">, payout file ${fileId}</span></h1><p class="hero-line">${submittedChip(file)}<span class="code">${fileId}</span>${copyButton('the file id', fileId)}<span>made by ${actorName(createdBy)}, ${momentText(createdAt)} UTC</span></p></div></div>
${facts([
  ['Payments', String(file.paymentCount)],
  ['Account', html`<span class="code">${accountCode}</span>`],
  ['Transfers', file.speed === 'INSTANT' ? 'at once (SEPA Instant)' : wordsOf(file.speed)],
  ['Executed on', momentText(bankDay(file.executionOn)).replace(/,.*/, '')],
  ['Format', file.format],
  ['Submitted, UTC', file.submittedAt === undefined ? 'Not yet' : momentHtml(file.submittedAt)],
])}
<div class="split">${paymentsPart(file)}<aside class="side-panel" aria-label="For the bank">${bankPanel(visit, file)}</aside></div>`,
    }
  },
  acts: {
    // Names and accounts are in it: fetching is recorded, so it takes a press.
    content: {
      permission: 'payout-files.change',
      async perform(visit) {
        const { name, contentBase64 } = await visit.api.get(
          `${pathTo(visit)}/content`,
          PayoutFileContentSchema,
        )
        return { fileName: name, bytes: Buffer.from(contentBase64, 'base64') }
      },
    },
    submitted: {
      permission: 'payout-files.change',
      async perform(visit) {
        await visit.api.post(`${pathTo(visit)}/!submitted`, PayoutFileDetailSchema)
        return 'submitted'
      },
    },
    'by-hand': {
      permission: 'payout-files.change',
      async perform(visit, form) {
        const body = { reason: form.get('reason') ?? '' }
        await visit.api.post(`${pathTo(visit)}/!by-hand`, PayoutFileDetailSchema, { body })
        return 'by-hand'
      },
    },
  },
}

const pathTo = ({ name }: Visit): string => pathOf`/operator/payout-files/${name('fileId')}`

const SHOWN_MAX = 200

function paymentsPart({ payments }: Detail): Html {
  const columns = [
    { name: 'Amount', style: 'n' },
    { name: 'Payment' },
    { name: 'Kind', style: 'hide-sm' },
    { name: 'Merchant', style: 'hide-sm' },
    { name: 'Reference', style: 'hide-sm' },
  ]
  const rows = payments
    .slice(0, SHOWN_MAX)
    .map((each): readonly HtmlValue[] => [
      moneyHtml(each.money),
      html`<a href="${paymentHref(each)}"><span class="code">${each.idPayment}</span></a>`,
      kindWords(each.kind),
      each.merchantCode,
      html`<span class="code quiet">${each.reference}</span>`,
    ])
  const more = payments.length - rows.length
  return html`<section aria-labelledby="h-p"><div class="bar"><h2 id="h-p">Payments in it</h2></div>${table('Payments in the file', columns, rows, 1)}${more > 0 && html`<p class="hint">And ${plural(more, 'more payment', 'more payments')}; the command line shows all.</p>`}</section>`
}

const FOLDERS: Readonly<Record<string, string>> = {
  NONE: 'Not laid into a folder',
  LAID: 'Laid into the folder',
  LAYING: 'Being laid into the folder: look whether it is there',
}

const CHANNEL_STATES: Readonly<Record<string, string>> = {
  WAITING: 'Waits for the channel',
  STAGING: 'Being sent',
  RELEASING: 'The bank is getting it',
  PUT: 'The bank has it',
  UNCLEAR: 'Nobody can tell whether the bank has it: ask the bank',
  BY_HAND: 'Carried by hand',
}
/** While a channel carries the file, nobody else does. */
const isUnderWay = ({ channel }: Detail): boolean =>
  channel !== undefined && channel.state !== 'PUT' && channel.state !== 'BY_HAND'

const channelRow = ({ channel }: Detail): readonly (readonly [string, HtmlValue])[] =>
  channel === undefined
    ? []
    : [
        [
          'Channel',
          html`<span class="code">${channel.code}</span>: ${CHANNEL_STATES[channel.state] ?? channel.state}${channel.why !== undefined && html`. ${channel.why}`}`,
        ],
      ]

const byHandForm = ({ formToken, path, refused }: Visit): Html =>
  html`<form class="section-s" method="post" action="${path}/by-hand">${formToken}<label class="field"><span>Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" value="${refused?.form.get('reason') ?? ''}"></label><p class="acts form-acts"><button class="btn btn-wide">Carry it by hand</button></p><span class="hint">The channel does not send it any more; then you can download it.</span></form>`

function bankPanel(visit: Visit, file: Detail): Html {
  const { sha256, byteCount, folder, submittedAt, controlSum, executionOn } = file
  const { formToken, path, search } = visit
  const content = html`<form class="section-s" method="post" action="${path}/content">${formToken}<button class="btn btn-wide">${icon('in')}Download for the bank</button><span class="hint">Names and accounts are in it: recorded under your name.</span></form>`
  const mark = html`<form class="panel-foot" method="post" action="${path}/submitted${search}">${formToken}<button class="btn btn-main btn-wide">${icon('check')}The bank has it: ${moneyText(controlSum)}</button><span class="hint">To be executed on ${dayText(bankDay(executionOn))}. This cannot be taken back.</span></form>`
  return html`<section class="panel"><h2>For the bank</h2><div class="panel-body">${pairs([
    ['SHA-256', digestHtml(sha256)],
    ['Size', sizeText(byteCount)],
    ...(file.channel === undefined ? [['Folder', FOLDERS[folder] ?? folder] as const] : channelRow(file)),
  ])}${visit.may('payout-files.change') && (isUnderWay(file) ? byHandForm(visit) : content)}</div>${visit.may('payout-files.change') && submittedAt === undefined && mark}</section>`
}
