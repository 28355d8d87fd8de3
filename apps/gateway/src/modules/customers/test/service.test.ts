import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SealBroken } from '../../../platform/secrets.ts'
import { JANA, keyOf, openRig, refusalOf } from './rig.ts'

const NOT_FOUND = { code: 'ENTITY_NOT_FOUND', extra: undefined }

test('what was created can be read, and nothing personal is readable in the database', async (t) => {
  const { service, sql } = await openRig(t)
  const created = await service.create(keyOf('C-1'), JANA)
  assert.deepEqual(await service.read(keyOf('C-1')), created)
  assert.equal(created.name, JANA.name)
  assert.equal(created.status, 'ACTIVE')
  assert.deepEqual(created.accounts, [{ ...JANA.accounts[0], bankName: undefined }])
  const [row] = await sql('select * from customers')
  const stored = Object.values(row ?? {})
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    .join('\n')
  for (const text of ['Jana', 'jana@', '601', '0192000145399']) assert(!stored.includes(text), text)
})

test('a customer of another merchant does not exist', async (t) => {
  const { service } = await openRig(t)
  await service.create(keyOf('C-1'), JANA)
  const foreign = keyOf('C-1', '2')
  assert.deepEqual(await refusalOf(service.read(foreign)), NOT_FOUND)
  assert.deepEqual(await refusalOf(service.change(foreign, { name: 'x' })), NOT_FOUND)
  assert.deepEqual(await refusalOf(service.setStatus(foreign, 'BLOCKED')), NOT_FOUND)
  assert.deepEqual(await refusalOf(service.erase(foreign)), NOT_FOUND)
  assert.equal(await service.findForPayment('2', 'C-1'), undefined)
  assert.equal((await service.list('2', { after: undefined, limit: 10 })).customers.length, 0)
  assert.equal((await service.create(foreign, { accounts: [] })).status, 'ACTIVE')
})

test('a taken id says whether the request is the same, also when its segment is gone by now', async (t) => {
  const { service, sql } = await openRig(t)
  const { createdAt } = await service.create(keyOf('C-1'), JANA)
  const acceptedAt = createdAt.toISOString()
  const outcome = async (data: typeof JANA) => refusalOf(service.create(keyOf('C-1'), data))
  const identical = { code: 'ENTITY_DUPLICATED', extra: { duplicate: 'IDENTICAL', acceptedAt } }
  const different = { code: 'ENTITY_DUPLICATED', extra: { duplicate: 'DIFFERENT', acceptedAt } }
  assert.deepEqual(await outcome({ ...JANA }), identical)
  assert.deepEqual(await outcome({ ...JANA, name: 'J' }), different)
  assert.deepEqual(await outcome({ ...JANA, segmentCode: 'GONE' }), different)
  await service.change(keyOf('C-1'), { name: 'Jana Svobodová' })
  assert.deepEqual(await outcome(JANA), identical, 'what counts is the request that created it')
  assert.equal((await sql('select 1 from customers')).length, 1)
})

test('of many creates of one id at once, one wins', async (t) => {
  const { service } = await openRig(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => service.create(keyOf('C-1'), { ...JANA, name: `J${n}` })),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a segment that the catalogue does not have is refused', async (t) => {
  const { service } = await openRig(t)
  const refused = { code: 'SEGMENT_NOT_SUPPORTED', extra: undefined }
  assert.deepEqual(await refusalOf(service.create(keyOf('C-1'), { ...JANA, segmentCode: 'GONE' })), refused)
  await service.create(keyOf('C-1'), JANA)
  assert.deepEqual(await refusalOf(service.change(keyOf('C-1'), { segmentCode: 'GONE' })), refused)
  assert.equal((await service.change(keyOf('C-1'), { segmentCode: 'NEW' })).segmentCode, 'NEW')
  assert.equal((await service.change(keyOf('C-1'), { segmentCode: null })).segmentCode, undefined)
})

test('changes at once are made one after the other', async (t) => {
  const { service } = await openRig(t)
  await service.create(keyOf('C-1'), { accounts: [] })
  const changes = [
    { name: 'N' },
    { emailAddress: 'n@example.com' },
    { phone: '12345' },
    { countryCode: 'CZ' },
  ]
  await Promise.all(changes.map((change) => service.change(keyOf('C-1'), change)))
  const { merchantId: _m, createdAt: _c, ...customer } = await service.read(keyOf('C-1'))
  assert.deepEqual(
    { ...customer },
    {
      idCustomer: 'C-1',
      status: 'ACTIVE',
      name: 'N',
      emailAddress: 'n@example.com',
      phone: '12345',
      countryCode: 'CZ',
      segmentCode: undefined,
      accounts: [],
    },
  )
  assert.equal((await refusalOf(service.change(keyOf('C-1'), {}))).code, 'BODY_INVALID')
})

test('a change seals anew: the key of what was there before opens nothing any more', async (t) => {
  const { service, sql } = await openRig(t)
  await service.create(keyOf('C-1'), JANA)
  const [before] = await sql('select data_key from customers')
  await service.change(keyOf('C-1'), { name: 'Other' })
  const [after] = await sql('select data_key from customers')
  assert.notDeepEqual(after?.['data_key'], before?.['data_key'])
})

test('sealed data of one customer opens for no other', async (t) => {
  const { service, sql } = await openRig(t)
  await service.create(keyOf('C-1'), JANA)
  await service.create(keyOf('C-2'), { accounts: [] })
  await sql(`update customers c set data_key = o.data_key, sealed = o.sealed from customers o
    where c.id_customer = 'C-2' and o.id_customer = 'C-1'`)
  await assert.rejects(service.read(keyOf('C-2')), SealBroken)
})

test('the customers of a merchant are listed page by page, each once', async (t) => {
  const { service } = await openRig(t)
  const all = Array.from({ length: 7 }, (_, n) => `C-${n}`)
  for (const id of all) await service.create(keyOf(id), { accounts: [] })
  await service.create(keyOf('C-9', '2'), { accounts: [] })
  await service.erase(keyOf('C-3'))
  const seen: string[] = []
  for (let after: string | undefined, hasMore = true; hasMore; after = seen.at(-1)) {
    const page = await service.list('1', { after, limit: 3 })
    seen.push(...page.customers.map(({ idCustomer }) => idCustomer))
    hasMore = page.hasMore
  }
  assert.deepEqual(seen, all)
})

test('payments hear of known customers only, many in one round trip', async (t) => {
  const { service } = await openRig(t)
  await service.create(keyOf('C-1'), JANA)
  await service.create(keyOf('C-2'), { accounts: [] })
  await service.create(keyOf('C-3'), JANA)
  await service.setStatus(keyOf('C-2'), 'BLOCKED')
  await service.erase(keyOf('C-3'))
  const asked = ['C-1', 'C-2', 'C-3', 'C-4', 'C-1']
  const found = await Promise.all(asked.map((id) => service.findForPayment('1', id)))
  const active = { status: 'ACTIVE', segmentCode: 'VIP' }
  assert.deepEqual(found, [
    active,
    { status: 'BLOCKED', segmentCode: undefined },
    undefined,
    undefined,
    active,
  ])
})

test('blocking and unblocking may be repeated', async (t) => {
  const { service } = await openRig(t)
  await service.create(keyOf('C-1'), JANA)
  for (const status of ['BLOCKED', 'BLOCKED', 'ACTIVE', 'ACTIVE'] as const)
    assert.equal((await service.setStatus(keyOf('C-1'), status)).status, status)
})
