import {
  BankChannelFileListSchema,
  BankChannelListSchema,
  BankChannelSchema,
  type Read,
  type ReadItem,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, momentText, plural, sizeText } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { chip, empty, facts, note, pager, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews } from './bank-views.ts'

type Channel = ReadItem<typeof BankChannelListSchema>
type Files = Read<typeof BankChannelFileListSchema>

const PATH = '/bank-files/channels'
const LIMIT = '50'

/** Channels over which files are exchanged with banks, and what became of the latest look of each. */
export const bankChannelsScreen: Screen = {
  path: PATH,
  permission: 'statements.read',
  async show(visit) {
    const { data } = await channelsOf(visit)
    return {
      title: 'Bank channels',
      nav: 'Bank files',
      content: html`<div class="head"><h1>Bank channels</h1><p>Files that are exchanged with banks</p></div>
${bankViews(visit, 'Channels')}
${data.length === 0 ? empty('bank', 'No channels', { says: html`The file that <span class="code">TOLLGATE_BANK_CHANNELS_FILE</span> names says which there are. The console cannot add one: signing in here must not be enough to say where payouts go.` }) : tableOf(data)}`,
    }
  },
}

/** One of them, with the files that it brought. */
export const bankChannelScreen: Screen = {
  path: `${PATH}/:channelCode`,
  permission: 'statements.read',
  show: channelPage,
  acts: {
    look: {
      permission: 'institutions.change',
      async perform(visit) {
        await visit.api.post(`${apiPathOf(visit)}/!look`, BankChannelSchema)
        return 'asked'
      },
    },
  },
}

const channelsOf = ({ api }: Visit) => api.get('/operator/bank-channels', BankChannelListSchema)

const codeIn = (visit: Visit): string => visit.name('channelCode')
const apiPathOf = (visit: Visit): string => pathOf`/operator/bank-channels/${codeIn(visit)}`
const hrefOf = (code: string): string => pathOf`/bank-files/channels/${code}`

function stateChip({ state }: Channel): Html {
  if (state === 'WORKS') return chip('good', 'check', 'Works')
  if (state === 'FAILS') return chip('warn', 'alert', 'Fails')
  if (state === 'STOPPED') return chip('bad', 'x', 'Stopped')
  return chip('info', 'clock', 'Not looked yet')
}

function tableOf(data: readonly Channel[]): Html {
  const columns = [
    { name: 'Channel' },
    { name: 'State' },
    { name: 'Bank', style: 'hide-sm' },
    { name: 'Waiting files', style: 'n hide-sm' },
    { name: 'Last look, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((channel): readonly HtmlValue[] => [
    html`<a href="${hrefOf(channel.code)}"><span class="code">${channel.code}</span></a>`,
    html`${stateChip(channel)}${channel.fault && html`<span class="sub">${channel.fault.message}</span>`}`,
    html`<span class="code">${channel.peer}</span>`,
    channel.waitingFiles,
    html`<span class="quiet">${channel.lookedAt === undefined ? 'never' : momentHtml(channel.lookedAt)}</span>`,
  ])
  return table('Bank channels', columns, rows)
}

async function channelPage(visit: Visit): Promise<Page> {
  const code = codeIn(visit)
  const [{ data }, files] = await Promise.all([
    channelsOf(visit),
    visit.api.get(`${apiPathOf(visit)}/files`, BankChannelFileListSchema, {
      cursor: visit.query.get('cursor') ?? undefined,
      limit: LIMIT,
    }),
  ])
  const channel = data.find((each) => each.code === code)
  if (channel === undefined)
    throw new ApiRefusal(410, { code: 'ENTITY_NOT_FOUND', message: `There is no channel ${code}.` })
  return {
    title: `Channel ${code}`,
    nav: 'Bank files',
    content: html`<div class="head"><h1>Channel <span class="code">${code}</span></h1><p>${stateChip(channel)}</p></div>
${bankViews(visit, 'Channels')}
${refusedNote(visit)}${visit.query.get('done') === 'asked' && note('good', 'Asked: the next look comes at once. Reload this page to see the result.')}${faultNote(channel)}
${facts(factsOf(channel))}
${visit.may('institutions.change') && lookForm(visit, channel)}
<section class="section" aria-labelledby="h-files"><div class="bar"><h2 id="h-files">Files received</h2></div>${filesPart(visit, files)}</section>`,
  }
}

/** What to do about it, by what went wrong. */
const REMEDIES: Readonly<Record<string, string>> = {
  HOST_KEY:
    'Call the bank on a number you know and ask whether its key has changed. If it has, put the new one into the settings. If not, somebody else is answering.',
  SIGN_IN: 'Ask the bank whether it still knows our user and key. Too many attempts may lock the account.',
  UNREACHABLE: 'Retried automatically. If it lasts, check the line, the firewall and the bank’s address.',
  REFUSED: 'The bank refused: check the directories in the settings, then ask the bank.',
  FILE: 'One file is wrong; the others are taken. Ask the bank about that file.',
}

function faultNote({ fault, state }: Channel): Html | undefined {
  if (fault === undefined) return undefined
  const stopped =
    state === 'STOPPED' && ' Nothing is tried until somebody presses Look now, or the settings change.'
  return note(
    state === 'STOPPED' ? 'bad' : 'warn',
    html`<b>${fault.message}</b> (since ${momentText(fault.since)}).${stopped} ${REMEDIES[fault.kind]}`,
  )
}

const factsOf = (channel: Channel): readonly (readonly [string, HtmlValue])[] => [
  ['Bank', html`<span class="code break">${channel.peer}</span>`],
  ['Its host key', html`<span class="code break">${channel.hostKey}</span>`],
  ['Last look', momentOr(channel.lookedAt)],
  ['Last success', momentOr(channel.succeededAt)],
  ['Interval', `${channel.everySeconds} seconds`],
  ['Failures in a row', channel.failures],
  ['Waiting files', channel.waitingFiles],
]

const momentOr = (moment: string | undefined): string =>
  moment === undefined ? 'never' : `${momentText(moment)} UTC`

const lookForm = ({ formToken }: Visit, { code, state }: Channel): Html =>
  html`<form class="line-form section-s" method="post" action="${hrefOf(code)}/look">${formToken}<button class="btn btn-main">${icon('resend')}Look now</button><span class="hint">${state === 'STOPPED' ? 'Signs in to the bank again.' : 'Without waiting for the interval.'}</span></form>`

function filesPart({ query, path }: Visit, { data, nextCursor }: Files): Html {
  if (data.length === 0)
    return empty('sheet', 'No files yet', { says: 'Files that the bank leaves for us are listed here.' })
  const columns = [
    { name: 'File' },
    { name: 'Result' },
    { name: 'Size', style: 'n hide-sm' },
    { name: 'SHA-256', style: 'hide-md' },
    { name: 'Fetched, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((file): readonly HtmlValue[] => [
    html`<b>${file.fileName}</b><span class="sub">${file.holds === 'PAYOUT_REPORTS' ? 'Status report' : 'Statement'}</span>`,
    outcomeChip(file.outcome),
    html`<span class="quiet">${sizeText(file.byteCount)}</span>`,
    html`<span class="code quiet">${file.sha256.slice(0, 12)}…</span>`,
    html`<span class="quiet">${momentHtml(file.fetchedAt)}</span>`,
  ])
  const says = `${plural(data.length, 'file')}, the newest first`
  return html`${table('Files received, newest first', columns, rows)}${pager({ path, query, nextCursor, says })}`
}

function outcomeChip(outcome: string | undefined): Html {
  if (outcome === 'TAKEN') return chip('good', 'check', 'Taken')
  if (outcome === 'ASIDE')
    return html`${chip('warn', 'alert', 'Not taken')}<a class="sub" href="/statements/failed">Why</a>`
  return chip('info', 'clock', 'Waits')
}
