import { askServer, jsonContent, parsed } from '../api.ts'
import type { Shell } from '../shell.ts'
import { API, callerFor, createToken, type MerchantWish } from './token-create.ts'

/** What a merchant makes happen to a payment of its own. */
interface TriggerWish extends MerchantWish {
  readonly kind: 'payin' | 'payout' | 'topup'
  readonly id: string
  readonly outcome: string
}

/** `tollgate trigger` by the merchant's own key; the answer of the API. */
export async function triggerOwn(shell: Shell, wish: TriggerWish): Promise<unknown> {
  const { kind, id, outcome, ...whose } = wish
  const { apiUrl } = await callerFor(shell, whose)
  const path = `/sandbox/${kind}s/${id}/!trigger`
  const { token } = await createToken(shell, { ...whose, operation: [`POST ${path}`] })
  const question = {
    method: 'POST',
    url: `${apiUrl}${path}`,
    headers: { authorization: `Bearer ${token}` },
    content: jsonContent({ outcome }),
  }
  return parsed(await askServer(question, API))
}
