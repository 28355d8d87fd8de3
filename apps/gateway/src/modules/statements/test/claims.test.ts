import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealPersonalData } from '../../payments/index.ts'
import { OWN_IBAN, type WrittenEntry } from './camt-writer.ts'
import { faultsOf, openRig, type Rig } from './rig.ts'

const PAYER = 'CZ6508000000192000145399'
const STRANGER = 'GB29NWBK60161331926819'
const REFERENCE = 'BANKREF412345678'

/** A payin whose customer was told our account and has typed a reference. */
async function claimedPayin(rig: Rig, reference = REFERENCE, toldAccount = OWN_IBAN) {
  const idPayment = crypto.randomUUID()
  const account = { accountName: 'Tollgate', accountNumber: toldAccount, bankCode: '', bankName: 'Bank' }
  const payin = await rig.accept({
    idPayment,
    instructions: { takesReference: true, account },
    personalData: sealPersonalData(
      rig.secrets,
      { merchantId: '1', kind: 'PAYIN', idPayment },
      { accountName: 'Jana', accountNumber: PAYER },
    ),
  })
  const key = { merchantId: '1', kind: 'PAYIN', idPayment } as const
  await rig.payments.setExternalReference(key, reference)
  return { ...payin, ...key }
}

const today = (): string => new Date().toISOString().slice(0, 10)

async function bring(rig: Rig, entry: Omit<WrittenEntry, 'amount'> & { readonly amount?: string }) {
  await rig.take({
    statements: [
      { id: crypto.randomUUID().slice(0, 12), entries: [{ amount: '100', bookedOn: today(), ...entry }] },
    ],
  })
  const lineId = (await rig.lineIds()).at(-1) ?? ''
  return rig.statements.show(lineId)
}

/** What the payment process collected of the payer: the merchant reads it. */
const collectedOf = async (rig: Rig, payin: Awaited<ReturnType<typeof claimedPayin>>) =>
  (await rig.payments.listPersonalData(payin)).filter(({ source }) => source === 'PROCESS')

test('a claim leads people to the payment, and changes nothing by itself', async (t) => {
  const rig = await openRig(t)
  const payin = await claimedPayin(rig)
  const line = await bring(rig, { endToEndId: REFERENCE, iban: STRANGER, name: 'A Stranger' })
  assert.equal(line.state, 'UNKNOWN')
  assert.equal(line.payment?.idPayment, payin.idPayment)
  assert.match(line.reasons.join('; '), /the customer typed; which proves nothing/)
  assert.equal(await rig.statusOf(payin), 'CREATED REFERENCE_SUBMITTED')
  await rig.statements.decide({
    lineId: line.lineId,
    decision: 'ACCEPT',
    operatorCode: 'ada',
    reason: 'the payer called us',
  })
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await collectedOf(rig, payin), [], 'the merchant learns nothing of who paid')
  assert.deepEqual(await faultsOf(rig), [])
})

test('a claim is the money when it came from the account that was stored with the payment', async (t) => {
  const rig = await openRig(t)
  const payin = await claimedPayin(rig)
  const line = await bring(rig, { bankReference: REFERENCE, iban: 'CZ65 0800 0000 1920 0014 5399' })
  assert.equal(line.state, 'MATCHED')
  assert.equal(line.score, '0.9')
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await collectedOf(rig, payin), [])
  const entry = (await rig.payments.listTimeline(payin)).at(-1)
  assert.deepEqual(entry?.evidence, { class: 'BANK_UPLOAD', operators: ['ada'] })
})

test('words of a text are no references, whoever typed them', async (t) => {
  const rig = await openRig(t)
  const payin = await claimedPayin(rig, 'RECHNUNG2026')
  const line = await bring(rig, { text: 'RECHNUNG2026 danke', iban: PAYER })
  assert.deepEqual([line.state, line.payment], ['UNKNOWN', undefined])
  assert.equal(await rig.statusOf(payin), 'CREATED REFERENCE_SUBMITTED')
})

test('a claim leads to no other money, account or time, and to nothing that has ended', async (t) => {
  const cases: readonly (readonly [string, (rig: Rig) => Promise<unknown>, Partial<WrittenEntry>])[] = [
    ['less money', (rig) => claimedPayin(rig), { amount: '99.99' }],
    ['another account', (rig) => claimedPayin(rig, REFERENCE, STRANGER), {}],
    ['an old booking', (rig) => claimedPayin(rig), { bookedOn: '2025-01-15' }],
    ['an expired payin', async (rig) => rig.end(await claimedPayin(rig), 'EXPIRED'), {}],
  ]
  for (const [what, prepare, entry] of cases) {
    const rig = await openRig(t)
    await prepare(rig)
    const line = await bring(rig, { endToEndId: REFERENCE, iban: PAYER, ...entry })
    assert.deepEqual([line.state, line.payment], ['UNKNOWN', undefined], what)
  }
})

test('what banks do not write as a reference takes no line, and a reference without the form of its method is refused', async (t) => {
  const rig = await openRig(t)
  for (const reference of ['PAYMENT', 'RECHNUNG', 'NOTPROVIDED', 'two words 1', 'ünï1']) {
    await claimedPayin(rig, reference)
    const line = await bring(rig, { endToEndId: reference, iban: PAYER })
    assert.deepEqual([line.state, line.payment], ['UNKNOWN', undefined], reference)
  }
  const inr = await rig.accept({ methodCode: 'UPI', instructions: { takesReference: true } })
  const { merchantId, kind, idPayment } = inr
  const type = (reference: string) =>
    rig.payments.setExternalReference({ merchantId, kind, idPayment }, reference)
  await assert.rejects(type('12345678901'), /12 digits expected/)
  await type('316547829301')
})
