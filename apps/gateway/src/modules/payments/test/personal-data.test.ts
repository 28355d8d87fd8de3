import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets } from '../../../platform/secrets.ts'
import { type PaymentKey, sealPersonalData } from '../index.ts'
import { openPersonalData } from '../privacy/personal-data.ts'
import { accepted, keyOf, newPayment, openRig, paid, type Rig } from './rig.ts'

const CUSTOMER = {
  accountName: 'Ada Lovelace-Ω',
  accountNumber: 'DE89370400440532013000',
  bankCode: 'COBADEFFXXX',
  emailAddress: 'ada@analytical.example',
}
const PAYER = { accountName: 'A. Lovelace', accountNumber: 'GB33BUKB20201555555555', bankName: 'Bank of Ada' }

async function paidByAda(rig: Rig): Promise<PaymentKey> {
  const key = keyOf(newPayment())
  await accepted(rig, { ...key, personalData: sealPersonalData(rig.secrets, key, CUSTOMER) })
  await rig.service.propose(key, { ...paid({ amount: '100', currencyCode: 'EUR' }), payer: PAYER })
  return key
}

/** Every value of every table, as text and as the bytes of a dump. */
async function dump(rig: Rig): Promise<string> {
  const tables = await rig.sql(`select format('%I', relname) as name from pg_stat_user_tables`)
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await rig.sql(
      `select t::text as text, encode(t::text::bytea, 'escape') as bytes from ${String(name)} t`,
    )
    texts.push(...rows.flatMap((row) => [String(row['text']), String(row['bytes'])]))
  }
  return texts.join('\n')
}

test('no table shows a name, an account or an address; the merchant reads them as they were', async (t) => {
  const rig = await openRig(t)
  const key = await paidByAda(rig)
  const everything = await dump(rig)
  assert(everything.includes(key.idPayment), 'the dump sees the payment')
  for (const secret of [...Object.values(CUSTOMER), ...Object.values(PAYER), 'Lovelace', 'analytical']) {
    assert(!everything.includes(secret), `${secret} is in clear`)
    assert(!everything.includes(Buffer.from(secret).toString('hex')), `${secret} is there in hexadecimal`)
  }
  const collected = await rig.service.listPersonalData(key)
  assert.deepEqual(
    collected.map(({ source, data }) => ({ source, data })),
    [
      { source: 'REQUEST', data: CUSTOMER },
      { source: 'PROCESS', data: PAYER },
    ],
  )
})

test('what was collected first stays', async (t) => {
  const rig = await openRig(t)
  const key = await paidByAda(rig)
  await rig.service.propose(key, {
    status: 'REVERSED',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    payer: { accountName: 'Mallory', accountNumber: '666' },
  })
  const [, process] = await rig.service.listPersonalData(key)
  assert.deepEqual(process?.data, PAYER)
})

test('a row moved to another payment cannot be opened, and spoils no neighbour', async (t) => {
  const rig = await openRig(t)
  const key = await paidByAda(rig)
  const thief = await accepted(rig)
  await rig.sql(
    `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed)
    select merchant_id, kind, $1, source, data_key, sealed from payment_personal_data where source = 'REQUEST'`,
    [thief.idPayment],
  )
  const [own, stolen] = await Promise.allSettled([
    rig.service.listPersonalData(key),
    rig.service.listPersonalData(thief),
  ])
  assert.equal(own.status, 'fulfilled')
  assert.equal(stolen.status, 'rejected')
})

test('erased data is gone, and the payment is whole', async (t) => {
  const rig = await openRig(t)
  const key = await paidByAda(rig)
  await rig.sql('update payment_personal_data set data_key = null, sealed = null')
  assert.deepEqual(await rig.service.listPersonalData(key), [])
  assert.equal((await rig.service.find(key))?.status, 'SUCCESS')
})

test('nothing to keep makes no row; unknown members and foreign keys are not read', () => {
  const secrets = createSecrets(Buffer.alloc(32, 1))
  const key = { merchantId: '1', kind: 'PAYIN', idPayment: 'x' } as const
  assert.equal(sealPersonalData(secrets, key, {}), undefined)
  const sealed = secrets.sealApart('1 PAYIN x', Buffer.from('{"accountName":"A","pin":"1234","bankCode":7}'))
  assert.deepEqual(openPersonalData(secrets, key, sealed), { accountName: 'A' })
  const again = sealPersonalData(secrets, key, { accountName: 'A' })
  assert(again !== undefined)
  assert.throws(() => openPersonalData(createSecrets(Buffer.alloc(32, 2)), key, again))
  assert.throws(() => openPersonalData(secrets, { ...key, kind: 'PAYOUT' }, again))
})
