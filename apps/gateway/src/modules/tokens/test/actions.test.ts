import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthTokenByActionRequestSchema } from '@tollgate/contract'
import { TOKEN_ACTIONS } from '@tollgate/contract/words'
import { Value } from 'typebox/value'
import { operationsForAction } from '../operations.ts'

test('the interface takes the actions that have operations, and no other', () => {
  const { action } = AuthTokenByActionRequestSchema.properties
  for (const each of TOKEN_ACTIONS) {
    assert.ok(Value.Check(action, each), each)
    assert.ok(operationsForAction(each, 'ORD-1').length > 0, each)
  }
  assert.ok(!Value.Check(action, 'PAYIN_DELETE'))
})
