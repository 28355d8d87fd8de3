import { randomIds } from '@tollgate/runtime'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { createTokenAdministration, readToken } from '../../modules/tokens/index.ts'
import { CommandFailure } from '../failure.ts'
import { textOrInput } from '../files.ts'
import { inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { notAToken } from './token-explain.ts'

/** `tollgate token revoke`. */
export async function revokeToken(shell: Shell, given: string): Promise<Report> {
  const text = await textOrInput(shell, given, 'a token')
  const token = readToken(text)
  if (token === undefined) throw notAToken()
  const { claims } = token
  return inHouse(shell, async (house) => {
    const tokens = createTokenAdministration(house)
    if ((await tokens.judgeSignature(text)) !== 'VALID')
      throw new CommandFailure(
        'CREDENTIALS',
        'This installation did not sign this token, so it opens nothing here.',
      )
    const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(claims.sub)
    await tokens.revoke(merchant, claims)
    const isExpired = shell.clock.nowMs() >= claims.exp * 1000
    return {
      json: { merchantCode: claims.sub, jti: claims.jti, revoked: true, expired: isExpired },
      text: isExpired
        ? `The token ${claims.jti} of ${claims.sub} has expired already.`
        : `Revoked the token ${claims.jti} of ${claims.sub}.`,
    }
  })
}
