import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createJournal, JournalDamaged } from '@tollgate/runtime/journal'
import { linesOf, openBank, payment, temporaryFolder } from './support.ts'

const readNumber = (value: unknown): { n: number } | undefined =>
  typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number'
    ? { n: value.n }
    : undefined

async function openJournal(file: string, read: typeof readNumber) {
  const journal = createJournal(file, read)
  return { journal, ...(await journal.open()) }
}

test('what was appended is read again in its order', async (t) => {
  const file = join(temporaryFolder(t), 'deep', 'journal.jsonl')
  const first = await openJournal(file, readNumber)
  assert.deepEqual(first.lines, [])
  for (let n = 0; n < 100; n += 1) {
    first.journal.append({ n })
    if (n % 7 === 0) await first.journal.settled()
  }
  await first.journal.settled()
  assert.equal(linesOf(file).length, 100)
  await first.journal.close()
  const second = await openJournal(file, readNumber)
  assert.deepEqual(
    second.lines,
    Array.from({ length: 100 }, (_, n) => ({ n })),
  )
  await second.journal.close()
})

test('a torn last line is cut off at every length, and the journal goes on behind the whole ones', async (t) => {
  const file = join(temporaryFolder(t), 'journal.jsonl')
  const torn = '{"n":123}'
  for (let length = 1; length <= torn.length; length += 1) {
    writeFileSync(file, `{"n":1}\n${torn.slice(0, length)}`)
    const { lines, journal, tornBytes } = await openJournal(file, readNumber)
    assert.deepEqual(lines, [{ n: 1 }])
    assert.equal(tornBytes, length)
    journal.append({ n: 2 })
    await journal.close()
    assert.equal(readFileSync(file, 'utf8'), '{"n":1}\n{"n":2}\n')
  }
})

test('a line in the middle that cannot be read is said, not skipped', async (t) => {
  const file = join(temporaryFolder(t), 'journal.jsonl')
  for (const wrong of ['{"n":', '{"m":1}', '']) {
    writeFileSync(file, `{"n":1}\n${wrong}\n{"n":3}\n`)
    await assert.rejects(openJournal(file, readNumber), (error) => {
      assert.ok(error instanceof JournalDamaged)
      assert.match(error.message, /^Line 2 of /)
      return true
    })
  }
})

test('after a restart the bank knows everything that it had acknowledged', async (t) => {
  const bank = await openBank(t)
  const paid = payment()
  const paidOut = payment({ direction: 'PAYOUT' })
  const open = payment()
  for (const each of [paid, paidOut, open]) await bank.handOver(each)
  await bank.admin('POST', `/payments/${paid.reference}/approve`)
  await bank.mood({ mood: 'SLOW', every: 3, delayMs: 0 })
  const states = async (): Promise<readonly unknown[]> =>
    Promise.all([paid, paidOut, open].map(({ reference }) => bank.ask(reference)))
  const before = await states()
  const log = (await bank.admin('GET', '/log')).text
  await bank.restart()
  assert.deepEqual(await states(), before)
  assert.equal((await bank.admin('GET', '/log')).text, log)
  assert.deepEqual(JSON.parse((await bank.admin('GET', '/mood')).text), {
    mood: 'SLOW',
    every: 3,
    delayMs: 0,
  })
  assert.equal((await bank.movements(paidOut.reference)).length, 1)
})

test('an answer is given when its lines are on the disk, and a bank that is torn off there starts again', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  await bank.handOver(request)
  assert.deepEqual(
    linesOf(bank.file).map((line) => JSON.parse(line).type),
    ['SEEN', 'HANDED_OVER', 'CHANGED'],
  )
  await bank.stop()
  appendFileSync(bank.file, '{"type":"CHANGED","at":"20')
  await bank.restart()
  assert.equal((await bank.ask(request.reference)).status, 'SUCCEEDED')
})

test('a payout that was taken and not yet executed when the bank fell over is executed once', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  await bank.handOver(request)
  await bank.stop()
  const [seen, handedOver, changed = ''] = linesOf(bank.file)
  writeFileSync(bank.file, `${seen}\n${handedOver}\n${changed.slice(0, 40)}`)
  await bank.restart()
  await bank.restart()
  assert.equal((await bank.ask(request.reference)).status, 'SUCCEEDED')
  assert.equal((await bank.movements(request.reference)).length, 1)
})
