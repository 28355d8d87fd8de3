import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENTS_OF_CUSTOMERS } from '../../../rooms/erasure.ts'
import { openRig, type Rig } from './rig.ts'

const JANA = { merchantId: '1', idCustomer: 'C-1' }
const PAYER = { name: 'Jana Nováková', iban: 'CZ6508000000192000145399' } as const

const ERASED = `insert into customers (merchant_id, id_customer, nonce, status, erased_at)
  values (1, 'C-1', gen_random_uuid(), 'ERASED', now())`

const erase = (rig: Rig): Promise<void> =>
  rig.db.transaction((tx) => PAYMENTS_OF_CUSTOMERS.erasePayments(tx, JANA))

async function namesOf(rig: Rig): Promise<readonly (string | undefined)[]> {
  const views = await Promise.all(
    (await rig.lineIds()).map((lineId) => rig.statements.showInFull({ lineId, operatorCode: 'ada' })),
  )
  return views.map((view) => view.details.partyName)
}

test('an erasure takes what the bank said of the payer, and leaves money that waits for a decision', async (t) => {
  const rig = await openRig(t)
  const paid = await rig.accept({ idCustomer: JANA.idCustomer })
  const other = await rig.accept()
  await rig.take({
    statements: [
      {
        entries: [
          { ...PAYER, amount: '100', text: paid.reference, bankReference: 'B-1' },
          { ...PAYER, amount: '100', text: paid.reference, bankReference: 'B-2' },
          { ...PAYER, amount: '100', text: other.reference, bankReference: 'B-3' },
        ],
      },
    ],
  })
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'DOUBLE 100', 'MATCHED 0'])
  await erase(rig)
  assert.deepEqual(await namesOf(rig), [undefined, PAYER.name, PAYER.name])
})

test('a line of an erased customer that comes later has the customer swept once more', async (t) => {
  const rig = await openRig(t)
  const paid = await rig.accept({ idCustomer: JANA.idCustomer })
  const entry = { ...PAYER, text: paid.reference, amount: '100' }
  await rig.take({ statements: [{ entries: [{ ...entry, bankReference: 'B-1' }] }] })
  await rig.sql(ERASED)
  await rig.take({ statements: [{ entries: [{ ...entry, bankReference: 'B-2' }] }] })
  const due = await rig.sql('select 1 from customers where sweep_due_at <= clock_timestamp()')
  assert.equal(due.length, 1)
})
