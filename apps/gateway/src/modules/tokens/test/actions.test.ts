import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthTokenByActionRequestSchema } from '@tollgate/contract'
import { TOKEN_ACTIONS } from '../operations.ts'

test('the interface takes the actions that have operations, and no other', () => {
  const options = AuthTokenByActionRequestSchema.properties.action.anyOf
  assert.deepEqual(
    options.map((option) => option.const),
    TOKEN_ACTIONS,
  )
})
