import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceFormsOf, toCreditorReference } from '@tollgate/payment-codes'
import { faultsOf, openRig } from './rig.ts'

test('a payment is found by its reference in whatever form a bank or a customer writes it', async (t) => {
  const rig = await openRig(t)
  const references = [
    '7Q2M8KX4ZC0D',
    '7Q2M8KX4ZC1E',
    '7Q2M8KX4ZC2F',
    '7Q2M8KX4ZC3G',
    '7Q2M8KX4ZC4H',
    '7Q2M8KX4ZC5J',
  ]
  const payins = []
  for (const reference of references) payins.push(await rig.accept({ reference }))
  const { matched } = await rig.take({
    statements: [
      {
        entries: [
          { amount: '100', text: 'thanks 7Q2M8KX4ZC0D bye' },
          { amount: '100', text: 'ref 7q2m 8kx4 zc1e' },
          { amount: '100', structured: toCreditorReference('7Q2M8KX4ZC2F') },
          {
            amount: '100',
            text: `RF ${toCreditorReference('7Q2M8KX4ZC3G')
              .slice(2)
              .replace(/(.{4})/g, '$1 ')}`,
          },
          { amount: '100', endToEndId: '7Q2M8KX4ZC4H' },
          { amount: '100', text: 'ORDERNO7Q2M8KX4ZC5JTHX' },
        ],
      },
    ],
  })
  assert.deepEqual(matched, { lines: 6, matched: 6 })
  for (const payin of payins) assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await faultsOf(rig), [])
})

test('look-alikes are read as what they are taken for', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept({ reference: '0Q2M1KX4ZC0D' })
  await rig.take({ statements: [{ entries: [{ amount: '100', text: 'OQ2MIKX4ZCOD' }] }] })
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('Czech symbols name a payment: both together, and the variable symbol as it was printed', async (t) => {
  const rig = await openRig(t)
  const [both, printed] = ['7Q2M8KX4ZC0D', '7Q2M8KX4ZC1E'].map((reference) => referenceFormsOf(reference))
  assert.ok(both !== undefined && printed !== undefined)
  const given = { currencyCode: 'CZK', amount: '250' }
  const first = await rig.accept({ ...given, reference: both.reference })
  const second = await rig.accept({
    ...given,
    reference: printed.reference,
    instructions: { reference: printed.variableSymbol },
  })
  const account = { iban: 'CZ6508000000192000145399', currencyCode: 'CZK' }
  await rig.take({
    statements: [
      {
        ...account,
        entries: [
          { amount: '250', text: `/VS${both.variableSymbol}/SS${both.specificSymbol}/KS0308` },
          { amount: '250', text: `VS:000${printed.variableSymbol}`.slice(0, 13) },
        ],
      },
    ],
  })
  assert.equal(await rig.statusOf(first), 'SUCCESS CONFIRMED')
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'UNKNOWN 250'])
  await rig.take({
    statements: [
      {
        ...account,
        id: 'S2',
        opening: '500',
        entries: [{ amount: '250', text: `VS ${printed.variableSymbol}` }],
      },
    ],
  })
  assert.equal(await rig.statusOf(second), 'SUCCESS CONFIRMED')
})

test('the payer whom the bank names is what the payment collected', async (t) => {
  const rig = await openRig(t)
  const { merchantId, kind, idPayment, reference } = await rig.accept()
  await rig.take({
    statements: [
      { entries: [{ amount: '100', text: reference, name: 'Jana & Co', iban: 'CZ6508000000192000145399' }] },
    ],
  })
  const collected = await rig.payments.listPersonalData({ merchantId, kind, idPayment })
  assert.deepEqual(
    collected.map(({ source, data }) => [source, data]),
    [['PROCESS', { accountName: 'Jana & Co', accountNumber: 'CZ6508000000192000145399' }]],
  )
})

test('other money than was asked for waits in suspense, and the payment stays open', async (t) => {
  const rig = await openRig(t)
  const [under, over] = [await rig.accept(), await rig.accept()]
  await rig.take({
    statements: [
      {
        entries: [
          { amount: '99.5', text: under.reference, charge: '0.5' },
          { amount: '120', text: over.reference },
        ],
      },
    ],
  })
  assert.deepEqual(await rig.lines(), ['UNDER 99.5', 'OVER 120'])
  for (const payin of [under, over])
    assert.equal(await rig.statusOf(payin), 'CREATED CONFIRMED_DIFFERENT_AMOUNT')
  const [lineId = ''] = await rig.lineIds()
  assert.deepEqual((await rig.statements.show(lineId)).reasons, [
    `it names our reference ${under.reference}`,
    '0.5 EUR less than asked for; a bank took 0.5 on the way',
  ])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a payin that people look at stays with them when a statement brings other money', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept({ processorStatus: 'IN_REVIEW' })
  await rig.take({ statements: [{ entries: [{ amount: '99', text: payin.reference }] }] })
  assert.deepEqual(await rig.lines(), ['UNDER 99'])
  assert.equal(await rig.statusOf(payin), 'CREATED IN_REVIEW')
})

test('money of a payin that expired makes it succeed late; of one that ended otherwise it waits', async (t) => {
  const rig = await openRig(t)
  const expired = await rig.accept()
  const failed = await rig.accept()
  const cancelled = await rig.accept()
  const topUp = await rig.accept({ kind: 'TOPUP' })
  await rig.end(expired, 'EXPIRED')
  await rig.end(failed, 'FAILED')
  await rig.end(cancelled, 'CANCELLED')
  await rig.end(topUp, 'EXPIRED')
  await rig.take({
    statements: [
      {
        entries: [expired, failed, cancelled, topUp].map(({ reference }) => ({
          amount: '100',
          text: reference,
        })),
      },
    ],
  })
  assert.equal(await rig.statusOf(expired), 'SUCCESS CONFIRMED_LATE')
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'LATE 100', 'LATE 100', 'LATE 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('the second money of one payment is DOUBLE, in one file and in another', async (t) => {
  const rig = await openRig(t)
  const { reference } = await rig.accept()
  const entry = { amount: '100', text: reference }
  await rig.take({ statements: [{ entries: [entry, entry] }] })
  await rig.take({
    statements: [{ id: 'S2', opening: '200', entries: [{ ...entry, bookedOn: '2026-11-21' }] }],
  })
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'DOUBLE 100', 'DOUBLE 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a line that names nothing of ours, or too much, or comes in other money, waits', async (t) => {
  const rig = await openRig(t)
  const [one, two] = [await rig.accept(), await rig.accept()]
  const czech = await rig.accept({ currencyCode: 'CZK' })
  await rig.take({
    statements: [
      {
        entries: [
          { amount: '100', text: 'a gift' },
          { amount: '200', text: `${one.reference} ${two.reference}` },
          { amount: '100', text: czech.reference },
        ],
      },
    ],
  })
  assert.deepEqual(await rig.lines(), ['UNKNOWN 100', 'AMBIGUOUS 200', 'OTHER_CURRENCY 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('money that left is the payout’s own; money that comes back reverses it', async (t) => {
  const rig = await openRig(t)
  await rig.sql(`insert into balances (merchant_id, currency_code, available) values (1, 'EUR', 0)`)
  const topUp = await rig.accept({ kind: 'TOPUP', amount: '1000', feeAmount: '0' })
  await rig.take({ statements: [{ id: 'A', entries: [{ amount: '1000', text: topUp.reference }] }] })
  const payout = await rig.accept({
    kind: 'PAYOUT',
    processorStatus: 'QUEUED',
    holdTransferId: crypto.randomUUID(),
  })
  const unsent = await rig.accept({
    kind: 'PAYOUT',
    processorStatus: 'QUEUED',
    holdTransferId: crypto.randomUUID(),
  })
  await rig.sql('update payments set submitted_at = now() where id_payment = $1', [payout.idPayment])
  await rig.take({
    statements: [
      {
        id: 'B',
        opening: '1000',
        entries: [
          { amount: '-100', endToEndId: payout.reference },
          { amount: '-100', endToEndId: unsent.reference },
        ],
      },
    ],
  })
  assert.equal(await rig.statusOf(payout), 'SUCCESS CONFIRMED')
  assert.equal(await rig.statusOf(unsent), 'CREATED QUEUED')
  await rig.take({
    statements: [
      { id: 'C', opening: '800', entries: [{ amount: '100', text: `return ${payout.reference}` }] },
    ],
  })
  assert.equal(await rig.statusOf(payout), 'REVERSED RETURNED')
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'MATCHED 0', 'UNKNOWN 0', 'MATCHED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a bank that takes a payin back reverses it', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  await rig.take({
    statements: [{ entries: [{ amount: '100', text: payin.reference, bankReference: 'B1' }] }],
  })
  await rig.take({
    statements: [
      {
        id: 'S2',
        opening: '100',
        entries: [{ amount: '-100', isReversal: true, text: payin.reference, bankReference: 'B1' }],
      },
    ],
  })
  assert.equal(await rig.statusOf(payin), 'REVERSED RETURNED')
  assert.deepEqual(await faultsOf(rig), [])
})

test('a line that waits has suggestions with reasons, the likeliest first', async (t) => {
  const rig = await openRig(t)
  const { sealPersonalData } = await import('../../payments/index.ts')
  const [plain, known] = [
    await rig.accept(),
    await rig.accept({ idPayment: 'known', personalData: undefined }),
  ]
  const data = { accountNumber: 'CZ65 0800 0000 1920 0014 5399', accountName: 'Jana Nová' }
  const sealed = sealPersonalData(rig.secrets, known, data)
  await rig.sql(
    `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed) values (1, 'PAYIN', 'known', 'REQUEST', $1, $2)`,
    [sealed?.dataKey, sealed?.sealed],
  )
  await rig.take({
    statements: [{ entries: [{ amount: '100', name: 'jana nová', iban: 'CZ6508000000192000145399' }] }],
  })
  const [lineId = ''] = await rig.lineIds()
  const { suggestions } = await rig.statements.show(lineId)
  assert.deepEqual(
    suggestions.map(({ idPayment, score, reasons }) => [idPayment, score, reasons.length]),
    [
      ['known', 0.85, 3],
      [plain.idPayment, 0.25, 1],
    ],
  )
})
