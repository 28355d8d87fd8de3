import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuthTokenByActionRequest } from '@tollgate/contract'
import { TOKEN_ACTIONS } from '@tollgate/contract/words'
import { operationsForAction } from '../index.ts'
import { claimsOf, refusedWith, tokenRig } from './rig.ts'

const rig = await tokenRig({ after })

async function issue(extra: Pick<AuthTokenByActionRequest, 'action' | 'validitySecs'>) {
  const body = { merchantCode: 'SHOP', secret: rig.secret, idPayment: 'ORD-1', ...extra }
  const credential = await rig.tokens.prove(body, { signatureHeader: undefined, rawBody: Buffer.alloc(0) })
  const issued = await rig.tokens.issueByAction(body, credential)
  assert.equal(issued.usedSecret, true)
  return claimsOf(issued.token)
}

const DAY_SECONDS = 86_400
const MONTH_SECONDS = 2_592_000

for (const action of TOKEN_ACTIONS) {
  test(`a token for ${action} has its operations, and an hour unless it asks for more or less`, async () => {
    const claims = await issue({ action })
    assert.deepEqual(claims['operations'], operationsForAction(action, 'ORD-1'))
    assert.equal(claims['idPayment'], 'ORD-1')
    const longest = action === 'PAYIN_INFO' ? MONTH_SECONDS : DAY_SECONDS
    for (const [validitySecs, expected] of [
      [undefined, 3_600],
      [1, 1],
      [longest, longest],
    ] as const) {
      const { iat, exp } = await issue({ action, ...(validitySecs !== undefined && { validitySecs }) })
      assert.equal(Number(exp) - Number(iat), expected)
    }
    await assert.rejects(issue({ action, validitySecs: longest + 1 }), refusedWith('ATTRIBUTE_VALUE_INVALID'))
  })
}
