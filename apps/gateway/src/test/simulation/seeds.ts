import type { Name, Order } from './client.ts'
import type { Command } from './commands.ts'

/** Days that once went wrong, and what that showed. */
export const DAYS_KEPT: readonly { readonly seed: number; readonly days: number; readonly found: string }[] =
  [
    {
      seed: 1,
      days: 1,
      found:
        'the simulated institution bound its answers to no request, so that every outcome stayed unknown',
    },
    {
      seed: 129,
      days: 2,
      found: 'money that moves in the last seconds of a run was called lost while its message was on its way',
    },
    {
      seed: 916_089_350,
      days: 4,
      found: 'a payment that another request made while it was read was called lost',
    },
  ]

const order: Order = {
  merchantId: '1',
  id: 'a',
  amount: 1,
  currencyCode: 'EUR',
  token: 'FULL',
  kind: 'PAYIN',
  methodCode: 'TRANSFER',
}
const of: Name = { merchantId: '1', kind: 'PAYIN', id: 'a' }

const topUp: Order = { ...order, kind: 'TOPUP', amount: 10 }
const payout: Order = { ...order, kind: 'PAYOUT', amount: 9 }
const FUNDED: readonly Command[] = [
  { name: 'CREATE', ...topUp },
  { name: 'DECIDE', of: topUp, outcome: 'PAID', copies: 1 },
]

interface Kept {
  readonly commands: readonly Command[]
  /** Of the world it went wrong in; 1 where it goes wrong in any. */
  readonly world?: number
  readonly found: string
}

/** Histories that once went wrong, as short as they could be made, and what they showed. */
export const HISTORIES_KEPT: readonly Kept[] = [
  {
    commands: [
      { name: 'CREATE', ...order },
      { name: 'DECIDE', of, outcome: 'RETURNED', copies: 1 },
    ],
    found: 'the simulated institution gave back money that had not moved',
  },
  {
    commands: [
      { name: 'BREAK', site: 'payments_insert', fault: 'CRASH_BEFORE' },
      { name: 'STORM', ...order, count: 2 },
    ],
    found: 'the model expected an answer of a process that had died',
  },
  {
    commands: [
      { name: 'BREAK', site: 'begin', fault: 'CRASH_BEFORE' },
      { name: 'STORM', ...order, methodCode: 'WALLET', count: 11 },
    ],
    found: 'a process that is started anew has counted nobody against the rate limit',
  },
  {
    commands: [
      { name: 'CREATE', ...order },
      { name: 'BREAK', site: 'rail_notifications_update_done', fault: 'UNAVAILABLE' },
      { name: 'DECIDE', of, outcome: 'OTHER_MONEY', copies: 3 },
      { name: 'DECIDE', of, outcome: 'PAID', copies: 1 },
    ],
    found:
      'each message about other money is an entry of the timeline, and the model looked at the first ones only',
  },
  {
    commands: [
      { name: 'CREATE', ...order },
      { name: 'FAIL_OVER', site: 'begin', cutOffMs: 2_000, awayMs: 0, keptShare: 1 },
      { name: 'WAIT', minutes: 4_500 },
    ],
    found: 'an attempt whose claim nobody heard of is begun again, though nobody has died',
  },
  {
    commands: [
      { name: 'FAIL_OVER', site: 'begin', cutOffMs: 0, awayMs: 0, keptShare: 0 },
      { name: 'STORM', ...order, count: 2 },
      { name: 'WAIT', minutes: 5 },
      { name: 'STORM', ...order, count: 2 },
    ],
    found: 'a failover that began at the end of a rest met a storm that nobody expected to be disturbed',
  },
  {
    world: 0,
    commands: [
      { name: 'CREATE', ...order },
      { name: 'FAIL_OVER', site: 'begin', cutOffMs: 0, awayMs: 0, keptShare: 0 },
      { name: 'CREATE', ...order, id: 'c' },
      { name: 'DECIDE', of: { ...of, id: 'b' }, outcome: 'PAID', copies: 1 },
      { name: 'CREATE', ...order, kind: 'TOPUP' },
      { name: 'REVOKE', merchantId: '1' },
      { name: 'REVOKE', merchantId: '1' },
      { name: 'STORM', ...order, token: 'SPARE', count: 2 },
    ],
    found:
      'nobody who comes with a revoked token during a failover is let in, and some hear 500 instead of 401',
  },
  {
    commands: [
      ...FUNDED,
      { name: 'CREATE', ...payout },
      { name: 'ADJUST', of: payout, outcome: 'NOT_EXECUTED', by: ['ANNA', 'BERT'] },
      { name: 'CREATE', ...payout, id: 'b' },
      { name: 'ADJUST', of: payout, outcome: 'EXECUTED', by: ['BERT', 'ANNA'] },
    ],
    found: 'two people said that a payout had been paid after all, and the model refused them',
  },
  {
    commands: [
      ...FUNDED,
      { name: 'CREATE_HELD', ...payout, by: 'ANNA' },
      { name: 'CANCEL_HELD', of: payout, by: 'ANNA' },
    ],
    found: 'one operator called off what no institution had, and the properties asked for two',
  },
  {
    commands: [
      ...FUNDED,
      { name: 'CREATE', ...payout, amount: 1 },
      { name: 'CREATE', ...payout, amount: 1, id: 'b' },
      { name: 'WAIT', minutes: 4_500 },
      { name: 'WAIT', minutes: 4_500 },
    ],
    found: 'who asks once an hour for a week asks more often than was thought enough',
  },
]
