import { AttentionSchema, type ReadItem } from '@tollgate/contract'
import type { AttentionKind } from '@tollgate/contract/words'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import type { CellWaiting } from '../cell-words.ts'
import { ageText, moneyText } from '../format.ts'
import { icon } from '../icons.ts'
import { empty } from '../parts.ts'
import type { Visit } from '../visit.ts'

// What needs somebody: number, noun, cause, age; the most urgent first.

type Waiting = ReadItem<typeof AttentionSchema>

interface Look {
  readonly tone: 'bad' | 'warn' | 'info'
  readonly title: string
  /** Where it is dealt with, if the console has a screen for it. */
  readonly href?: string
}

const LOOKS: Readonly<Record<string, Look>> = {
  RESTORE_GAP: { tone: 'bad', title: 'Restored: no money leaves' },
  CALLBACKS_EXHAUSTED: {
    tone: 'bad',
    title: 'Callbacks out of attempts',
    href: '/callbacks?state=EXHAUSTED',
  },
  PAYOUT_FILES_UNCLEAR: { tone: 'bad', title: 'Payout files the bank may not have', href: '/bank-files' },
  BANK_CHANNELS: { tone: 'bad', title: 'Bank channels that do not work', href: '/bank-files/channels' },
  CHAINS: { tone: 'bad', title: 'Chains that need a look', href: '/bank-files/chains' },
  PAYOUTS_AWAITING_APPROVAL: { tone: 'warn', title: 'Payouts need approval', href: '/payouts' },
  PAYOUTS_ON_HOLD: { tone: 'warn', title: 'Payouts on hold', href: '/payouts?status=ON_HOLD' },
  CONFIRMATIONS: { tone: 'warn', title: 'Proposals need a second operator', href: '/confirmations' },
  REVIEWS: { tone: 'warn', title: 'Payments with unknown outcome', href: '/reviews' },
  SUSPENSE: { tone: 'warn', title: 'Bank lines in suspense', href: '/suspense' },
  FAILED_DOCUMENTS: { tone: 'warn', title: 'Files not imported', href: '/statements/failed' },
  INSTITUTIONS: { tone: 'info', title: 'Institutions not operational' },
} satisfies Record<AttentionKind, Look>

/** The operator API counts no further. */
const COUNTED_MAX = 1_000

/** Everything that waits; of what the operator may not see, nothing is said. */
export async function attention({ api, nowMs }: Visit): Promise<Html> {
  const { data } = await api.get('/operator/attention', AttentionSchema)
  const content =
    data.length === 0
      ? empty('check', 'Nothing waits', { says: 'You see only what your roles allow.' })
      : html`<ul class="todo">${data.map((waiting) => attentionRow(waitingWords(waiting, nowMs)))}</ul>`
  return html`<section aria-labelledby="h-todo"><div class="bar"><h2 id="h-todo">Needs attention</h2><p>${data.length > 0 && 'Most urgent first'}</p></div>${content}</section>`
}

/** What waits, in words. */
export function waitingWords(waiting: Waiting, nowMs: number): CellWaiting {
  const { kind, count, oldestAt } = waiting
  return {
    kind,
    count: `${count}${count >= COUNTED_MAX ? '+' : ''}`,
    says: saysOf(waiting),
    age: oldestAt === undefined ? '' : `oldest ${ageText(oldestAt, nowMs)}`,
  }
}

type Words = Readonly<Record<'count' | 'says' | 'age', HtmlValue>>

/** A row of the list, which leads to where it is dealt with; undefined for a kind of a later version. */
export function attentionRow({
  kind,
  count,
  says,
  age,
}: Words & Pick<CellWaiting, 'kind'>): Html | undefined {
  const look = LOOKS[kind]
  if (look === undefined) return undefined
  const { tone, title, href } = look
  const content = html`<b class="glyph glyph-${tone}">${count}</b><span><strong>${title}</strong><span class="quiet">${says}</span></span><span class="quiet nowrap hide-sm">${age}</span>`
  return href === undefined
    ? html`<li><div class="todo-row">${content}</div></li>`
    : html`<li><a href="${href}">${content}${icon('right')}</a></li>`
}

function saysOf({ kind, count, sums, about, aboutCount }: Waiting): string {
  const more = aboutCount - about.length
  const parts = [
    `${count >= COUNTED_MAX && sums.length > 0 ? 'At least ' : ''}${sums.map(moneyText).join(', ')}`,
    `${about.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ].filter((part) => part !== '')
  if (kind === 'RESTORE_GAP') parts.unshift('Two operators close the gap: tollgate restore-gap show.')
  if (kind === 'CONFIRMATIONS' && parts.length === 0) return 'Files and decisions that nothing followed yet'
  return parts.join(' · ')
}
