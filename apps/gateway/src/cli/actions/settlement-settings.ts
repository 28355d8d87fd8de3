import { type Amount, isPositive, parseAmount, rawAmount } from '@tollgate/money'
import {
  type AccountView,
  type CycleRule,
  parseCycle,
  printCycle,
  type SettlementCycle,
} from '../../modules/settlements/index.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { inHouse } from '../house.ts'
import { openSettlements } from '../settlement-house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

interface CycleWish {
  readonly merchant: string
  readonly currency: string
  readonly cycle: string
  readonly minimum?: string
  readonly settleIn?: string
  readonly rateList?: string
}

/** `tollgate settlements set-cycle`. */
export function setCycle(shell: Shell, wish: CycleWish): Promise<Report> {
  const rule = readCycle(wish.cycle)
  const minimum = readMinimum(wish.minimum)
  const settleIn = readTarget(wish)
  return inHouse(shell, async (house) => {
    const { administration, merchantIdOf } = await openSettlements(shell, house)
    const cycle = await administration.setCycle({
      ...{ merchantId: await merchantIdOf(wish.merchant), currencyCode: wish.currency },
      ...{ rule, minimum, settleIn },
    })
    return {
      json: presentCycle(cycle),
      text: `${wish.currency} of ${wish.merchant} is settled ${printCycle(rule)}; the next time is ${moment(cycle.dueAt)}.`,
    }
  })
}

function readCycle(text: string): CycleRule {
  const rule = parseCycle(text)
  if (rule !== undefined) return rule
  throw new CommandFailure(
    'USAGE',
    `--cycle must be t+0 to t+60, daily, weekly:mon to weekly:sun, or monthly; it is ${JSON.stringify(text)}.`,
  )
}

function readMinimum(text: string | undefined): Amount | undefined {
  if (text === undefined) return undefined
  const amount = parseAmount(text)
  if (amount !== undefined && isPositive(amount)) return amount
  throw new CommandFailure('USAGE', `--minimum must be a number above zero; it is ${JSON.stringify(text)}.`)
}

function readTarget({ settleIn, rateList }: CycleWish): SettlementCycle['settleIn'] {
  if (settleIn === undefined && rateList === undefined) return undefined
  if (settleIn !== undefined && rateList !== undefined) return { currencyCode: settleIn, listCode: rateList }
  throw new CommandFailure('USAGE', '--settle-in and --rate-list belong together.')
}

interface AccountWish {
  readonly merchant: string
  readonly currency: string
  readonly method: string
  readonly operator?: string
  readonly accountFile: string
}

/** `tollgate settlements set-account`. */
export async function setAccount(shell: Shell, wish: AccountWish): Promise<Report> {
  const account = parse((await readFileOrInput(shell, wish.accountFile)).toString('utf8'))
  return inHouse(shell, async (house) => {
    const { administration, merchantIdOf } = await openSettlements(shell, house)
    const stored = await administration.setAccount({
      ...{ merchantId: await merchantIdOf(wish.merchant), currencyCode: wish.currency },
      ...{ methodCode: wish.method, operatorCode: wish.operator, account },
    })
    return {
      json: presentAccount(stored),
      text: `${wish.merchant} is paid out in ${wish.currency} by ${wish.method} to ${stored.maskedNumber}.`,
      notes: ['The account is stored encrypted and never shown again. Settlements under way keep theirs.'],
    }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailure('USAGE', 'The account file is not valid JSON.')
  }
}

/** `tollgate settlements show` of a merchant. */
export function showTerms(shell: Shell, merchant: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { administration, merchantIdOf } = await openSettlements(shell, house)
    const merchantId = await merchantIdOf(merchant)
    const cycles = await administration.listCycles(merchantId)
    const accounts = await administration.listAccounts(merchantId)
    const cycleTable = table(
      ['CURRENCY', 'CYCLE', 'MINIMUM', 'SETTLED IN', 'RUN UNTIL', 'NEXT'],
      cycles.map((cycle) => [
        ...[cycle.currencyCode, printCycle(cycle.rule), cycle.minimum ?? '-', targetOf(cycle)],
        ...[cycle.runUntil === undefined ? '-' : moment(cycle.runUntil), moment(cycle.dueAt)],
      ]),
      `${merchant} has no settlement cycle: what it earns stays not settled.`,
    )
    const accountTable = table(
      ['CURRENCY', 'METHOD', 'OPERATOR', 'ACCOUNT', 'SINCE'],
      accounts.map((account) => [
        ...[account.currencyCode, account.methodCode, account.operatorCode ?? '-'],
        ...[account.maskedNumber, moment(account.updatedAt)],
      ]),
      `${merchant} has no registered account.`,
    )
    return {
      json: { cycles: cycles.map(presentCycle), accounts: accounts.map(presentAccount) },
      text: `${cycleTable}\n\n${accountTable}`,
    }
  })
}

const targetOf = ({ currencyCode, settleIn }: SettlementCycle): string =>
  settleIn === undefined ? currencyCode : `${settleIn.currencyCode} by ${settleIn.listCode}`

const presentCycle = (cycle: SettlementCycle): Record<string, unknown> => ({
  currencyCode: cycle.currencyCode,
  cycle: printCycle(cycle.rule),
  minimum: cycle.minimum === undefined ? null : rawAmount(cycle.minimum),
  settleIn: cycle.settleIn?.currencyCode ?? null,
  rateListCode: cycle.settleIn?.listCode ?? null,
  runUntil: cycle.runUntil ?? null,
  dueAt: cycle.dueAt,
})

const presentAccount = (account: AccountView): Record<string, unknown> => ({
  currencyCode: account.currencyCode,
  paymentMethodCode: account.methodCode,
  paymentOperatorCode: account.operatorCode ?? null,
  accountNumber: account.maskedNumber,
  updatedAt: account.updatedAt,
})
