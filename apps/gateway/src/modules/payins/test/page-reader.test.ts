import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRIGGER_OUTCOMES } from '@tollgate/contract/words'
import { type Money, parsePlainAmount } from '@tollgate/money'
import { createLog } from '@tollgate/runtime/log'
import type { Plan, Rail, RailPayment } from '../../../rails/rail.ts'
import { createSandboxRail } from '../../../rails/sandbox/index.ts'
import { triggerOutcome, updatePhase } from '../../payments/index.ts'
import { createPageReader } from '../page-reader.ts'
import { bodyOf, openRig, type Rig } from './rig.ts'

const eur = (amount: string): Money => ({ amount: parsePlainAmount(amount), currencyCode: 'EUR' })
const sandbox = createSandboxRail({ simulatorUrl: 'https://simulator.example' })
/** Names the amount in its code, as every code does. */
const coded: Rail = {
  ...sandbox,
  plan(payment: RailPayment): Plan {
    const plan = sandbox.plan(payment)
    const content = `pay ${payment.money.amount} for ${payment.reference}`
    return { ...plan, instructions: { ...plan.instructions, qr: { format: 'TEST', content } } }
  },
}

async function open(
  rig: Rig,
  { waiting, rail = coded }: { readonly waiting?: Money | undefined; readonly rail?: Rail } = {},
) {
  const reader = createPageReader({
    intake: rig.intake,
    payments: rig.payments,
    rails: new Map([[rail.code, rail]]),
    findWaitingMoney: () => Promise.resolve(waiting),
    findConfirmations: () => Promise.resolve({ count: 2, needed: 12 }),
  })
  return reader.read(rig.caller, 'ORD-1')
}

test('of a payment without money the page sees what the merchant sees, and no more', async (t) => {
  const rig = await openRig(t, { rail: coded })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  const { payment, arrived, timeline } = await open(rig)
  assert.equal(payment.idPayment, 'ORD-1')
  assert.equal(arrived, undefined)
  assert.deepEqual(timeline, [])
})

test('a part of the money leaves a rest, with a code for the rest under the same reference', async (t) => {
  const rig = await openRig(t, { rail: coded })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf({ amount: 149.9 }))
  const { payment, arrived } = await open(rig, { waiting: eur('100') })
  assert.deepEqual(arrived, {
    money: eur('100'),
    rest: { money: eur('49.9'), qr: { format: 'TEST', content: `pay 49.9 for ${payment.reference}` } },
  })
})

/** Coins go to an address of the payment's own. */
const coins: Rail = {
  ...sandbox,
  objectTo: () => undefined,
  plan({ money, reference }: RailPayment): Plan {
    const address = `0x${Buffer.from(reference.padEnd(20)).toString('hex')}`
    const content = `ethereum:${address}?value=${money.amount}`
    const wallet = { address, network: 'Base', chainId: '8453' }
    return { instructions: { wallet, qr: { format: 'EIP-681', content } }, startsAtOnce: false }
  },
}

test('a part of the coins leaves a rest to the same address, and coins in a block say how many are on top', async (t) => {
  const rig = await openRig(t, { rail: coins })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf({ amount: 149.9 }))
  const before = await open(rig, { waiting: eur('100'), rail: coins })
  const { address = '' } = before.payment.instructions.wallet ?? {}
  assert.deepEqual(before.arrived?.rest, {
    money: eur('49.9'),
    qr: { format: 'EIP-681', content: `ethereum:${address}?value=49.9` },
  })
  assert.equal(before.confirmations, undefined)
  await updatePhase(rig.db, {
    merchantId: before.payment.merchantId,
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    status: 'CREATED',
    processorStatus: 'DETECTED',
    actor: 'chain',
  })
  assert.deepEqual((await open(rig, { rail: coins })).confirmations, { count: 2, needed: 12 })
})

test('the whole of it, or more, leaves no rest', async (t) => {
  const rig = await openRig(t, { rail: coded })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  for (const amount of ['100', '120'])
    assert.deepEqual((await open(rig, { waiting: eur(amount) })).arrived, { money: eur(amount) })
})

test('where money goes to another account by now, nobody is given a code to it', async (t) => {
  const rig = await openRig(t, { rail: coded })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  const account = { accountName: 'X', accountNumber: 'Y', bankCode: 'Z', bankName: 'Z' }
  const moved: Rail = {
    ...coded,
    plan: (payment) => ({ ...coded.plan(payment), instructions: { account } }),
  }
  const closed: Rail = { ...coded, objectTo: () => ({ code: 'CHANNEL_UNAVAILABLE', message: 'No.' }) }
  for (const rail of [moved, closed])
    assert.deepEqual((await open(rig, { waiting: eur('40'), rail })).arrived, {
      money: eur('40'),
      rest: { money: eur('60') },
    })
})

test('other money that an institution tells of is shown until people have looked at it, and to no merchant', async (t) => {
  const rig = await openRig(t, { rail: coded })
  await rig.payins.create(rig.caller, 'ORD-1', bodyOf())
  const before = await rig.payins.read(rig.caller, 'ORD-1')
  const deps = { ...rig, log: createLog({ level: 'silent' }) }
  assert.ok(TRIGGER_OUTCOMES.includes('partial'))
  assert.equal((await triggerOutcome(deps, before, 'partial')).kind, 'IN_REVIEW')
  const { payment, arrived, timeline } = await open(rig)
  assert.deepEqual(arrived?.money, eur('50'))
  assert.deepEqual(arrived.rest?.money, eur('50'))
  assert.deepEqual(
    timeline.map(({ processorStatus }) => processorStatus),
    ['AWAITING_CUSTOMER', 'IN_REVIEW'],
  )
  await triggerOutcome(deps, payment, 'paid')
  const paid = await open(rig)
  assert.equal(paid.payment.status, 'SUCCESS')
  assert.deepEqual(paid.payment.received, eur('100'))
  assert.equal(paid.arrived, undefined)
})
