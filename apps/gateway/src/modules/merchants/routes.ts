import { answers, MerchantInfoSchema, PageShopSchema, PayinParams } from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { CHECKOUT_GRACE_SECONDS, callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CallbackSigner } from './callback-signer.ts'
import type { MerchantDirectory } from './directory.ts'
import { logoUrl } from './logo-service.ts'
import type { ChannelInfo, Merchant } from './model.ts'

const operation = operationsOf('Merchant info')

interface MerchantRouteDeps {
  readonly merchants: MerchantDirectory
  readonly signer: CallbackSigner
  readonly isLive: boolean
  /** Where callers reach this API. */
  readonly publicUrl: string
}

/**
 * Specification 4.5: the merchant behind the token. The hosted page alone may know the shop's name, logo and colour with any
 * token of the payin.
 */
export function merchantRoutes(app: App, deps: MerchantRouteDeps): void {
  app.get(
    '/merchant-info',
    operation('readMerchantInfo', {
      summary: 'Merchant information',
      description: '410 is listed by the specification; nothing here causes it.',
      response: answers({ 200: MerchantInfoSchema }, 410),
    }),
    async (request) => {
      const merchant = await merchantBehind(deps, request)
      return {
        merchantCode: merchant.merchantCode,
        channelInfo: presentChannel(merchant, deps.publicUrl),
        isTest: !deps.isLive,
        callbackPublicKeys: deps.signer.publicKeys(merchant),
      }
    },
  )

  app.get(
    '/checkout/payins/:idPayin/shop',
    {
      config: {
        access: 'checkout',
        actsAs: { method: 'GET', url: '/payins/:idPayin' },
        graceSeconds: CHECKOUT_GRACE_SECONDS,
      },
      schema: { hide: true, params: PayinParams, response: answers({ 200: PageShopSchema }) },
    },
    async (request) => ({ channelInfo: presentChannel(await merchantBehind(deps, request), deps.publicUrl) }),
  )
}

async function merchantBehind(
  { merchants }: Pick<MerchantRouteDeps, 'merchants'>,
  request: FastifyRequest,
): Promise<Merchant> {
  const merchant = await merchants.find(callerOf(request).merchantCode)
  if (merchant === undefined) throw new Refusal('ENTITY_NOT_FOUND')
  return merchant
}

/** What was agreed as text, and the logo that we hold in place of an address elsewhere. */
function presentChannel({ channel, logo }: Merchant, publicUrl: string): ChannelInfo {
  if (logo === undefined) return channel
  const { hash, width: logoWidth, height: logoHeight } = logo
  return { ...channel, logoUrl: logoUrl(publicUrl, hash), logoWidth, logoHeight }
}
