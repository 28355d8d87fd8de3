import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { EVM_COIN } from '@tollgate/payment-codes'
import { JournalDamaged } from '@tollgate/runtime/journal'
import { readTransferCall } from '@tollgate/signer-protocol'
import fc from 'fast-check'
import { Transaction } from 'micro-eth-signer'
import { openRecord } from '../src/record.ts'
import { DAY_MS, KEY, openSigner, question, RULES, TOKEN } from './support.ts'

test('what is signed is the transfer that was asked for, by the wallet, and it is in the record', async (t) => {
  const { signer, record } = await openSigner(t)
  const answer = await signer.sign(question())
  assert.ok(answer.kind === 'SIGNED')
  const transaction = Transaction.fromHex(answer.transaction)
  assert.equal(transaction.sender.toLowerCase(), signer.address)
  assert.equal(`0x${transaction.hash.replace(/^0x/, '')}`, answer.hash)
  const { raw } = transaction
  assert.ok('maxFeePerGas' in raw)
  assert.deepEqual(
    [raw.chainId, raw.nonce, raw.to.toLowerCase(), raw.value, raw.gasLimit, raw.maxFeePerGas],
    [8453n, 0n, TOKEN, 0n, 100_000n, 10_000_000_000n],
  )
  assert.deepEqual(readTransferCall(raw.data), { payee: `0x${'cd'.repeat(20)}`, units: 100n })
  assert.equal(record.lines(), 1)
})

test("the chain's own coin is given by the transaction itself, under the rules of a token of that name", async (t) => {
  const tokens = [{ token: EVM_COIN, decimals: 18, perTransaction: 1_000n, perDay: 2_500n }]
  const { signer, ask } = await openSigner(t, { rules: { ...RULES, tokens } })
  assert.equal(await ask({ reference: 'REF-2' }), 'TOKEN')
  assert.equal(await ask({ reference: 'REF-2', token: EVM_COIN, units: '1001' }), 'AMOUNT')
  const answer = await signer.sign(question({ token: EVM_COIN }))
  assert.ok(answer.kind === 'SIGNED')
  const { raw } = Transaction.fromHex(answer.transaction)
  assert.deepEqual(
    [raw.to.toLowerCase(), raw.value, raw.data.replace(/^0x/, '')],
    [`0x${'cd'.repeat(20)}`, 100n, ''],
  )
  assert.equal(await ask({ token: EVM_COIN, units: '101' }), 'CONTENT')
})

test('the same question gets the same transaction, whatever number it asks for', async (t) => {
  const { signer, record } = await openSigner(t)
  const first = await signer.sign(question())
  assert.deepEqual(await signer.sign(question({ nonce: '7' })), first)
  assert.equal(record.lines(), 1)
})

test('D60 a replacement has the number of what it replaces, and offers at least a tenth more', async (t) => {
  const { signer, record } = await openSigner(t)
  const first = await signer.sign(question())
  const little = question({ maxFeePerGas: '10900000000', maxPriorityFeePerGas: '1100000000' })
  assert.deepEqual(await signer.sign(little), first)
  const enough = question({ nonce: '5', maxFeePerGas: '11000000000', maxPriorityFeePerGas: '1100000000' })
  const second = await signer.sign(enough)
  assert.ok(first.kind === 'SIGNED' && second.kind === 'SIGNED')
  assert.deepEqual([second.nonce, second.earlierHashes], ['0', [first.hash]])
  assert.deepEqual(record.hashesOf('8453', 'REF-1'), [first.hash, second.hash])
})

test('D60 a number is one reference’s, and a reference one transfer’s, for ever', async (t) => {
  const { ask, signer } = await openSigner(t)
  assert.equal(await ask(), 'SIGNED 0')
  assert.equal(await ask({ reference: 'REF-2' }), 'NONCE_TAKEN')
  const refused = await signer.sign(question({ reference: 'REF-2' }))
  assert.ok(refused.kind === 'REFUSED')
  assert.equal(refused.nextNonce, '1')
  assert.equal(await ask({ units: '101' }), 'CONTENT')
  assert.equal(await ask({ payee: `0x${'ef'.repeat(20)}` }), 'CONTENT')
  assert.equal(await ask({ reference: 'REF-2', nonce: '1' }), 'SIGNED 1')
})

test('D61 what its rules do not allow is not signed', async (t) => {
  const payee = `0x${'cd'.repeat(20)}`
  const { ask, record } = await openSigner(t, { rules: { ...RULES, payees: new Set([payee]) } })
  assert.equal(await ask({ token: `0x${'b0'.repeat(20)}` }), 'TOKEN')
  assert.equal(await ask({ chainId: '1' }), 'TOKEN')
  assert.equal(await ask({ payee: `0x${'ef'.repeat(20)}` }), 'PAYEE')
  assert.equal(await ask({ units: '1001' }), 'AMOUNT')
  assert.equal(await ask({ units: '0' }), 'AMOUNT')
  assert.equal(await ask({ gasLimit: '200001' }), 'FEE')
  assert.equal(await ask({ maxFeePerGas: '100000000001' }), 'FEE')
  assert.equal(await ask({ maxPriorityFeePerGas: '20000000000' }), 'FEE')
  assert.equal(await ask({ seal: 'ab'.repeat(32) }), 'SEAL')
  assert.equal(record.lines(), 0)
})

test('D61 no more leaves in a day than it may, and replacements do not count again', async (t) => {
  const { ask, clock } = await openSigner(t)
  for (const [index, units] of ['1000', '1000', '500'].entries())
    assert.equal(await ask({ reference: `REF-${index}`, nonce: String(index), units }), `SIGNED ${index}`)
  const raised = { maxFeePerGas: '20000000000', maxPriorityFeePerGas: '2000000000' }
  assert.equal(await ask({ reference: 'REF-0', units: '1000', ...raised }), 'SIGNED 0')
  assert.equal(await ask({ reference: 'REF-3', nonce: '3', units: '1' }), 'DAY')
  clock.nowMs += DAY_MS
  assert.equal(await ask({ reference: 'REF-3', nonce: '3', units: '1' }), 'SIGNED 3')
})

test('D60 whatever is asked, over restarts: one number a reference, one reference a number, one transfer a reference', async (t) => {
  const asked = fc.record({
    reference: fc.constantFrom('A', 'B', 'C', 'D'),
    nonce: fc.constantFrom('0', '1', '2', '3'),
    units: fc.constantFrom('1', '2'),
    maxFeePerGas: fc.constantFrom('10000000000', '12000000000', '15000000000'),
    maxPriorityFeePerGas: fc.constantFrom('1000000000', '1200000000', '1500000000'),
    restarts: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 12 }), async (questions) => {
      let rig = await openSigner(t)
      const { recordFile } = rig
      for (const { restarts, ...given } of questions) {
        await rig.ask(given)
        if (!restarts) continue
        await rig.record.close()
        rig = await openSigner(t, { recordFile })
      }
      const lines: readonly Record<string, string>[] = readFileSync(recordFile, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      for (const [one, other] of [
        ['reference', 'nonce'],
        ['nonce', 'reference'],
        ['reference', 'units'],
      ] as const)
        for (const group of Map.groupBy(lines, (line) => line[one]).values())
          assert.equal(new Set(group.map((line) => line[other])).size, 1)
      await rig.record.close()
    }),
    { numRuns: 60 },
  )
})

test('D62 a record in which somebody changed or removed a line is refused; a line that a crash cut off is not', async (t) => {
  const { ask, record, recordFile } = await openSigner(t)
  await ask()
  await ask({ reference: 'REF-2', nonce: '1' })
  await record.close()
  const whole = readFileSync(recordFile, 'utf8')
  const [first = '', second = ''] = whole.split('\n')
  for (const damaged of [
    `${second}\n`,
    `${first.replace('"nonce":"0"', '"nonce":"9"')}\n${second}\n`,
    `${first}\nx\n`,
  ]) {
    writeFileSync(recordFile, damaged)
    await assert.rejects(openRecord(recordFile), JournalDamaged)
  }
  writeFileSync(recordFile, `${first}\n${second.slice(0, 40)}`)
  const again = await openRecord(recordFile)
  assert.deepEqual([again.lines(), again.nextNonce('8453')], [1, 1n])
  await again.close()
})

test('the record has no key', async (t) => {
  const { ask, recordFile } = await openSigner(t)
  await ask()
  assert.doesNotMatch(readFileSync(recordFile, 'utf8'), new RegExp(KEY.slice(2)))
})
