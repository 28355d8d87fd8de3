import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { choicesOf, faultsOf, openRig, placesOfMoney, type Rig, refusal } from './rig.ts'

const BY = { operatorCode: 'ada', reason: 'as agreed with the customer' }

/** Takes entries in a statement of their own and answers the ids of all lines. */
async function bring(
  rig: Rig,
  id: string,
  entries: readonly { amount: string; text: string; name?: string; iban?: string }[],
) {
  await rig.take({ message: '054', statements: [{ id, entries }] })
  return rig.lineIds()
}

test('several lines make one payment, exactly', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  const [first = '', second = ''] = await bring(rig, 'A', [
    { amount: '60', text: payin.reference },
    { amount: '40', text: `rest of ${payin.reference}` },
  ])
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId: first, decision: 'ACCEPT' })),
    /40 EUR are lacking/,
  )
  await rig.statements.decide({ ...BY, lineId: first, withLineIds: [second], decision: 'ACCEPT' })
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await rig.lines(), ['APPLIED 0', 'APPLIED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a payment has a payer while all of its money came from one account', async (t) => {
  const rig = await openRig(t)
  const [ANNA, BERT] = ['DE02120300000000202051', 'DE02500105170137075030']
  const payerOfLines = async (id: string, ...ibans: readonly string[]) => {
    const payin = await rig.accept()
    const before = (await rig.lineIds()).length
    const amounts = [
      { amount: '10', text: payin.reference },
      { amount: '90', text: `rest of ${payin.reference}` },
    ]
    const entries = amounts.map((each, index) => ({ ...each, name: `P${index}`, iban: ibans[index] ?? '' }))
    const [lineId = '', ...withLineIds] = (await bring(rig, id, entries)).slice(before)
    await rig.statements.decide({ ...BY, lineId, withLineIds, decision: 'ACCEPT' })
    assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
    return (await rig.payments.listPersonalData(payin)).map(({ data }) => data.accountNumber)
  }
  assert.deepEqual(await payerOfLines('A', ANNA, BERT), [])
  assert.deepEqual(await payerOfLines('B', ANNA, ANNA), [ANNA])
})

test('the house gives what is lacking, out of its fees', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  const [lineId = ''] = await bring(rig, 'A', [{ amount: '99.5', text: payin.reference }])
  const report = await rig.statements.decide({ ...BY, lineId, decision: 'COVER' })
  assert.deepEqual(
    report.decisions.map(({ decision, actor, reason, amount }) => [decision, actor, reason, amount]),
    [['COVER', 'operator:ada', BY.reason, '100']],
  )
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  const fees = await rig.sql(
    `select merchant_id, sum(amount)::text as sum from ledger_postings where account = 'FEES' group by 1 order by 1`,
  )
  assert.deepEqual(
    fees.map((row) => [row['merchant_id'], row['sum']]),
    [
      ['0', '-0.5'],
      ['1', '3'],
    ],
  )
  assert.deepEqual(await faultsOf(rig), [])
})

test('of too much the payment gets its own, and the rest can go back', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  const [lineId = ''] = await bring(rig, 'A', [{ amount: '120', text: payin.reference }])
  await rig.statements.decide({ ...BY, lineId, decision: 'ACCEPT' })
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await rig.lines(), ['OVER 20'])
  const { returnReference } = await rig.statements.decide({ ...BY, lineId, decision: 'RETURN' })
  assert.match(returnReference ?? '', /^[0-9A-Z]{12}$/)
  assert.deepEqual(await rig.lines(), ['RETURNING 20'])
  await rig.take({
    message: '054',
    statements: [{ id: 'B', entries: [{ amount: '-20', endToEndId: returnReference ?? '' }] }],
  })
  assert.deepEqual(await rig.lines(), ['RETURNED 0', 'MATCHED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('money that goes back leaves suspense when an operator says that it has gone', async (t) => {
  const rig = await openRig(t)
  const [lineId = ''] = await bring(rig, 'A', [{ amount: '5', text: 'a gift' }])
  const returned = { ...BY, lineId, decision: 'RETURNED' } as const
  assert.match(await refusal(rig.statements.decide(returned)), /is UNKNOWN, not RETURNING/)
  await rig.statements.decide({ ...BY, lineId, decision: 'RETURN' })
  await rig.statements.decide(returned)
  assert.deepEqual(await rig.lines(), ['RETURNED 0'])
  assert.match(await refusal(rig.statements.decide(returned)), /is RETURNED, not RETURNING/)
  assert.deepEqual(await faultsOf(rig), [])
})

test('an operator says whose unknown money is; that of a payment that had ended without it takes two', async (t) => {
  const rig = await openRig(t)
  const [open, failed, cancelled] = [await rig.accept(), await rig.accept(), await rig.accept()]
  await rig.end(failed, 'FAILED')
  await rig.end(cancelled, 'CANCELLED')
  const [unknown = '', late = '', tooLate = ''] = await bring(rig, 'A', [
    { amount: '100', text: 'no name' },
    { amount: '100', text: failed.reference },
    { amount: '100', text: cancelled.reference },
  ])
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId: unknown, decision: 'ACCEPT' })),
    /Say which payment/,
  )
  const payment = { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: open.idPayment }
  await rig.statements.decide({ ...BY, lineId: unknown, decision: 'ACCEPT', payment })
  assert.equal(await rig.statusOf(open), 'SUCCESS CONFIRMED')
  for (const lineId of [late, tooLate])
    assert.match(
      await refusal(rig.statements.decide({ ...BY, lineId, decision: 'ACCEPT' })),
      /it takes 2 different operators, and only 1 agreed\. The money can be sent back/,
    )
  assert.deepEqual(await rig.lines(), ['APPLIED 0', 'LATE 100', 'LATE 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

/** As an institution tells it. */
const tellPaid = (rig: Rig, { merchantId, kind, idPayment }: Awaited<ReturnType<Rig['accept']>>) =>
  rig.payments.propose(
    { merchantId, kind, idPayment },
    {
      status: 'SUCCESS',
      actor: 'rail:test',
      evidence: { class: 'RAIL' },
      received: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
    },
  )

test('money that the institution had told of before is the same money, but only once', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  await tellPaid(rig, payin)
  const [first = '', second = ''] = await bring(rig, 'A', [
    { amount: '100', text: payin.reference },
    { amount: '100', text: `${payin.reference} again` },
  ])
  assert.deepEqual(await rig.lines(), ['DOUBLE 100', 'DOUBLE 100'])
  await rig.statements.decide({ ...BY, lineId: first, decision: 'SAME_MONEY' })
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId: second, decision: 'SAME_MONEY' })),
    /is this payment's money already/,
  )
  assert.deepEqual(await rig.lines(), ['SAME_MONEY 0', 'DOUBLE 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('of more than the institution told of only the payment’s money is the same, and the rest stays in suspense', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  await tellPaid(rig, payin)
  const [lineId = '', second = ''] = await bring(rig, 'A', [
    { amount: '250', text: payin.reference },
    { amount: '100', text: `${payin.reference} again` },
  ])
  assert.deepEqual(await rig.lines(), ['DOUBLE 250', 'DOUBLE 100'])
  const decide = (id: string) => rig.statements.decide({ ...BY, lineId: id, decision: 'SAME_MONEY' })
  const { decisions } = await decide(lineId)
  assert.deepEqual(
    decisions.map(({ decision, amount }) => [decision, amount]),
    [['SAME_MONEY', '100']],
  )
  assert.deepEqual(await rig.lines(), ['OVER 150', 'DOUBLE 100'])
  assert.match(await refusal(decide(lineId)), /is OVER/)
  assert.match(await refusal(decide(second)), /is this payment's money already/)
  await rig.statements.decide({ ...BY, lineId, decision: 'RETURN' })
  assert.deepEqual(await rig.lines(), ['RETURNING 150', 'DOUBLE 100'])
  assert.match(await refusal(decide(second)), /is this payment's money already/)
  assert.deepEqual(await faultsOf(rig), [])
})

test('a line of which a payment got a part is its money, whatever became of the rest', async (t) => {
  const rig = await openRig(t)
  const [payin, other] = [await rig.accept(), await rig.accept()]
  const [first = ''] = await bring(rig, 'A', [{ amount: '200', text: payin.reference }])
  await rig.statements.decide({ ...BY, lineId: first, decision: 'ACCEPT' })
  const [, second = ''] = await bring(rig, 'B', [{ amount: '100', text: `${payin.reference} again` }])
  assert.deepEqual(await rig.lines(), ['OVER 100', 'DOUBLE 100'])
  const same = { ...BY, lineId: second, decision: 'SAME_MONEY' } as const
  assert.match(await refusal(rig.statements.decide(same)), /is this payment's money already/)
  const { kind, idPayment } = other
  await rig.statements.decide({
    ...BY,
    lineId: first,
    decision: 'ACCEPT',
    payment: { merchantCode: 'SHOP', kind, idPayment },
  })
  assert.deepEqual(await rig.lines(), ['APPLIED 0', 'DOUBLE 100'])
  assert.match(await refusal(rig.statements.decide(same)), /is this payment's money already/)
  assert.deepEqual(await faultsOf(rig), [])
})

test('late money is the same once people have decided that its payment was executed, but only once and exactly', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  const [under = ''] = await bring(rig, 'U', [{ amount: '99', text: payin.reference }])
  await rig.end(payin, 'FAILED')
  const [, first = '', second = ''] = await bring(rig, 'A', [
    { amount: '100', text: payin.reference },
    { amount: '100', text: `${payin.reference} again` },
  ])
  assert.deepEqual(await rig.lines(), ['UNDER 99', 'LATE 100', 'LATE 100'])
  const decide = (lineId: string) => rig.statements.decide({ ...BY, lineId, decision: 'SAME_MONEY' })
  assert.match(await refusal(decide(first)), /is LATE, and its payment FAILED/)
  assert.deepEqual(await choicesOf(rig, first), ['ACCEPT', 'COVER', 'RETURN'])
  const { merchantId, kind, idPayment } = payin
  const outcome = await rig.payments.propose(
    { merchantId, kind, idPayment },
    {
      status: 'SUCCESS',
      actor: 'operator:olga',
      reason: 'the statement has it',
      evidence: { class: 'PEOPLE', operators: ['ada', 'olga'] },
      received: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
    },
  )
  assert.equal(outcome.kind, 'CHANGED')
  assert.deepEqual(await choicesOf(rig, first), ['ACCEPT', 'COVER', 'SAME_MONEY', 'RETURN'])
  assert.match(await refusal(decide(under)), /is UNDER/)
  await decide(first)
  assert.match(await refusal(decide(second)), /is this payment's money already/)
  assert.deepEqual(await choicesOf(rig, second), ['ACCEPT', 'COVER', 'RETURN'])
  assert.deepEqual(await rig.lines(), ['UNDER 99', 'SAME_MONEY 0', 'LATE 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('money that left for no payment is written down for what', async (t) => {
  const rig = await openRig(t)
  const [lineId = ''] = await bring(rig, 'A', [{ amount: '-2.5', text: 'account fee' }])
  await rig.statements.decide({ ...BY, lineId, decision: 'NOTE' })
  assert.deepEqual(await rig.lines(), ['NOTED 0'])
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId, decision: 'NOTE' })),
    /is DEBIT and NOTED/,
  )
})

test('a decision that cannot be done is refused and changes nothing', async (t) => {
  const rig = await openRig(t)
  const [payin, czech] = [await rig.accept(), await rig.accept({ currencyCode: 'CZK' })]
  const [exact = '', gift = '', more = '', foreign = ''] = await bring(rig, 'A', [
    { amount: '100', text: payin.reference },
    { amount: '100', text: 'gift' },
    { amount: '5', text: 'gift' },
    { amount: '100', text: czech.reference },
  ])
  const named = { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: payin.idPayment }
  const wishes = [
    [{ lineId: exact, decision: 'RETURN' }, /does not wait for a decision: it is CREDIT and MATCHED/],
    [{ lineId: gift, decision: 'ACCEPT', payment: named }, /has got its money already/],
    [
      { lineId: gift, decision: 'ACCEPT', payment: { ...named, idPayment: 'none' } },
      /There is no PAYIN none/,
    ],
    [{ lineId: gift, decision: 'ACCEPT', payment: { ...named, merchantCode: 'NOBODY' } }, /of NOBODY/],
    [{ lineId: gift, decision: 'RETURN', payment: named }, /names no payment/],
    [{ lineId: gift, decision: 'SAME_MONEY' }, /only money of a payment that it names/],
    [{ lineId: gift, decision: 'NOTE' }, /money that left/],
    [{ lineId: foreign, decision: 'ACCEPT' }, /is in EUR, the payment in CZK/],
    [{ lineId: '999999', decision: 'RETURN' }, /There is no statement line 999999/],
    [{ lineId: 'x', decision: 'RETURN' }, /There is no statement line x/],
    [{ lineId: gift, decision: 'RETURN', reason: '  ' }, /needs a reason/],
  ] as const
  const before = await rig.lines()
  for (const [wish, why] of wishes)
    assert.match(await refusal(rig.statements.decide({ ...BY, ...wish })), why)
  const other = await rig.accept()
  const otherNamed = { ...named, idPayment: other.idPayment }
  const both = { ...BY, lineId: gift, withLineIds: [more], decision: 'ACCEPT', payment: otherNamed } as const
  assert.match(await refusal(rig.statements.decide(both)), /is not needed for it/)
  const cover = { ...BY, lineId: gift, decision: 'COVER', payment: otherNamed } as const
  assert.match(await refusal(rig.statements.decide(cover)), /Nothing is lacking/)
  assert.deepEqual(await rig.lines(), before)
  assert.deepEqual(await faultsOf(rig), [])
})

test('two operators who accept the same line at once accept it once', async (t) => {
  const rig = await openRig(t)
  const [one, two] = [await rig.accept(), await rig.accept()]
  const [lineId = ''] = await bring(rig, 'A', [{ amount: '100', text: 'no name' }])
  const accept = ({ idPayment }: { readonly idPayment: string }) =>
    rig.statements.decide({
      ...BY,
      lineId,
      decision: 'ACCEPT',
      payment: { merchantCode: 'SHOP', kind: 'PAYIN', idPayment },
    })
  const results = await Promise.allSettled([accept(one), accept(two)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.deepEqual(await faultsOf(rig), [])
  const [places] = await placesOfMoney(rig)
  assert.equal(places?.['suspense'], '0')
})
