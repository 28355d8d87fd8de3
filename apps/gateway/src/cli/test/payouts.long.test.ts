import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { at, expectFailure, expectRefusal, run, runJson, startGateway, textAt } from './support.ts'

const ACCOUNT = 'DE89 3704 0044 0532 0130 00\n\n'

test('payouts by the command line: rules, block-lists, and what cannot be done', async (t) => {
  const environment = await startGateway(t)
  const folder = environment['TOLLGATE_DATA_DIR'] ?? ''
  const ada = ['--operator-key-file', join(folder, 'demo', 'operator-ada.key')]
  const content = ['--content', '0123456789ab']

  await t.test('a rule is set, said, and taken away', async () => {
    const set = ['merchants', 'set-payout-rule', 'DEMO', '--currency', 'eur']
    const rule = await runJson([...set, '--amount-from', '1000.50', '--new-beneficiary'], environment)
    assert.deepEqual(rule, { currencyCode: 'EUR', amountFrom: 1000.5, newBeneficiary: true })
    assert.match((await run(set, environment)).stdout, /none waits for approval/)
    const wrong = { exitCode: 2, says: /a number above zero/ }
    await expectFailure([...set, '--daily-sum-from', '0'], environment, wrong)
    const nobody = ['merchants', 'set-payout-rule', 'NOBODY', '--currency', 'EUR']
    await expectFailure(nobody, environment, { exitCode: 4, says: /NOBODY/ })
  })

  await t.test(
    'accounts come from standard input, are listed without themselves, and leave again',
    async () => {
      const block = ['payouts', 'block', 'house', '-', '--note', 'stolen', ...ada]
      assert.deepEqual(await runJson(block, environment, ACCOUNT), { named: 1, changed: 1 })
      const listed = await runJson(['payouts', 'blocked', '--merchant', 'house'], environment)
      assert.deepEqual(
        [
          at(listed, 'data', 0, 'merchantCode'),
          at(listed, 'data', 0, 'note'),
          at(listed, 'data', 0, 'createdBy'),
        ],
        [undefined, 'stolen', 'ada'],
      )
      assert.match(textAt(listed, 'data', 0, 'accountDigest'), /^[0-9a-f]{12}$/)
      assert.deepEqual(await runJson(['payouts', 'blocked', '--merchant', 'DEMO'], environment), { data: [] })
      const unblock = ['payouts', 'unblock', 'house', '-', ...ada]
      assert.deepEqual(await runJson(unblock, environment, ACCOUNT), { named: 1, changed: 1 })
      await expectFailure(block, environment, { exitCode: 2, says: /accountNumbers/ })
    },
  )

  await t.test('nobody decides or blocks without a key', async () => {
    const anonymous = { exitCode: 3, says: /--operator-key-file/ }
    await expectRefusal(['payouts', 'approve', 'DEMO', 'P-1', ...content], environment, anonymous)
    await expectRefusal(['payouts', 'block', 'DEMO', import.meta.filename], environment, anonymous)
  })

  await t.test('a payout or merchant that does not exist, and options that cannot be', async () => {
    const approve = ['payouts', 'approve', 'DEMO', 'P-1', ...content, ...ada]
    await expectRefusal(approve, environment, { exitCode: 4, says: /This merchant has no such payout/ })
    const list = ['payouts', 'list', '--merchant', 'NOBODY']
    await expectRefusal(list, environment, { exitCode: 4, says: /no merchant NOBODY/ })
    const short = ['payouts', 'approve', 'DEMO', 'P-1', '--content', '0123', ...ada]
    await expectRefusal(short, environment, { exitCode: 2, says: /12 to 64 hex digits/ })
    const silent = ['payouts', 'reject', 'DEMO', 'P-1', ...content, '--reason', ' ', ...ada]
    await expectRefusal(silent, environment, { exitCode: 2, says: /--reason/ })
    assert.deepEqual(await runJson(['payouts', 'list'], environment), { data: [] })
  })
})
