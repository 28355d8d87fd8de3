import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSql } from '@tollgate/testkit'
import { at, expectFailure, expectRefusal, run, runJson, startGateway, textAt } from './support.ts'

/** A payment as it would be after a day of silence of its institution. */
const INSERT = `with merchant as (select merchant_id from merchants where merchant_code = 'DEMO'),
  payment as (
    insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
      method_code, rail, reference, instructions, is_test, timeline_count, expire_at)
    select merchant_id, 'PAYIN', $1, gen_random_uuid(), '\\x00', 'CREATED', $2, 10, 'EUR', 0,
      'BANK_TRANSFER', 'sandbox', 'R-' || $1, '{}', true, 1, now() + interval '1 day' from merchant
    returning merchant_id, kind, id_payment, status, processor_status),
  task as (
    insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'REVIEW', clock_timestamp() from payment where processor_status = 'IN_REVIEW')
  insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
  select merchant_id, kind, id_payment, 1, status, processor_status, 'merchant' from payment`

test('reviews and triggers by the command line', async (t) => {
  const environment = await startGateway(t)
  const folder = environment['TOLLGATE_DATA_DIR'] ?? ''
  const url = environment['TOLLGATE_DATABASE_URL'] ?? ''
  const keyOf = (code: string) => ['--operator-key-file', join(folder, 'demo', `operator-${code}.key`)]
  const said = ['--outcome', 'executed', '--reason', 'statement of today, line 14']
  await runSql(url, INSERT, ['REV-1', 'IN_REVIEW'])
  await runSql(url, INSERT, ['WAIT-1', 'AWAITING_CUSTOMER'])

  await t.test('what waits for people is listed, looked into, and decided by two', async () => {
    const listed = await runJson(['reviews', 'list', '--merchant', 'DEMO'], environment)
    assert.deepEqual(
      [at(listed, 'data', 0, 'idPayment'), at(listed, 'data', 0, 'process', 'processorStatus')],
      ['REV-1', 'IN_REVIEW'],
    )
    const decide = ['reviews', 'decide', 'payin', 'DEMO', 'REV-1', ...said]
    const first = await runJson([...decide, ...keyOf('ada')], environment)
    assert.equal(at(first, 'process', 'status'), 'CREATED')
    const again = { exitCode: 5, says: /You have already recorded this decision/ }
    await expectRefusal([...decide, ...keyOf('ada')], environment, again)
    const second = await runJson([...decide, ...keyOf('grace')], environment)
    assert.equal(at(second, 'process', 'status'), 'SUCCESS')
    const shown = await run(['reviews', 'show', 'payin', 'DEMO', 'REV-1'], environment)
    assert.match(shown.stdout, /decided by ada and grace: statement of today, line 14/)
    assert.match((await run(['reviews', 'list'], environment)).stdout, /No payments in review/)
    const ended = { exitCode: 5, says: /SUCCESS \(CONFIRMED\)/ }
    await expectFailure([...decide, ...keyOf('ada')], environment, ended)
  })

  await t.test('nobody decides without a key, nor about what is not there', async () => {
    const unknown = ['reviews', 'decide', 'payout', 'DEMO', 'P-1', ...said]
    await expectRefusal(unknown, environment, { exitCode: 3, says: /--operator-key-file/ })
    const missing = { exitCode: 4, says: /DEMO has no payout P-1/ }
    await expectRefusal([...unknown, ...keyOf('ada')], environment, missing)
    const merchant = ['reviews', 'list', '--merchant', 'NOBODY']
    await expectRefusal(merchant, environment, { exitCode: 4, says: /no merchant NOBODY/ })
    const silent = ['reviews', 'decide', 'payin', 'DEMO', 'P', '--outcome', 'executed', '--reason', ' ']
    await expectRefusal(silent, environment, { exitCode: 2, says: /--reason/ })
    const kind = ['reviews', 'show', 'payment', 'DEMO', 'P']
    await expectRefusal(kind, environment, { exitCode: 2, says: /payin, payout, topup, settlement/ })
  })

  await t.test('a developer makes things happen to a payment that waits', async () => {
    const trigger = (outcome: string, id = 'WAIT-1') => ['trigger', 'payin', outcome, id]
    const partial = await runJson(trigger('partial'), environment)
    assert.deepEqual([at(partial, 'result'), at(partial, 'processorStatus')], ['IN_REVIEW', 'IN_REVIEW'])
    assert.match(textAt(partial, 'why'), /^5 EUR arrived instead of 10 EUR$/)
    const paid = await run(trigger('paid'), environment)
    assert.match(paid.stdout, /The payin WAIT-1 is SUCCESS \(CONFIRMED\)/)
    assert.match((await run(trigger('paid'), environment)).stdout, /already SUCCESS/)
    await expectRefusal(trigger('unknown'), environment, { exitCode: 6, says: /it is SUCCESS already/ })
    await expectRefusal(trigger('paid', 'X'), environment, { exitCode: 4, says: /DEMO has no payin X/ })
    await expectRefusal(trigger('lost'), environment, { exitCode: 2, says: /<outcome> must be one of/ })
  })

  await t.test('what people say of a bank is listed with who said it and why, and taken back', async () => {
    const bank = ['operator', 'SPARKASSE_ELBSTROM', 'payin']
    const set = ['rails', 'health', 'set', ...bank, 'closed', '--reason', 'maintenance', '--minutes', '60']
    await expectRefusal(set, environment, { exitCode: 3, says: /--operator-key-file/ })
    const done = await run([...set, ...keyOf('ada')], environment)
    assert.match(done.stdout, /SPARKASSE_ELBSTROM is CLOSED for PAYINs, for 60 min/)
    const listed = await runJson(['rails', 'health', 'list'], environment)
    assert.deepEqual(
      [
        at(listed, 'data', 0, 'code'),
        at(listed, 'data', 0, 'availability'),
        at(listed, 'data', 0, 'said', 'operatorCode'),
      ],
      ['SPARKASSE_ELBSTROM', 'CLOSED', 'ada'],
    )
    const clear = ['rails', 'health', 'clear', ...bank, ...keyOf('ada')]
    await runJson(clear, environment)
    await expectRefusal(clear, environment, { exitCode: 4, says: /Nobody has said anything/ })
    const unknown = ['rails', 'health', 'set', 'rail', 'nowhere', 'payin', 'closed', '--reason', 'x']
    await expectRefusal([...unknown, ...keyOf('ada')], environment, { exitCode: 4, says: /no rail nowhere/ })
  })

  await t.test('in live nothing can be triggered', async () => {
    const live = {
      ...environment,
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://api.shop.example',
      TOLLGATE_PUBLIC_OPERATOR_URL: 'https://operators.shop.example',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.shop.example',
    }
    const trigger = ['trigger', 'payin', 'returned', 'WAIT-1', '--merchant', 'DEMO']
    await expectRefusal(trigger, live, { exitCode: 6, says: /only in the sandbox/ })
  })
})
