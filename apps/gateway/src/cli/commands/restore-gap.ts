import type { GapIdsSchema, Printed, RestoreGapSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { A_MOMENT, readMoment } from '../../platform/moments.ts'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { get, type OperatorOptions, post } from '../operator-call.ts'
import { KEY_FLAGS } from '../operator-key.ts'
import type { Shell } from '../shell.ts'
import { code, digest, reason } from '../values.ts'

const PATH = '/operator/restore-gap'
const DIGITS_SHOWN = 16
const IDS_SHOWN = 20

type Answer = Printed<typeof RestoreGapSchema>
type Gap = NonNullable<Answer['gap']>

const show = clientCommand({
  command: 'show',
  says: 'show the open gap: missing statements, named ids, unmatched debits, digest',
  permission: 'payouts.read',
  asks: () => get(PATH),
  shows: (answer: Answer, pen) => describeGap(answer, pen),
})

const ids = clientCommand({
  command: 'ids <merchant> <file>',
  says: 'name ids of payouts accepted in the gap, one per line; they are never accepted again',
  options: [{ flags: '--settlement', says: 'ids of settlements instead of payouts' }],
  permission: 'payments.hold',
  isByName: true,
  asks: async (typed, { settlement }: OperatorOptions & { readonly settlement?: true }, shell) => ({
    method: 'POST',
    path: `${PATH}/ids`,
    query: { merchantCode: code(typed.merchant), kind: settlement === true ? 'SETTLEMENT' : undefined },
    file: await readFileOrInput(shell, typed.file),
  }),
  shows: ({ named, added, known }: Printed<typeof GapIdsSchema>) => ({
    text: `${added} of ${named} ids are new. None of them is accepted again, nor handed over.`,
    notes:
      known.length === 0
        ? []
        : [
            `${known.length} of them have a payment from before the backup: ${known.slice(0, IDS_SHOWN).join(', ')}`,
          ],
  }),
})

interface WordOptions extends OperatorOptions {
  readonly reason: string
}

const waive = clientCommand({
  command: 'waive <account>',
  says: 'waive the statement of an account; the operator who closes the gap must name it',
  options: [
    {
      flags: '--reason <text>',
      says: 'why there is none; for the record',
      read: reason,
      isRequired: true,
    },
  ],
  permission: 'payments.release',
  isByName: true,
  asks: (typed, { reason: why }: WordOptions) =>
    post(`${PATH}/!waive`, { accountCode: code(typed.account), reason: why }),
  shows: (_answer: Answer, _pen, { account }) =>
    `No statement of ${code(account)} is waited for. Who closes the gap has to name the account.`,
})

const COMPARED = {
  flags: '--reason <text>',
  says: 'what was compared; for the record',
  read: reason,
  isRequired: true,
} as const

const propose = clientCommand({
  command: 'propose',
  says: 'propose to close the gap; another operator closes it',
  options: [COMPARED],
  permission: 'payments.release',
  isByName: true,
  asks: (_typed, { reason: why }: WordOptions) => post(`${PATH}/!propose`, { reason: why }),
  shows: (answer: Answer, pen) => describeGap(answer, pen),
})

interface CloseOptions extends WordOptions {
  readonly digest: string
  readonly without?: readonly string[]
}

const close = clientCommand({
  command: 'close',
  says: 'close the gap that another operator proposed to close; payouts continue',
  options: [
    {
      flags: '--digest <digits>',
      says: 'digest that you have seen, at least its first 12 digits',
      read: digest,
      isRequired: true,
    },
    COMPARED,
    {
      flags: '--without <account>',
      says: 'account whose statement is waived; may be repeated',
      read: code,
      isRepeated: true,
    },
  ],
  permission: 'payments.release',
  isByName: true,
  asks: (_typed, options: CloseOptions) =>
    post(`${PATH}/!close`, {
      digest: options.digest,
      reason: options.reason,
      withoutAccounts: options.without,
    }),
  shows: (_answer: Answer) => ({
    text: 'The gap is closed: payouts are accepted and handed over again.',
    notes: [
      'What the restore put on hold stays so: release or cancel each when you know whether it was paid (`tollgate payouts list --on-hold`, `tollgate payments release` and `cancel`).',
    ],
  }),
})

function describeGap({ gap }: Answer, pen: Pen): string {
  if (gap === undefined) return 'No restore gap is open. Money leaves as usual.'
  const { proposal, digest: now, obstacles } = gap
  return [
    `Open: from ${pen.momentOf(gap.lostFrom)} until ${pen.momentOf(gap.restoredAt)} the database lacks what happened.`,
    'No payout is accepted, handed over or put into a file.',
    `On hold since the restore: ${gap.held}. Digest: ${now.slice(0, DIGITS_SHOWN)}`,
    proposal === undefined
      ? 'Nobody has proposed to close it.'
      : `${proposal.by} proposed to close it at ${pen.momentOf(proposal.at)}: ${proposal.reason}${
          proposal.digest === now ? '' : ' (something came since; it has to be proposed again)'
        }`,
    ...(obstacles.length === 0 ? [] : ['', 'Before it can be closed:', ...obstacles]),
    '',
    accountsTable(gap, pen),
    '',
    idsTable(gap, pen),
    '',
    debitsTable(gap, pen),
  ].join('\n')
}

const accountsTable = ({ accounts }: Gap, pen: Pen): string =>
  pen.table(
    ['ACCOUNT', 'FROM', 'TO', 'STATEMENTS', 'WAIVED'],
    accounts.map((account) => [
      account.accountCode,
      account.firstDay,
      account.lastDay,
      coverageOf(account),
      account.waiver === undefined ? '' : `${account.waiver.by}: ${account.waiver.reason}`,
    ]),
    'Payouts leave no account by files.',
  )

function coverageOf({ isComplete, untilDay }: Gap['accounts'][number]): string {
  if (isComplete) return 'complete'
  return untilDay === undefined ? 'missing' : `until ${untilDay}`
}

const idsTable = ({ ids: named, debits }: Gap, pen: Pen): string =>
  pen.table(
    ['MERCHANT', 'KIND', 'ID', 'REFERENCE', 'ON A STATEMENT'],
    named.map((id) => [
      id.merchantCode,
      id.kind,
      id.idPayment,
      id.reference,
      debits.find(({ references }) => references.includes(id.reference))?.lineId ?? '',
    ]),
    'No ids of the gap are named.',
  )

const debitsTable = ({ debits }: Gap, pen: Pen): string =>
  pen.table(
    ['LINE', 'ACCOUNT', 'DAY', 'MONEY', 'REFERENCE', 'ID', 'OPEN'],
    debits.map((debit) => [
      debit.lineId,
      debit.accountCode,
      debit.bookedOn,
      pen.money(debit.money),
      debit.references.join(', '),
      debit.idPayment ?? '',
      debit.isOpen ? 'yes' : '',
    ]),
    'No money left that belongs to no payment, by the statements so far.',
  )

/** What happened between a backup and the loss of the database: no money leaves until two operators have closed that gap. */
export function addRestoreGapCommands(program: Command, shell: Shell): void {
  const gap = program
    .command('restore-gap')
    .description('after a restore: find out what was paid since the backup before payouts continue')
  show.addTo(gap, shell)
  // Before the gateway starts: no payout leaves in between.
  gap
    .command('open')
    .description('stop all outgoing money after a restore by other means, before the gateway starts')
    .requiredOption(
      '--since <moment>',
      'moment from which the database lacks data, e.g. 2026-11-21T03:00:00Z',
      moment,
    )
    .option(...KEY_FLAGS)
    .action(
      shell.act(async (options: OperatorOptions & { since: Date }) =>
        (await import('../actions/restore-gap.ts')).open(shell, options.since, options),
      ),
    )
  for (const command of [ids, waive, propose, close]) command.addTo(gap, shell)
}

function moment(text: string): Date {
  const since = readMoment(text)
  if (since !== undefined) return since
  throw new CommandFailure('USAGE', `--since takes ${A_MOMENT}.`)
}
