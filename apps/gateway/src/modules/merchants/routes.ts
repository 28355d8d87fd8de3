import { answers, MerchantInfoSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CallbackSigner } from './callback-signer.ts'
import type { MerchantDirectory } from './directory.ts'

export interface MerchantRouteDeps {
  readonly merchants: MerchantDirectory
  readonly signer: CallbackSigner
  readonly isLive: boolean
}

/** Specification 4.5: the merchant behind the token. */
export function merchantRoutes(app: App, deps: MerchantRouteDeps): void {
  app.get(
    '/merchant-info',
    {
      schema: {
        operationId: 'readMerchantInfo',
        summary: 'Merchant information',
        description: '410 is listed by the specification; nothing here causes it.',
        tags: ['Merchant info'],
        response: answers({ 200: MerchantInfoSchema }, 400, 401, 403, 404, 410, 429, 500),
      },
    },
    async (request) => {
      const merchant = await deps.merchants.find(callerOf(request).merchantCode)
      if (merchant === undefined) throw new Refusal('ENTITY_NOT_FOUND')
      return {
        merchantCode: merchant.merchantCode,
        channelInfo: merchant.channel,
        isTest: !deps.isLive,
        callbackPublicKeys: deps.signer.publicKeys(merchant),
      }
    },
  )
}
