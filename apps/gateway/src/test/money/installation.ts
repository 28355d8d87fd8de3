import { randomUUID } from 'node:crypto'
import { systemClock } from '@tollgate/runtime'
import type { Finding } from '../../modules/ledger/index.ts'
import { inLockOrder } from '../../modules/ledger/model.ts'
import { bookEntries } from '../../modules/ledger/service.ts'
import { lockBalances } from '../../modules/ledger/store.ts'
import type { PaymentKey } from '../../modules/payments/index.ts'
import { updatePhase } from '../../modules/payments/store.ts'
import { newPayment, type Rig } from '../../modules/payments/test/rig.ts'
import { SETTLEMENT_CHECKS } from '../../modules/settlements/index.ts'
import { type Database, resolveUnknown } from '../../platform/database.ts'
import { verifyBooks } from '../../rooms/books.ts'
import { type Books, settledEntries } from './books.ts'
import {
  type Change,
  type Command,
  type Creation,
  feeOf,
  moneyOf,
  outcomeOfSettling,
  type PhaseChange,
  proposalOf,
  type Settling,
  settledOf,
  unitsOf,
} from './commands.ts'

/** The gateway's rooms on PostgreSQL, for the merchants of one run. */
export interface Installation {
  /** Does to the database what `apply` does to books, and answers alike. */
  perform(command: Command): Promise<readonly string[]>
  /** The same from another process. */
  performElsewhere(command: Command): Promise<readonly string[]>
  /** What `printState` prints of books that agree with the database. */
  readState(): Promise<string>
}

export const MERCHANTS_PER_RUN = 3

/** A installation whose merchants 1, 2 and 3 are those behind `base` in the database. */
export function openInstallation(
  rig: Rig,
  services: readonly [Rig['service'], Rig['service']],
  base: number,
): Installation {
  const [here, there] = services.map((service): Desk => ({ rig, service, base }))
  if (here === undefined || there === undefined) throw new Error('a installation has two services')
  return {
    perform: (command) => perform(here, command),
    performElsewhere: (command) => perform(there, command),
    async readState() {
      const rows = await rig.db.rows<{ line: string }>(STATE, [base, MERCHANTS_PER_RUN])
      return linesOf(rows.map(({ line }) => line))
    },
  }
}

interface Desk {
  readonly rig: Rig
  readonly service: Rig['service']
  readonly base: number
}

const merchantAt = ({ base }: Desk, merchantId: string): string => String(base + Number(merchantId))
const keyAt = (desk: Desk, key: PaymentKey): PaymentKey => ({
  ...key,
  merchantId: merchantAt(desk, key.merchantId),
})

async function perform(desk: Desk, command: Command): Promise<readonly string[]> {
  switch (command.name) {
    case 'CREATE':
      return [await create(desk, command)]
    case 'PROPOSE':
      return Promise.all(command.changes.map((change) => propose(desk, change)))
    case 'PHASE':
      return [await changePhase(desk, command)]
    case 'TIME':
      await desk.rig.db.rows(END_TIME_TO_PAY, [desk.base, MERCHANTS_PER_RUN])
      return ['OVER']
    case 'SETTLE':
      return [await settle(desk, command)]
  }
}

async function create(desk: Desk, command: Creation): Promise<string> {
  const { amount, currencyCode } = command.money
  const verdict = await desk.service.accept(
    newPayment({
      ...keyAt(desk, command.key),
      amount,
      currencyCode,
      feeAmount: feeOf(command).amount,
      ...(command.key.kind === 'SETTLEMENT' && { callbackUrl: undefined }),
    }),
  )
  return verdict.kind
}

const UNKNOWN_MONEY = moneyOf(1n, 'EUR')

async function propose(desk: Desk, { key, report }: Change): Promise<string> {
  const there = keyAt(desk, key)
  // Its money never changes, so it does not matter when it is looked up.
  const payment = await desk.service.find(there)
  const outcome = await desk.service.propose(there, proposalOf(report, payment?.money ?? UNKNOWN_MONEY))
  return outcome.kind === 'CHANGED' ? `CHANGED ${outcome.status}` : outcome.kind
}

async function changePhase(desk: Desk, { key, phase }: PhaseChange): Promise<string> {
  const there = keyAt(desk, key)
  const payment = await desk.service.find(there)
  const isOut = key.kind === 'PAYOUT' || key.kind === 'SETTLEMENT'
  if (payment?.status !== 'CREATED' || (phase === 'SUBMITTED' && !isOut)) return 'NOTHING'
  await updatePhase(desk.rig.db, { ...there, status: 'CREATED', processorStatus: phase, actor: 'test' })
  if (phase === 'SUBMITTED') await desk.rig.db.rows(SUBMIT, [there.merchantId, there.kind, there.idPayment])
  return 'DONE'
}

/** Settlements are bookings alone here, without records, and phases are set by hand, without tasks. */
const LEFT_OUT = new Set([...SETTLEMENT_CHECKS.map(({ name }) => name), 'submitted_payments_are_asked_about'])

/** What is wrong in the books. */
export async function findingsIn(db: Pick<Database, 'transaction'>): Promise<readonly Finding[]> {
  return (await verifyBooks(db)).findings.filter(({ check }) => !LEFT_OUT.has(check))
}

/** As the settlements do it: what is there is read under the lock under which it is moved. */
async function settle(desk: Desk, settling: Settling): Promise<string> {
  const { currencyCode, into } = settling
  const merchantId = merchantAt(desk, settling.merchantId)
  const keys = [currencyCode, ...(into === undefined ? [] : [into])].map((code) => ({
    merchantId,
    currencyCode: code,
  }))
  return resolveUnknown(systemClock, () =>
    desk.rig.db.transaction(async (tx) => {
      const balances = await lockBalances(tx, inLockOrder(keys))
      const held = balances.find((balance) => balance.currencyCode === currencyCode)?.notSettled
      const found = held && settledOf(settling, unitsOf({ amount: held, currencyCode }))
      if (found) {
        const idPayment = `cycle-${randomUUID()}`
        await bookEntries(tx, settledEntries(found, { merchantId, idPayment, idOf: () => randomUUID() }))
      }
      return outcomeOfSettling(found)
    }),
  )
}

const OF_RUN = 'merchant_id > $1::bigint and merchant_id <= $1::bigint + $2::bigint'
const END_TIME_TO_PAY = {
  name: 'test_end_time_to_pay',
  text: `update payments set expire_at = clock_timestamp() - interval '1 s' where ${OF_RUN}`,
}
const SUBMIT = {
  name: 'test_submit',
  text: 'update payments set submitted_at = now() where merchant_id = $1 and kind = $2 and id_payment = $3',
}
const MERCHANT = 'merchant_id - $1::bigint'
const STATE = {
  name: 'test_state',
  text: `select concat_ws(' ', ${MERCHANT}, currency_code, trim_scale(available), trim_scale(not_settled), trim_scale(reserved), trim_scale(receivable)) as line
    from balances where ${OF_RUN} and (available, not_settled, reserved, receivable) <> (0, 0, 0, 0)
    union all select concat_ws(' ', ${MERCHANT}, kind, id_payment, status, processor_status) from payments where ${OF_RUN}
    union all select concat_ws(' ', ${MERCHANT}, kind, id_payment, event) from ledger_transfers where ${OF_RUN} and event not like 'SETTLED%'
    union all select concat_ws(' ', ${MERCHANT}, event, count(*)) from ledger_transfers where ${OF_RUN} and event like 'SETTLED%' group by merchant_id, event`,
}

const linesOf = (lines: readonly string[]): string => lines.toSorted().join('\n')

/** Balances that are not all zero, payments with their phase, and what was booked of each: all that can be compared. */
export function printState({ balances, payments, transfers }: Books): string {
  const settled = new Map<string, number>()
  const booked: string[] = []
  for (const { merchantId, kind, idPayment, event } of transfers) {
    const name = `${merchantId} ${event}`
    if (event.startsWith('SETTLED')) settled.set(name, (settled.get(name) ?? 0) + 1)
    else booked.push(`${merchantId} ${kind} ${idPayment} ${event}`)
  }
  const kept = [...balances.values()].map(
    ({ merchantId, currencyCode, available, notSettled, reserved, receivable }) =>
      `${merchantId} ${currencyCode} ${available} ${notSettled} ${reserved} ${receivable}`,
  )
  return linesOf([
    ...kept.filter((line) => !line.endsWith(' 0 0 0 0')),
    ...[...payments.values()].map(
      ({ merchantId, kind, idPayment, status, processorStatus }) =>
        `${merchantId} ${kind} ${idPayment} ${status} ${processorStatus}`,
    ),
    ...booked,
    ...[...settled].map(([name, count]) => `${name} ${count}`),
  ])
}
