import { randomIds } from '@tollgate/runtime'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { GapRefused, type GapView } from '../../modules/payouts/index.ts'
import { buildRestoreGap, FILE_RAILS } from '../../rooms/restore-gap.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { inHouse, requireKeys } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'
import { idPayment } from '../values.ts'

const IDS_MAX = 100_000
const DIGITS_SHOWN = 16

async function orExplain<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof GapRefused) throw new CommandFailure('CONFLICT', error.message)
    throw error
  }
}

/** `tollgate restore-gap show`. */
export function show(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    requireKeys(house)
    const view = await buildRestoreGap(house).find()
    return view === undefined
      ? { json: null, text: 'No restore gap is open. Money leaves as usual.' }
      : reportOf(view)
  })
}

function reportOf(view: GapView): Report {
  const { gap, ids, debits, accounts, obstacles, held, digest } = view
  const { proposal } = gap
  return {
    json: {
      ...gap,
      proposal: proposal ?? null,
      ...{ held, digest, obstacles },
      ids: ids.map(({ merchantId: _, ...id }) => id),
      debits: debits.map((debit) => ({ ...debit, idPayment: debit.idPayment ?? null })),
      accounts: accounts.map(({ coverage, waiver, ...account }) => ({
        ...account,
        coverage: { ...coverage, untilDay: coverage.untilDay ?? null },
        waiver: waiver ?? null,
      })),
    },
    text: [
      `Open: from ${moment(gap.lostFrom)} until ${moment(gap.restoredAt)} the database lacks what happened.`,
      'No payout is accepted, handed over or put into a file.',
      `On hold since the restore: ${held}. Digest: ${digest.slice(0, DIGITS_SHOWN)}`,
      proposal === undefined
        ? 'Nobody has proposed to close it.'
        : `${proposal.by} proposed to close it at ${moment(proposal.at)}: ${proposal.reason}${
            proposal.digest === digest ? '' : ' (something came since; it has to be proposed again)'
          }`,
      ...(obstacles.length === 0 ? [] : ['', 'Before it can be closed:', ...obstacles]),
      '',
      accountsTable(view),
      '',
      idsTable(view),
      '',
      debitsTable(view),
    ].join('\n'),
  }
}

const accountsTable = ({ accounts }: GapView): string =>
  table(
    ['ACCOUNT', 'FROM', 'TO', 'STATEMENTS', 'WAIVED'],
    accounts.map(({ accountCode, period, coverage, waiver }) => [
      ...[accountCode, period.firstDay, period.lastDay, stateOf(coverage)],
      waiver === undefined ? '' : `${waiver.by}: ${waiver.reason}`,
    ]),
    'Payouts leave no account by files.',
  )

function stateOf({ isComplete, untilDay }: GapView['accounts'][number]['coverage']): string {
  if (isComplete) return 'complete'
  return untilDay === undefined ? 'missing' : `until ${untilDay}`
}

const idsTable = ({ ids, debits }: GapView): string =>
  table(
    ['MERCHANT', 'KIND', 'ID', 'REFERENCE', 'ON A STATEMENT'],
    ids.map((id) => [
      ...[id.merchantCode, id.kind, id.idPayment, id.reference],
      debits.find(({ references }) => references.includes(id.reference))?.lineId ?? '',
    ]),
    'No ids of the gap are named.',
  )

const debitsTable = ({ debits }: GapView): string =>
  table(
    ['LINE', 'ACCOUNT', 'DAY', 'MONEY', 'REFERENCE', 'ID', 'OPEN'],
    debits.map((debit) => [
      ...[debit.lineId, debit.accountCode, debit.bookedOn, `${debit.amount} ${debit.currencyCode}`],
      ...[debit.references.join(', '), debit.idPayment ?? '', debit.isOpen ? 'yes' : ''],
    ]),
    'No money left that belongs to no payment, by the statements so far.',
  )

/** `tollgate restore-gap open`. */
export function open(shell: Shell, lostFrom: Date, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.hold',
    work: async (house, { code }) => {
      if (lostFrom.getTime() > shell.clock.nowMs())
        throw new CommandFailure('USAGE', '--since is in the future.')
      const opened = await buildRestoreGap(house).open({
        lostFrom,
        operatorCode: code,
        fileRails: FILE_RAILS,
      })
      return {
        json: opened,
        text: `A restore gap is open: no money leaves. ${opened.held} payments are on hold; institutions are asked about ${opened.asked}.`,
        notes: ['Next: docs/backup.md, "After a restore".'],
      }
    },
  })
}

/** `tollgate restore-gap ids`. */
export function name(
  shell: Shell,
  wish: { readonly merchant: string; readonly file: string; readonly isSettlement: boolean },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.hold',
    work: async (house, { code }) => {
      const idPayments = readIds((await readFileOrInput(shell, wish.file)).toString('utf8'))
      const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(wish.merchant)
      const { merchantId } = merchant
      const kind = wish.isSettlement ? 'SETTLEMENT' : 'PAYOUT'
      const { added, known } = await orExplain(
        buildRestoreGap(house).name({ merchantId, kind, idPayments }, code),
      )
      return {
        json: { named: idPayments.length, added, known },
        text: `${added} of ${idPayments.length} ids are new. None of them is accepted again, nor handed over.`,
        notes:
          known.length === 0
            ? []
            : [
                `${known.length} of them have a payment from before the backup: ${known.slice(0, 20).join(', ')}`,
              ],
      }
    },
  })
}

function readIds(text: string): readonly string[] {
  const ids = new Set<string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const id = line.trim()
    if (id === '') continue
    try {
      ids.add(idPayment(id))
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      throw new CommandFailure(
        'USAGE',
        `Line ${index + 1} is no id: ${error.message} Write one id on each line. Nothing was noted.`,
      )
    }
  }
  if (ids.size === 0) throw new CommandFailure('USAGE', 'The file names no id. Write one id on each line.')
  if (ids.size > IDS_MAX) throw new CommandFailure('USAGE', `At most ${IDS_MAX} ids can be named at once.`)
  return [...ids]
}

/** `tollgate restore-gap waive`. */
export function waive(
  shell: Shell,
  wish: { readonly accountCode: string; readonly reason: string },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.release',
    work: async (house, { code }) => {
      await orExplain(buildRestoreGap(house).waive({ operatorCode: code, ...wish }))
      return {
        json: { waived: wish.accountCode },
        text: `No statement of ${wish.accountCode} is waited for. Who closes the gap has to name the account.`,
      }
    },
  })
}

/** `tollgate restore-gap propose`. */
export function propose(shell: Shell, reason: string, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.release',
    work: async (house, { code }) =>
      reportOf(await orExplain(buildRestoreGap(house).propose({ operatorCode: code, reason }))),
  })
}

/** `tollgate restore-gap close`. */
export function close(
  shell: Shell,
  wish: { readonly digest: string; readonly reason: string; readonly withoutAccounts: readonly string[] },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'payments.release',
    work: async (house, { code }) => {
      await orExplain(buildRestoreGap(house).close({ operatorCode: code, ...wish }))
      return {
        json: { closed: true },
        text: 'The gap is closed: payouts are accepted and handed over again.',
        notes: [
          'What the restore put on hold stays so: release or cancel each when you know whether it was paid (`tollgate payouts list --on-hold`, `tollgate payments release` and `cancel`).',
        ],
      }
    },
  })
}
