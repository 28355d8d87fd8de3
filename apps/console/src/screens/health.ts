import { type Read, SystemHealthSchema } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import type { CellHealth } from '../cell-words.ts'
import { ageText, momentHtml, momentText, plural, sizeText, wordsOf } from '../format.ts'
import { chip, command, copyButton, facts, note, pairs, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen } from '../visit.ts'
import { clearAct, institutionsDone, institutionsPart, sayAct } from './institutions.ts'

type Health = Read<typeof SystemHealthSchema>

/** How the gateway is. What is not known is said to be not known. */
export const healthScreen: Screen = {
  path: '/health',
  permission: 'health.read',
  async show(visit) {
    const [health, institutions] = await Promise.all([
      visit.api.get('/operator/health', SystemHealthSchema),
      institutionsPart(visit),
    ])
    const { gateway, database, now } = health
    return {
      title: 'Health',
      nav: 'Health',
      content: html`<div class="head"><h1>Health</h1><p>${momentText(now)} UTC, by the database’s clock</p><div class="acts"><a class="btn" href="/health">Look again</a></div></div>
${refusedNote(visit)}${institutionsDone(visit)}
${warnings(health)}
${facts([
  ['Gateway', gateway.version],
  ['Environment', wordsOf(gateway.environment)],
  ...(gateway.cell === undefined ? [] : [['Cell', gateway.cell] as const]),
  ['Up for', upText(gateway.upSeconds)],
  ['Node', gateway.nodeVersion],
  ['PostgreSQL', database.version],
  [
    'Schema',
    database.pendingMigrations.length === 0
      ? 'up to date'
      : plural(database.pendingMigrations.length, 'migration pending', 'migrations pending'),
  ],
])}
<div class="two"><section aria-labelledby="h-q"><div class="bar"><h2 id="h-q">Queues</h2><p>Due now, and taken up by no worker</p></div>${queueTable(health)}</section>
<section class="panel" aria-labelledby="h-l"><h2 id="h-l">Ledger</h2><div class="panel-body stack-s">${ledgerPart(health)}</div></section></div>
${institutions}
<div class="two section"><section aria-labelledby="h-r"><div class="bar"><h2 id="h-r">Rates</h2></div>${rateTable(health)}</section>
<section aria-labelledby="h-k"><div class="bar"><h2 id="h-k">Retention</h2></div>${retentionTable(health)}</section></div>
<div class="two section"><section aria-labelledby="h-c"><div class="bar"><h2 id="h-c">Connections</h2><p>Of the gateway’s processes to the database</p></div>${connectionTable(health)}</section>
<section class="panel" aria-labelledby="h-f"><h2 id="h-f">Documents and backups</h2><div class="panel-body stack-s">${documentPart(health)}</div></section></div>`,
    }
  },
  acts: { say: sayAct, clear: clearAct },
}

/** How the gateway of a cell is, in a word. */
export function cellHealth(health: Health, letter: string): CellHealth {
  const { gateway, restoreGap, queues, now } = health
  if (gateway.cell !== letter) return 'MISPLACED'
  if (restoreGap !== undefined) return 'STOPPED'
  const isLate = queues.some(({ oldestDueAt }) => oldestDueAt !== undefined && isLateAt(oldestDueAt, now))
  return isLate || warnings(health) !== undefined ? 'LOOK' : 'WELL'
}

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

function upText(seconds: number): string {
  if (seconds >= 2 * DAY_SECONDS) return `${Math.floor(seconds / DAY_SECONDS)} days`
  const hours = Math.floor(seconds / HOUR_SECONDS)
  const minutes = Math.floor((seconds % HOUR_SECONDS) / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`
}

/** What needs somebody, of the facts below. */
function warnings({ database, restoreGap, ledger, rates }: Health): Html | undefined {
  const stale = rates.filter(({ isStale }) => isStale).map(({ rateListCode }) => rateListCode)
  const findings = ledger.lastCheck?.findings ?? 0
  const list = [
    restoreGap !== undefined &&
      note(
        'bad',
        html`<b>A restore gap is open: no money leaves.</b> The database lacks what happened from ${momentText(restoreGap.lostFrom)} until ${momentText(restoreGap.restoredAt)}. <code>npx tollgate restore-gap show</code>`,
      ),
    findings > 0 &&
      note(
        'bad',
        html`<b>The last ledger check has ${plural(findings, 'finding')}.</b> Stop payouts and look into each: <code>npx tollgate ledger check</code>`,
      ),
    database.pendingMigrations.length > 0 &&
      note('bad', html`<b>The schema is not up to date.</b> <code>npx tollgate migrate</code>`),
    stale.length > 0 &&
      note(
        'warn',
        html`<b>${plural(stale.length, 'rate list is', 'rate lists are')} stale:</b> ${stale.join(', ')}. What moves money refuses a stale sheet.`,
      ),
  ]
  return list.every((each) => each === false) ? undefined : html`<div class="stack-s">${list}</div>`
}

const QUEUE_WORDS: Readonly<Record<string, string>> = {
  PAYMENTS: 'Payments to submit or ask about',
  EXPIRIES: 'Payments whose time is over',
  CALLBACKS: 'Callbacks to merchants',
  NOTIFICATIONS: 'Notifications of institutions',
}
const COUNTED_MAX = 1_000
/** As `tollgate doctor` judges callbacks. */
const LATE_MS = 60_000

const queueTable = ({ queues, now }: Health): Html =>
  table(
    'Queues',
    [{ name: 'Queue' }, { name: 'Due', style: 'n' }, { name: 'Oldest' }],
    queues.map(({ queue, due, oldestDueAt }): readonly HtmlValue[] => [
      QUEUE_WORDS[queue] ?? wordsOf(queue),
      due >= COUNTED_MAX ? `${COUNTED_MAX} or more` : due,
      oldestDueAt === undefined ? html`<span class="quiet">none</span>` : ageChip(oldestDueAt, now),
    ]),
  )

const isLateAt = (at: string, now: string): boolean => Date.parse(now) - Date.parse(at) > LATE_MS

function ageChip(at: string, now: string): Html {
  const age = ageText(at, Date.parse(now))
  return isLateAt(at, now)
    ? chip('warn', 'clock', `for ${age}`)
    : html`<span class="quiet">less than a minute</span>`
}

function agoText(at: string, now: string): string {
  const age = ageText(at, Date.parse(now))
  return age === '0 min' ? 'just now' : `${age} ago`
}

function ledgerPart({ ledger, now }: Health): Html {
  const { lastCheck, head, chainedAt, waitSeconds } = ledger
  const check =
    lastCheck === undefined
      ? html`<span class="quiet">not known: it was never run</span>`
      : html`${lastCheck.findings === 0 ? chip('good', 'check', 'Balanced') : chip('bad', 'alert', plural(lastCheck.findings, 'finding'))} ${plural(lastCheck.checks, 'check')}, ${agoText(lastCheck.checkedAt, now)}<span class="sub">${momentText(lastCheck.checkedAt)} UTC</span>`
  return html`${pairs([
    ['Last check', check],
    ['Journal head', html`<span class="code">${head}</span>${copyButton('the head of the journal', head)}`],
    [
      'Chained',
      chainedAt === undefined
        ? html`<span class="quiet">nothing yet</span>`
        : html`${momentHtml(chainedAt)} UTC`,
    ],
    [
      'Waiting',
      waitSeconds === undefined
        ? html`<span class="quiet">not known after a restore, until a transfer is chained</span>`
        : waitSeconds === 0
          ? 'none'
          : `for ${waitSeconds} s`,
    ],
  ])}${command('npx tollgate ledger check')}<p class="hint">Keep the head elsewhere: who changes the past cannot change it there.</p>`
}

const rateTable = ({ rates, now }: Health): Html =>
  rates.length === 0
    ? html`<p class="quiet">No rate lists.</p>`
    : table(
        'Rates',
        [{ name: 'List' }, { name: 'State' }, { name: 'Published, UTC', style: 'n' }],
        rates.map(({ rateListCode, publishedAt, isStale }): readonly HtmlValue[] => [
          html`<span class="code">${rateListCode}</span>`,
          publishedAt === undefined
            ? chip('warn', 'alert', 'No sheet')
            : isStale
              ? chip('warn', 'clock', `Stale, ${ageText(publishedAt, Date.parse(now))}`)
              : chip('good', 'check', 'Fresh'),
          html`<span class="quiet">${publishedAt !== undefined && momentHtml(publishedAt)}</span>`,
        ]),
      )

const CLASS_WORDS: Readonly<Record<string, string>> = {
  DELIVERIES: 'Callback attempts',
  INQUIRIES: 'Inquiries at institutions',
  PERSONAL_DATA: 'Personal data of payments',
}

const retentionTable = ({ retention }: Health): Html =>
  table(
    'Retention',
    [{ name: 'What' }, { name: 'Kept', style: 'n' }, { name: 'Removed until, UTC', style: 'n' }],
    retention.map(({ class: name, days, removedUntil }): readonly HtmlValue[] => [
      CLASS_WORDS[name] ?? wordsOf(name),
      days === 0 ? 'for ever' : plural(days, 'day'),
      html`<span class="quiet">${removedUntil === undefined ? 'nothing yet' : momentHtml(removedUntil)}</span>`,
    ]),
  )

const connectionTable = ({ database: { connections } }: Health): Html =>
  table(
    'Connections',
    [{ name: 'Program' }, { name: 'Connections', style: 'n' }, { name: 'Since, UTC', style: 'n' }],
    connections.map(({ program, count, since }): readonly HtmlValue[] => [
      html`<span class="code">${program}</span>`,
      count,
      html`<span class="quiet">${momentHtml(since)}</span>`,
    ]),
  )

/** A backup is made every night; this is one night that was missed. */
const BACKUP_MS_MAX = 36 * 3_600_000

function backupText({ lastBackup, now }: Health): Html {
  if (lastBackup === undefined)
    return html`<span class="quiet">none by <code>tollgate backup</code>; others are not known here</span>`
  const { startedAt, bytes } = lastBackup
  const ago = agoText(startedAt, now)
  const isOld = Date.parse(now) - Date.parse(startedAt) > BACKUP_MS_MAX
  return html`${isOld ? chip('warn', 'clock', ago) : chip('good', 'check', ago)} ${sizeText(bytes)}<span class="sub">${momentText(startedAt)} UTC</span>`
}

const documentPart = (health: Health): Html => {
  const { count, latestAt } = health.failedDocuments
  return html`${pairs([
    [
      'Not taken',
      count === 0
        ? 'none in the last seven days'
        : html`${chip('warn', 'alert', plural(count, 'file'))} in the last seven days`,
    ],
    latestAt === undefined ? undefined : ['The latest', html`${momentHtml(latestAt)} UTC`],
    ['Last backup', backupText(health)],
  ])}${command('npx tollgate statements failed')}${command('npx tollgate payout-files failed')}${command('npx tollgate backup nightly')}<p class="hint"><code>npx tollgate doctor</code> checks the machine, the settings and the keys as well.</p>`
}
