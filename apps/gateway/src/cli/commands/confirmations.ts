import type { ConfirmationDetailSchema, ConfirmationListSchema, Printed } from '@tollgate/contract'
import { CONFIRMATION_STATES } from '@tollgate/contract/words'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { digest, reason } from '../values.ts'
import { LIMIT } from './options.ts'

const DIGITS_SHOWN = 16
const ID = /^[1-9]\d{0,17}$/

type Confirmation = Printed<typeof ConfirmationDetailSchema>

interface ListOptions extends OperatorOptions {
  readonly all?: true
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list what waits for a second operator, the newest first',
  options: [{ flags: '--all', says: 'include those that have ended' }, LIMIT],
  permission: 'confirmations.read',
  asks: (_typed, { all, limit }: ListOptions) => ({
    method: 'GET',
    path: '/operator/confirmations',
    query: { states: all === true ? CONFIRMATION_STATES.join(',') : undefined },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof ConfirmationListSchema>, pen) =>
    pen.table(
      ['CONFIRMATION', 'KIND', 'STATE', 'TITLE', 'MONEY', 'BY', 'UNTIL', 'DIGEST'],
      data.map((each) => [
        each.confirmationId,
        each.kind,
        each.state,
        each.title,
        sumsOf(each, pen),
        each.proposedBy,
        pen.momentOf(each.expireAt),
        each.digest.slice(0, DIGITS_SHOWN),
      ]),
      'Nothing waits for a second operator.',
    ),
})

const show = clientCommand({
  command: 'show <confirmation>',
  says: 'show a proposal with its digest and consequences',
  permission: 'confirmations.read',
  asks: (typed) => get(pathTo(typed)),
  shows: (confirmation: Confirmation, pen) => describeConfirmation(confirmation, pen),
})

interface EndOptions extends OperatorOptions {
  readonly digest: string
  readonly consequences?: string
  readonly reason?: string
}

const SEEN = {
  flags: '--digest <digits>',
  says: 'digest that you have seen, at least its first 12 digits',
  read: digest,
  isRequired: true,
} as const
const WHY = { flags: '--reason <text>', says: 'for the record', read: reason }

const confirm = clientCommand({
  command: 'confirm <confirmation>',
  says: 'confirm another operator’s proposal; it is carried out under both names',
  options: [
    SEEN,
    {
      flags: '--consequences <digits>',
      says: 'digest of the consequences; refused if they have changed',
      read: digest,
    },
    WHY,
  ],
  permission: 'confirmations.decide',
  isByName: true,
  asks: (typed, options: EndOptions) =>
    post(`${pathTo(typed)}/!confirm`, {
      digest: options.digest,
      consequencesDigest: options.consequences,
      reason: options.reason,
    }),
  shows: (confirmation: Confirmation, pen) => describeConfirmation(confirmation, pen),
})

const refuse = clientCommand({
  command: 'refuse <confirmation>',
  says: 'refuse another operator’s proposal; it stays listed',
  options: [SEEN, { ...WHY, isRequired: true }],
  permission: 'confirmations.decide',
  isByName: true,
  asks: (typed, options: EndOptions) =>
    post(`${pathTo(typed)}/!refuse`, { digest: options.digest, reason: options.reason }),
  shows: (confirmation: Confirmation, pen) => describeConfirmation(confirmation, pen),
})

const withdraw = clientCommand({
  command: 'withdraw <confirmation>',
  says: 'withdraw your own proposal',
  options: [WHY],
  permission: 'confirmations.withdraw',
  isByName: true,
  asks: (typed, options: OperatorOptions & { readonly reason?: string }) =>
    post(`${pathTo(typed)}/!withdraw`, { reason: options.reason }),
  shows: (confirmation: Confirmation, pen) => describeConfirmation(confirmation, pen),
})

function pathTo({ confirmation }: { readonly confirmation: string }): string {
  if (ID.test(confirmation)) return `/operator/confirmations/${confirmation}`
  throw new CommandFailure('USAGE', `<confirmation> is a number; \`tollgate confirmations list\` shows them.`)
}

const sumsOf = ({ sums }: Pick<Confirmation, 'sums'>, pen: Pen): string => sums.map(pen.money).join(', ')

const describeConfirmation = (shown: Confirmation, pen: Pen): string =>
  [facts(shown, pen), ...consequencesOf(shown, pen), ...shown.earlier.map(earlierText)]
    .filter(Boolean)
    .join('\n\n')

const facts = (shown: Confirmation, pen: Pen): string =>
  pen.pairs([
    ['Confirmation', `${shown.confirmationId}, ${shown.kind}`],
    ['State', shown.state],
    ['Title', shown.title],
    ['Digest', shown.digest],
    ['Money', sumsOf(shown, pen) || undefined],
    ['Proposed', `${pen.momentOf(shown.proposedAt)} by ${shown.proposedBy}`],
    ['Until', shown.state === 'WAITING' ? pen.momentOf(shown.expireAt) : undefined],
    [
      'Ended',
      shown.endedAt &&
        `${pen.momentOf(shown.endedAt)}${shown.endedBy === undefined ? '' : ` by ${shown.endedBy}`}`,
    ],
    ['Because', shown.reason],
    ['Came to', shown.result],
    ['About', Object.keys(shown.about).length === 0 ? undefined : JSON.stringify(shown.about)],
    ['Consequences', shown.consequencesDigest],
    ['Impossible', shown.impossible],
  ])

function consequencesOf({ consequences }: Confirmation, pen: Pen): readonly string[] {
  if (consequences === undefined) return []
  const changes = pen.table(
    ['MERCHANT', 'KIND', 'PAYMENT', 'BECOMES', 'MONEY'],
    consequences.payments.map(({ payment, becomes, money }) => [
      payment.merchantCode,
      payment.kind,
      payment.idPayment,
      becomes,
      pen.money(money),
    ]),
    'No payment would change.',
  )
  const unsaid = consequences.paymentCount - consequences.payments.length
  const sums = pen.table(
    ['SUM', 'COUNT', 'MONEY'],
    consequences.sums.map(({ what, count, money }) => [what, String(count), pen.money(money)]),
    'No money would move.',
  )
  return [
    `What would follow\n${changes}${unsaid > 0 ? `\nand ${unsaid} more payments` : ''}`,
    sums,
    consequences.remarks.join('\n'),
  ]
}

const earlierText = ({ state, confirmationId, endedBy, reason: why }: Confirmation['earlier'][number]) =>
  `The same bytes were ${state} before, as confirmation ${confirmationId}${endedBy === undefined ? '' : ` by ${endedBy}`}${why === undefined ? '' : `: ${why}`}`

/** What one operator has proposed, for a second one. */
export function addConfirmationCommands(program: Command, shell: Shell): void {
  const confirmations = program
    .command('confirmations')
    .description('files and decisions that need a second operator')
  for (const command of [list, show, confirm, refuse, withdraw]) command.addTo(confirmations, shell)
}
