import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { elementsAt, readXml, textAt } from '../../../platform/xml/index.ts'
import type { PaymentKey } from '../../payments/index.ts'
import { PayoutFileProblem } from '../index.ts'
import { ACTOR, openRig, type Rig, retireAccount } from './rig.ts'

const ALL = { currencyCode: undefined, actor: ACTOR }
const EUR = { currencyCode: 'EUR', actor: ACTOR }

const isProblem =
  (kind: PayoutFileProblem['kind'], says: RegExp) =>
  (error: unknown): boolean =>
    error instanceof PayoutFileProblem && error.kind === kind && says.test(error.message)

/** The references that the bytes of a file name. */
async function referencesIn(rig: Rig, fileId: string): Promise<readonly (string | undefined)[]> {
  const { bytes } = await rig.files.fetch(fileId, ACTOR)
  return elementsAt(readXml(bytes.toString('utf8')), 'CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf').map((each) =>
    textAt(each, 'PmtId/EndToEndId'),
  )
}

async function referencesOf(rig: Rig, keys: readonly PaymentKey[]): Promise<readonly string[]> {
  return (await Promise.all(keys.map((key) => rig.read(key)))).map(({ reference }) => reference)
}

function folderFor(t: TestLife): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('payouts wait for a file, the file has them in their order, and from then on they are with the bank', async (t) => {
  const rig = await openRig(t)
  rig.startWorker()
  const keys = [await rig.payOut({ amount: 100 }), await rig.payOut({ amount: 25 })]
  // The worker has looked: nothing is handed over without a file.
  await rig.sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', now() from payments where kind = 'PAYOUT' on conflict do nothing`)
  await untilNoTask(rig)
  for (const key of keys) assert.equal((await rig.read(key)).processorStatus, 'QUEUED')
  const { files, leftOut } = await rig.files.create(EUR)
  assert.deepEqual(leftOut, [])
  const [file, ...others] = files
  assert.ok(file !== undefined && others.length === 0)
  assert.deepEqual(
    [file.accountCode, file.paymentCount, file.controlSum, file.createdBy, file.folder, file.submittedAt],
    ['SANDBOX_EUR', 2, { amount: '125', currencyCode: 'EUR' }, ACTOR, 'NONE', undefined],
  )
  assert.deepEqual(await referencesIn(rig, file.fileId), await referencesOf(rig, keys))
  for (const key of keys) {
    const payment = await rig.read(key)
    assert.equal(payment.processorStatus, 'SUBMITTED')
    assert.ok(payment.submittedAt !== undefined)
    const [, entry] = await rig.payments.listTimeline(key)
    assert.deepEqual([entry?.actor, entry?.reason], [ACTOR, `in the file ${file.fileId}`])
  }
  const { payments } = await rig.files.show(file.fileId)
  assert.deepEqual(
    payments.map(({ idPayment, position }) => [idPayment, position]),
    keys.map(({ idPayment }, index) => [idPayment, index + 1]),
  )
  assert.deepEqual((await rig.files.create(ALL)).files, [])
  assert.deepEqual(await rig.booksFindings(), [])
})

test('what goes at once is in a file of its own, and what cannot goes with the others, once', async (t) => {
  const rig = await openRig(t)
  const before = await rig.payOut({ amount: 1 })
  assert.deepEqual(
    (await rig.files.create(EUR)).files.map(({ speed }) => speed),
    ['NORMAL'],
    'before the account says that its bank takes such files',
  )
  await rig.allowInstant('100')
  const atOnce = [await rig.payOut({ amount: 100 }), await rig.payOut({ amount: 99.99 })]
  const others = [
    await rig.payOut({ amount: 100.01 }),
    // In SEPA, and outside the euro area: its bank need not take it.
    await rig.payOut({ amount: 5, accountNumber: 'CZ6508000000192000145399' }),
  ]
  const { files, leftOut } = await rig.files.create(EUR)
  assert.deepEqual(leftOut, [])
  assert.deepEqual(
    files.map(({ speed, paymentCount }) => [speed, paymentCount]),
    [
      ['INSTANT', 2],
      ['NORMAL', 2],
    ],
  )
  for (const [index, keys] of [atOnce, others].entries())
    assert.deepEqual(await referencesIn(rig, files[index]?.fileId ?? ''), await referencesOf(rig, keys))
  assert.equal((await rig.read(before)).processorStatus, 'SUBMITTED')
  assert.deepEqual((await rig.files.create(EUR)).files, [])
  assert.deepEqual(await rig.booksFindings(), [])
})

test('more than a file holds, at both speeds, is in as many files, each payment in one', async (t) => {
  const rig = await openRig(t)
  await rig.allowInstant('10')
  const files = rig.open({ paymentsPerFileMax: 2 })
  for (let round = 0; round < 3; round += 1) {
    await rig.payOut({ amount: 11 })
    await rig.payOut({ amount: 10 })
  }
  const only = await files.create({ ...EUR, speed: 'INSTANT' })
  assert.deepEqual(
    only.files.map(({ speed, paymentCount }) => [speed, paymentCount]),
    [
      ['INSTANT', 1],
      ['INSTANT', 1],
      ['INSTANT', 1],
    ],
  )
  const rest = await files.create(EUR)
  assert.deepEqual(
    rest.files.map(({ speed, paymentCount }) => [speed, paymentCount]),
    [
      ['NORMAL', 2],
      ['NORMAL', 1],
    ],
  )
  assert.deepEqual(await rig.booksFindings(), [])
})

async function untilNoTask(rig: Rig): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    const [row] = await rig.sql(`select count(*)::int as tasks from payment_tasks where task = 'RAIL'`)
    if (row?.['tasks'] === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('the tasks were not taken up')
}

test('what waits for approval, has ended, or is over its time is in no file; and what is in one neither expires nor is cancelled', async (t) => {
  const rig = await openRig(t)
  const waiting = await rig.payOut({ needsApproval: true })
  const expired = await rig.payOut()
  const filed = await rig.payOut()
  await rig.sql(`update payments set expire_at = now() - interval '1 s' where id_payment = $1`, [
    expired.idPayment,
  ])
  await rig.payments.propose(expired, { status: 'EXPIRED', actor: 'worker', evidence: { class: 'CLOCK' } })
  const { files } = await rig.files.create(EUR)
  assert.deepEqual(await referencesIn(rig, files[0]?.fileId ?? ''), await referencesOf(rig, [filed]))
  assert.equal((await rig.read(waiting)).processorStatus, 'AWAITING_APPROVAL')
  await rig.sql(`update payments set expire_at = now() - interval '1 s' where id_payment = $1`, [
    filed.idPayment,
  ])
  const late = await rig.payments.propose(filed, {
    status: 'EXPIRED',
    actor: 'worker',
    evidence: { class: 'CLOCK' },
  })
  assert.equal(late.kind, 'REFUSED')
  const cancelled = await rig.payments.propose(filed, {
    status: 'CANCELLED',
    actor: 'operator:ada',
    evidence: { class: 'PEOPLE', operators: ['ada'] },
    reason: 'x',
  })
  assert.equal(cancelled.kind, 'REFUSED')
})

test('however many collect at the same time, each payment is in exactly one file', async (t) => {
  const rig = await openRig(t)
  const keys: PaymentKey[] = []
  for (let count = 0; count < 40; count += 1) keys.push(await rig.payOut({ amount: 1 }))
  const processes = Array.from({ length: 4 }, () => rig.open({ paymentsPerFileMax: 7 }))
  const runs = await Promise.all(processes.map((files) => files.create(EUR)))
  const files = runs.flatMap((run) => run.files)
  assert.ok(files.every(({ paymentCount }) => paymentCount <= 7))
  const inFiles = (await Promise.all(files.map(({ fileId }) => referencesIn(rig, fileId)))).flat()
  assert.deepEqual(inFiles.toSorted(), (await referencesOf(rig, keys)).toSorted())
  assert.equal(
    files.reduce((sum, { paymentCount }) => sum + paymentCount, 0),
    40,
  )
})

test('a payment that no file can carry is left out and named, the others go, and the next run names it again', async (t) => {
  const rig = await openRig(t)
  const strange = await rig.payOut({ accountName: '山田太郎' })
  const broken = await rig.payOut()
  const fine = await rig.payOut()
  await rig.sql(`update payment_personal_data set sealed = sealed || '\\x00' where id_payment = $1`, [
    broken.idPayment,
  ])
  for (const expected of [1, 0]) {
    const { files, leftOut } = await rig.open({ paymentsPerFileMax: 2 }).create(EUR)
    assert.equal(files.length, expected)
    assert.deepEqual(
      leftOut.map(({ idPayment, why }) => [idPayment, why.split(' ')[1]]),
      [
        [strange.idPayment, 'name'],
        [broken.idPayment, 'account'],
      ],
    )
  }
  assert.equal((await rig.read(fine)).processorStatus, 'SUBMITTED')
  assert.equal((await rig.read(strange)).processorStatus, 'QUEUED')
})

test('the bytes of a file never change, are stored encrypted, and whoever fetches them is noted', async (t) => {
  const rig = await openRig(t)
  await rig.payOut({ accountName: 'Grace Hopper' })
  const { files } = await rig.files.create(EUR)
  const fileId = files[0]?.fileId ?? ''
  const first = await rig.files.fetch(fileId, 'ada')
  const again = await rig.open().fetch(fileId, 'grace')
  assert.ok(first.bytes.equals(again.bytes))
  assert.match(first.bytes.toString('utf8'), /Grace Hopper/)
  assert.equal(createHash('sha256').update(first.bytes).digest('hex'), files[0]?.contentHash)
  assert.equal(first.sha256, files[0]?.contentHash)
  const [row] = await rig.sql('select sealed from payout_files')
  assert.ok(row?.['sealed'] instanceof Buffer && !row['sealed'].includes('Grace Hopper'))
  const events = await rig.sql('select event, actor from payout_file_events order by event_id')
  assert.deepEqual(events, [
    { event: 'FETCHED', actor: 'operator:ada' },
    { event: 'FETCHED', actor: 'operator:grace' },
  ])
  for (const table of ['payout_files', 'payout_file_payments', 'payout_file_events'])
    await assert.rejects(rig.sql(`delete from ${table}`), /stay as they are/)
  await assert.rejects(rig.sql(`update payout_files set sealed = '\\x00'`), /only its bytes are removed/)
})

test('that the bank has a file is noted once', async (t) => {
  const rig = await openRig(t)
  const key = await rig.payOut()
  const { files } = await rig.files.create(EUR)
  const fileId = files[0]?.fileId ?? ''
  assert.equal(await rig.files.markSubmitted(fileId, ACTOR), true)
  assert.equal(await rig.files.markSubmitted(fileId, ACTOR), false)
  const { file } = await rig.files.show(fileId)
  assert.ok(file.submittedAt !== undefined)
  assert.equal((await rig.read(key)).processorStatus, 'SUBMITTED')
  await assert.rejects(rig.files.markSubmitted('TGNONE', ACTOR), isProblem('NOT_FOUND', /no file TGNONE/))
  await assert.rejects(rig.files.fetch('TGNONE', ACTOR), isProblem('NOT_FOUND', /TGNONE/))
})

test('with a folder, files are laid there once, readable by the owner alone', async (t) => {
  const rig = await openRig(t)
  const folder = join(folderFor(t), 'out')
  const files = rig.open({ folder })
  await rig.payOut()
  const { files: made } = await files.create(EUR)
  const fileId = made[0]?.fileId ?? ''
  assert.equal(made[0]?.folder, 'LAID')
  assert.deepEqual(readdirSync(folder), [`${fileId}.xml`])
  const path = join(folder, `${fileId}.xml`)
  assert.ok(readFileSync(path).equals((await files.fetch(fileId, ACTOR)).bytes))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  // The bank's program has taken it away: it does not come back.
  rmSync(path)
  await files.create(EUR)
  assert.deepEqual(readdirSync(folder), [])
})

test('a file whose laying failed or was broken off is seen, and laid by nobody again', async (t) => {
  const rig = await openRig(t)
  const parent = folderFor(t)
  writeFileSync(join(parent, 'out'), 'in the way')
  const files = rig.open({ folder: join(parent, 'out') })
  await rig.payOut()
  const { files: made } = await files.create(EUR)
  const [file] = made
  assert.ok(file)
  assert.equal(file.folder, 'LAYING')
  rmSync(join(parent, 'out'))
  await files.create(EUR)
  assert.deepEqual(readdirSync(parent), [])
  assert.equal((await files.show(file.fileId)).file.folder, 'LAYING')
})

test('each currency goes from its own account; one without an account that pays by files is refused', async (t) => {
  const rig = await openRig(t)
  await rig.fund('100000', 'CZK')
  await rig.payOut()
  await rig.payOut({ amount: 2500, currencyCode: 'CZK', accountNumber: '19-2000145399', bankCode: '0800' })
  const { files } = await rig.files.create(ALL)
  assert.deepEqual(
    files.map(({ accountCode, format }) => [accountCode, format]),
    [
      ['SANDBOX_CZK', 'PAIN_001_001_03'],
      ['SANDBOX_EUR', 'PAIN_001_001_09'],
    ],
  )
  await assert.rejects(
    rig.files.create({ currencyCode: 'USD', actor: ACTOR }),
    isProblem('NOT_FOUND', /No account pays USD/),
  )
  await retireAccount(rig, 'EUR')
  await assert.rejects(rig.files.create(EUR), isProblem('NOT_FOUND', /No account pays EUR/))
})

test('files are listed from the newest, page by page', async (t) => {
  const rig = await openRig(t)
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) {
    await rig.payOut()
    made.unshift((await rig.files.create(EUR)).files[0]?.fileId ?? '')
  }
  const [first, second] = await rig.files.list({ after: undefined, limit: 2 })
  const rest = await rig.files.list({ after: second?.fileNo, limit: 2 })
  assert.deepEqual(
    [first, second, ...rest].map((each) => each?.file.fileId),
    made,
  )
})
