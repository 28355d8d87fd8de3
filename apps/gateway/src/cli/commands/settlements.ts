import type {
  OperatorSettlementListSchema,
  OperatorSettlementSchema,
  Printed,
  RegisteredAccountSchema,
  SettlementCycleSchema,
  SettlementRunResultSchema,
  SettlementTermsSchema,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { A_MOMENT, readMoment } from '../../platform/moments.ts'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import { get, type OperatorOptions, pathOf, put } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { code, idPayment, positiveNumber } from '../values.ts'
import { LIMIT } from './options.ts'

type Settlement = Printed<typeof OperatorSettlementSchema>
type Terms = Printed<typeof SettlementTermsSchema>
type RunResult = Printed<typeof SettlementRunResultSchema>

interface RunOptions extends OperatorOptions {
  readonly merchant?: string
  readonly all?: true
  readonly currency?: string
  readonly until?: string
  readonly dryRun?: true
}

const run = clientCommand({
  command: 'run',
  says: 'settle the periods that are due; the worker does so by itself',
  options: [
    { flags: '--merchant <code>', says: 'only of this merchant' },
    { flags: '--all', says: 'of all merchants' },
    { flags: '--currency <currency>', says: 'only this currency', read: code },
    {
      flags: '--until <date>',
      says: 'settle one period that ends then, whatever the cycle: a day (00:00 UTC), a moment in UTC, or now',
      read: until,
    },
    { flags: '--dry-run', says: 'show what would happen and change nothing' },
  ],
  permission: 'settlements.run',
  asks: (_typed, { merchant, all, currency, until: end, dryRun }: RunOptions) => {
    requireExtent(all, merchant)
    return {
      method: 'POST',
      path: '/operator/settlements/!run',
      body: { merchantCode: merchant, isForAll: all, currencyCode: currency, until: end, isDry: dryRun },
      isLong: true,
    }
  },
  shows: ({ isDry, cycleCount, data }: RunResult, pen) => {
    const waits = data.some(({ result }) => result === 'WAITS')
    return {
      text: pen.table(
        ['MERCHANT', 'CURRENCY', 'UNTIL', 'RESULT', 'NET', 'SETTLEMENT'],
        data.map(({ merchantCode, currencyCode, until: end, result, problem, net, settlement }) => [
          merchantCode,
          currencyCode,
          pen.momentOf(end),
          result === 'WAITS' ? `waits: ${problem ?? ''}` : (RESULTS[result] ?? result),
          net === undefined ? '' : pen.amount(net.amount),
          settlement?.idSettlement ?? '',
        ]),
        cycleCount === 0
          ? 'No settlement cycles. `tollgate settlements set-cycle` sets one.'
          : 'Nothing is due. `--until now` settles all the same.',
      ),
      notes: [
        ...(isDry && cycleCount > 0 ? ['Dry run: nothing was changed.'] : []),
        ...(waits ? ['What waits is tried again by the worker, and later periods after it.'] : []),
      ],
      ...(waits && { exitCode: EXIT_CODES.REFUSED }),
    }
  },
})

const RESULTS: Readonly<Record<string, string>> = {
  SETTLED: 'settled',
  ALREADY_RUN: 'run already',
  NOTHING: 'nothing to settle',
  NOT_POSITIVE: 'carried: nothing is left after fees and recalls',
  BELOW_MINIMUM: 'carried: below the minimum',
}

/** Whoever forgets the merchant must not settle everybody's money. */
function requireExtent(all: true | undefined, merchant: string | undefined): void {
  if (all === undefined && merchant === undefined)
    throw new CommandFailure('USAGE', 'Name the merchant (--merchant <code>), or all of them (--all).')
  if (all !== undefined && merchant !== undefined)
    throw new CommandFailure('USAGE', '--merchant and --all exclude each other.')
}

function until(text: string): string {
  if (text.toLowerCase() === 'now') return 'NOW'
  if (readMoment(text) !== undefined) return text
  throw new CommandFailure('USAGE', `--until must be now, ${A_MOMENT}; it is ${JSON.stringify(text)}.`)
}

const list = clientCommand({
  command: 'list <merchant>',
  says: 'list the settlements of a merchant, the newest first',
  options: [{ flags: '--currency <currency>', says: 'only this currency', read: code }, LIMIT],
  permission: 'settlements.read',
  asks: (
    { merchant },
    { currency, limit }: OperatorOptions & { readonly currency?: string; readonly limit: number },
  ) => ({
    method: 'GET',
    path: pathOf`/operator/settlements/${merchant}`,
    query: { currencyCode: currency },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof OperatorSettlementListSchema>, pen, { merchant }, { currency }) =>
    pen.table(
      ['SETTLEMENT', 'KIND', 'STATUS', 'CURRENCY', 'GROSS', 'FEES', 'ADJUSTMENTS', 'NET', 'CREATED'],
      data.map(({ idSettlement, kind, process, gross, fees, adjustments, net }) => [
        idSettlement,
        kind,
        process.status,
        gross.currencyCode,
        ...[gross, fees, adjustments, net].map((each) => pen.amount(each.amount)),
        pen.momentOf(process.createdAt),
      ]),
      `${merchant} has no settlements${currency === undefined ? '' : ` in ${currency}`}.`,
    ),
})

const show = clientCommand({
  command: 'show <merchant> [id]',
  says: 'show a settlement; without an id, the merchant’s cycles and accounts',
  permission: 'settlements.read',
  asks: ({ merchant, id }) =>
    get(
      id === undefined
        ? pathOf`/operator/settlement-terms/${merchant}`
        : pathOf`/operator/settlements/${merchant}/${idPayment(id)}`,
    ),
  shows: (answer: Settlement | Terms, pen, { merchant }) =>
    'cycles' in answer ? termsText(answer, pen, merchant) : settlementText(answer, pen),
})

function settlementText(settlement: Settlement, pen: Pen): string {
  const { process, period, repaid, conversion, account } = settlement
  const failure = process.failureReasons
  return pen.pairs([
    ['Settlement', `${settlement.idSettlement} of ${settlement.merchantCode} (${settlement.kind})`],
    ['Status', `${process.status}, ${process.processorStatus}`],
    ['Failure', failure && `${failure.failureReasonCode}: ${failure.message}`],
    ['Period', period && `${pen.momentOf(period.from)} to ${pen.momentOf(period.to)}`],
    ['Gross', pen.money(settlement.gross)],
    ['Fees', pen.money(settlement.fees)],
    ['Adjustments', pen.money(settlement.adjustments)],
    ['Net', pen.money(settlement.net)],
    ['Repaid', repaid && pen.money(repaid)],
    [
      'Converted',
      conversion &&
        `${pen.money(conversion.sold)} to ${pen.money(conversion.bought)} by ${conversion.rateListCode}, version ${conversion.version} (${conversion.side} ${pen.amount(conversion.rate)})`,
    ],
    ['Repaid of it', conversion?.repaid && pen.money(conversion.repaid)],
    ['Account', account && `${account.paymentMethodCode} ${account.accountNumber}`],
    ['Reference', settlement.reference],
    ['Created', pen.momentOf(process.createdAt)],
  ])
}

function termsText({ cycles, accounts }: Terms, pen: Pen, merchant: string): string {
  const cycleTable = pen.table(
    ['CURRENCY', 'CYCLE', 'MINIMUM', 'SETTLED IN', 'RUN UNTIL', 'NEXT'],
    cycles.map(({ currencyCode, cycle, minimum, settleIn, runUntil, dueAt }) => [
      currencyCode,
      cycle,
      minimum === undefined ? '-' : pen.amount(minimum.amount),
      settleIn === undefined ? currencyCode : `${settleIn.currencyCode} by ${settleIn.rateListCode}`,
      pen.momentOf(runUntil) ?? '-',
      pen.momentOf(dueAt),
    ]),
    `${merchant} has no settlement cycle: what it earns stays not settled.`,
  )
  const accountTable = pen.table(
    ['CURRENCY', 'METHOD', 'OPERATOR', 'ACCOUNT', 'SINCE', 'SET BY'],
    accounts.map((account) => [
      account.currencyCode,
      account.paymentMethodCode,
      account.paymentOperatorCode ?? '-',
      account.accountNumber,
      pen.momentOf(account.updatedAt),
      account.setBy ?? '-',
    ]),
    `${merchant} has no registered account.`,
  )
  return `${cycleTable}\n\n${accountTable}`
}

interface CycleOptions extends OperatorOptions {
  readonly currency: string
  readonly cycle: string
  readonly minimum?: string
  readonly settleIn?: string
  readonly rateList?: string
}

const setCycle = clientCommand({
  command: 'set-cycle <merchant>',
  says: 'set when the merchant’s money in a currency becomes available',
  options: [
    {
      flags: '--currency <currency>',
      says: 'currency of the payments',
      read: code,
      isRequired: true,
    },
    {
      flags: '--cycle <cycle>',
      says: 't+2, daily, weekly:mon or monthly; periods end at 00:00 UTC',
      read: cycleFrom,
      isRequired: true,
    },
    {
      flags: '--minimum <amount>',
      says: 'smaller sums are carried to the next period',
      read: positiveNumber('--minimum'),
    },
    { flags: '--settle-in <currency>', says: 'make it available in another currency', read: code },
    { flags: '--rate-list <code>', says: 'rate list for the conversion', read: code },
  ],
  permission: 'merchants.change',
  asks: ({ merchant }, { currency, cycle, minimum, settleIn, rateList }: CycleOptions) => {
    if ((settleIn === undefined) !== (rateList === undefined))
      throw new CommandFailure('USAGE', '--settle-in and --rate-list belong together.')
    const target = settleIn === undefined ? undefined : { currencyCode: settleIn, rateListCode: rateList }
    return put(pathOf`/operator/settlement-terms/${merchant}/cycles/${currency}`, {
      cycle,
      minimum,
      settleIn: target,
    })
  },
  shows: ({ currencyCode, cycle, dueAt }: Printed<typeof SettlementCycleSchema>, pen, { merchant }) =>
    `${currencyCode} of ${merchant} is settled ${cycle}; the next time is ${pen.momentOf(dueAt)}.`,
})

const CYCLE = /^(?:t[+]\d{1,2}|daily|weekly:(?:mon|tue|wed|thu|fri|sat|sun)|monthly)$/

function cycleFrom(text: string): string {
  const cycle = text.toLowerCase()
  if (CYCLE.test(cycle)) return cycle
  throw new CommandFailure(
    'USAGE',
    `--cycle must be t+0 to t+60, daily, weekly:mon to weekly:sun, or monthly; it is ${JSON.stringify(text)}.`,
  )
}

interface AccountOptions extends OperatorOptions {
  readonly currency: string
  readonly method: string
  readonly operator?: string
  readonly accountFile: string
}

const setAccount = clientCommand({
  command: 'set-account <merchant>',
  says: 'register the account for the merchant’s settlements in a currency',
  options: [
    { flags: '--currency <currency>', says: 'currency of the settlements', read: code, isRequired: true },
    {
      flags: '--method <method>',
      says: 'payment method, such as BANK_TRANSFER',
      read: code,
      isRequired: true,
    },
    {
      flags: '--operator <operator>',
      says: 'bank or wallet, if the method has several',
      read: code,
    },
    {
      flags: '--account-file <file>',
      says: 'JSON with accountNumber and, as the method needs them, accountName, bankCode and emailAddress; - for standard input',
      isRequired: true,
    },
  ],
  permission: 'merchants.change',
  asks: async ({ merchant }, { currency, method, operator, accountFile }: AccountOptions, shell) =>
    put(pathOf`/operator/settlement-terms/${merchant}/accounts/${currency}`, {
      paymentMethodCode: method,
      paymentOperatorCode: operator,
      account: parsed(await readTextOrInput(shell, accountFile)),
    }),
  shows: (account: Printed<typeof RegisteredAccountSchema>, _pen, { merchant }) => ({
    text: `${merchant} is paid out in ${account.currencyCode} by ${account.paymentMethodCode} to ${account.accountNumber}.`,
    notes: ['The account is stored encrypted and never shown again. Settlements under way keep theirs.'],
  }),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('USAGE', 'The account file is not valid JSON.')
  }
}

/** Settlements: when merchants' money becomes free, and where it is paid out to. */
export function addSettlementCommands(program: Command, shell: Shell): void {
  const settlements = program
    .command('settlements')
    .description('when merchants’ money becomes available, and their payout accounts')
  for (const command of [run, list, show, setCycle, setAccount]) command.addTo(settlements, shell)
}
