import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at } from '../support/json.ts'
import { ALL_OPERATIONS, addMerchant } from '../support/merchant.ts'
import { createPayin, newId, readPayin } from '../support/payins.ts'

const gateway = await startGateway({ after })
const demo = gateway.demo()
const rival = await addMerchant(gateway, 'RIVAL')
const token = await demo.token(...ALL_OPERATIONS)

const cancel = (id: string, by = token): Promise<RawResponse> =>
  gateway.send({ method: 'POST', path: `/payins/${id}/!cancel`, token: by })

async function stateOf(id: string): Promise<unknown> {
  const { status, processorStatus } = Object(at(await readPayin(gateway, token, id), 'process'))
  return [status, processorStatus]
}

test('P21 nobody cancels a payin of another merchant, or with a token that was made for something else', async () => {
  const idPayment = newId()
  await createPayin(gateway, token, { id: idPayment })
  expectError(await cancel(idPayment, await rival.token('POST /.*')), 410, 'ENTITY_NOT_FOUND')
  const others = [
    await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment }),
    await demo.tokenFor({ action: 'PAYIN_INFO', idPayment }),
    await demo.tokenFor({ action: 'PAYIN_CANCEL', idPayment: idPayment.slice(1) }),
    await demo.tokenFor({ action: 'PAYIN_CANCEL', idPayment: `${idPayment}x` }),
    await demo.token('POST /payins/!cancel', `POST /payins/${idPayment}/cancel`, 'GET /payins/.*'),
  ]
  for (const other of others) expectError(await cancel(idPayment, other), 403, 'OPERATION_NOT_PERMITTED')
  assert.deepEqual(await stateOf(idPayment), ['CREATED', 'AWAITING_CUSTOMER'])
  const right = await demo.tokenFor({ action: 'PAYIN_CANCEL', idPayment })
  expectSuccess(await cancel(idPayment, right), 200)
})

test('P21 money for a cancelled payin books nothing by itself: people decide', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  expectSuccess(await cancel(id), 200)
  await gateway.cli('trigger', 'payin', 'paid', id)
  assert.deepEqual(await stateOf(id), ['CANCELLED', 'IN_REVIEW'])
  expectSuccess(await cancel(id), 200)
  assert.deepEqual(await stateOf(id), ['CANCELLED', 'IN_REVIEW'])
  const { code, stdout } = await gateway.cli('ledger', 'check')
  assert.equal(code, 0, stdout)
})
