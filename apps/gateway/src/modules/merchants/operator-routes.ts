import {
  type Answer,
  answers,
  MERCHANT_PAGE,
  MerchantCallbackKeysSchema,
  MerchantCallbackSecretSchema,
  MerchantChangeSchema,
  MerchantCreateSchema,
  MerchantKeyAddSchema,
  MerchantKeyConfirmedSchema,
  MerchantKeyConfirmSchema,
  MerchantKeyParams,
  MerchantKeyRemovedSchema,
  MerchantKeySchema,
  MerchantLogoRemovedSchema,
  MerchantLogoSchema,
  MerchantSecretParams,
  MerchantSecretRemovedSchema,
  MerchantSecretSchema,
  MerchantTokensRevokedSchema,
  OperatorMerchantDetailSchema,
  OperatorMerchantListQuery,
  OperatorMerchantListSchema,
  OperatorMerchantParams,
  OperatorMerchantSchema,
} from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { fileOf } from '../../http/operator-files.ts'
import { answerPage } from '../../http/paging.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CallbackSigner } from './callback-signer.ts'
import { type LogoService, logoUrl } from './logo-service.ts'
import { type Credential, type Maker, MERCHANT_CODE_PATTERN, type Merchant } from './model.ts'
import type { MerchantService } from './service.ts'

const operation = operatorOperationsOf('Merchants')

interface MerchantOperatorDeps {
  readonly merchants: MerchantService
  readonly logos: LogoService
  readonly signer: Pick<CallbackSigner, 'publicKeys' | 'secret'>
  /** The payment methods that a merchant may use. */
  readonly methodsOf: (merchantId: string) => Promise<Answer<typeof OperatorMerchantDetailSchema>['methods']>
  /** What ends with the merchant elsewhere. */
  readonly afterDisabling: (merchantCode: string) => Promise<void>
  /** What one operator of the house adds to a merchant's credentials is half. */
  readonly needsSecondPerson: boolean
  /** A new merchant has to be granted addresses and segments. */
  readonly isNarrow: boolean
  /** Where strangers find logos. */
  readonly publicApiUrl: string
}

/** Merchants for operators: who they are, by what they prove it, and what they may. */
export function merchantOperatorRoutes(app: App, deps: MerchantOperatorDeps): void {
  readingRoutes(app, deps)
  changeRoutes(app, deps)
  logoRoutes(app, deps)
  keyRoutes(app, deps)
  secretRoutes(app, deps)
  callbackRoutes(app, deps)
}

function readingRoutes(app: App, { merchants, signer, methodsOf }: MerchantOperatorDeps): void {
  app.get(
    '/operator/merchants',
    operation('listMerchants', 'merchants.read', {
      summary: 'List merchants',
      querystring: OperatorMerchantListQuery,
      response: answers({ 200: OperatorMerchantListSchema }),
    }),
    ({ query: { name, status, cursor, limit = String(MERCHANT_PAGE) } }) =>
      answerPage(
        { limit, ...(cursor !== undefined && { cursor }) },
        {
          place: MERCHANT_CODE_PATTERN,
          list: (page) => merchants.list({ after: page.before, limit: page.limit, name, status }),
          placeOf: ({ merchantCode }) => merchantCode,
          present,
        },
      ),
  )
  app.get(
    '/operator/merchants/:merchantCode',
    operation('readMerchant', 'merchants.read', {
      summary: 'A merchant with its credentials, methods and callback keys',
      params: OperatorMerchantParams,
      response: answers({ 200: OperatorMerchantDetailSchema }, 410),
    }),
    async ({ params }) => {
      const { merchant, credentials } = await merchants.show(params.merchantCode)
      return {
        ...present(merchant),
        credentials: credentials.map(presentCredential),
        callbackPublicKeys: signer.publicKeys(merchant),
        methods: await methodsOf(merchant.merchantId),
      }
    },
  )
}

function changeRoutes(app: App, { merchants, isNarrow, afterDisabling }: MerchantOperatorDeps): void {
  app.post(
    '/operator/merchants',
    operation('createMerchant', 'merchants.change', {
      summary: 'Make a merchant; next it needs a key and payment methods',
      body: MerchantCreateSchema,
      response: answers({ 201: OperatorMerchantSchema }, 409),
    }),
    async ({ body: { merchantCode, name = merchantCode } }, reply) =>
      reply.code(201).send(present(await merchants.create(merchantCode, name, { isNarrow }))),
  )
  app.post(
    '/operator/merchants/:merchantCode/!change',
    operation('changeMerchant', 'merchants.change', {
      summary: 'Change what is set for a merchant, and what customers see of it',
      params: OperatorMerchantParams,
      body: MerchantChangeSchema,
      response: answers({ 200: OperatorMerchantSchema }, 410),
    }),
    async ({ params, body: { name, ...change } }) =>
      present(
        await merchants.change(params.merchantCode, {
          ...change,
          ...(name !== undefined && { channelName: name }),
        }),
      ),
  )
  const switches = [
    { action: 'enable', status: 'ACTIVE', summary: 'Let a disabled merchant work again' },
    { action: 'disable', status: 'DISABLED', summary: 'Disable a merchant; payments under way go on' },
  ] as const
  for (const { action, status, summary } of switches)
    app.post(
      `/operator/merchants/:merchantCode/!${action}`,
      operation(`${action}Merchant`, 'merchants.change', {
        summary,
        params: OperatorMerchantParams,
        response: answers({ 200: OperatorMerchantSchema }, 410),
      }),
      async ({ params }) => {
        const merchant = await merchants.change(params.merchantCode, { status })
        if (status === 'DISABLED') await afterDisabling(params.merchantCode)
        return present(merchant)
      },
    )
}

function logoRoutes(app: App, { logos, publicApiUrl }: MerchantOperatorDeps): void {
  const path = '/operator/merchants/:merchantCode/logo'
  app.put(
    path,
    operation('setMerchantLogo', 'merchants.change', {
      summary: 'Show this picture of the merchant on the payment page',
      description:
        'The body is the file itself, as application/octet-stream: PNG, JPEG or WebP to 32 KiB, SVG to 8 KiB.',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantLogoSchema }, 410),
    }),
    async (request) => {
      const { merchantCode } = request.params
      const { hash, mediaType, width, height } = await logos.set(merchantCode, fileOf(request))
      return { merchantCode, logoUrl: logoUrl(publicApiUrl, hash), mediaType, width, height }
    },
  )
  app.delete(
    path,
    operation('removeMerchantLogo', 'merchants.change', {
      summary: 'Show no logo of the merchant',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantLogoRemovedSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      await logos.remove(merchantCode)
      return { merchantCode, removed: true as const }
    },
  )
}

const PUBLIC_KEY_READ_MAX = 65_536

/**
 * Who adds a credential. A merchant's own people vouch for themselves. Whoever runs the provider of identities can sign in as
 * several operators, and so be the maker and the other one: so nobody who signed in by it is the maker.
 */
function makerOf({ needsSecondPerson }: MerchantOperatorDeps, request: FastifyRequest): Maker {
  const { code, member, session } = operatorOf(request)
  const isHalf = needsSecondPerson && member === undefined
  if (isHalf && session?.method === 'OIDC')
    throw new Refusal('OPERATION_NOT_PERMITTED', {
      message: 'You signed in by the provider of identities: sign in with a passkey to add a credential.',
    })
  return { madeBy: code, isHalf }
}

function keyRoutes(app: App, deps: MerchantOperatorDeps): void {
  const { merchants } = deps
  app.post(
    '/operator/merchants/:merchantCode/keys',
    operation(
      'addMerchantKey',
      'merchant-keys.change',
      {
        summary: 'Register an RSA public key of the merchant',
        params: OperatorMerchantParams,
        body: MerchantKeyAddSchema,
        response: answers({ 201: MerchantKeySchema }, 409, 410),
      },
      { stringCharactersMax: PUBLIC_KEY_READ_MAX },
    ),
    async (request, reply) => {
      const { params, body } = request
      const maker = makerOf(deps, request)
      const added = await merchants.addKey(params.merchantCode, body.publicKey, maker)
      return reply.code(201).send({ ...added, isHalf: maker.isHalf })
    },
  )
  app.post(
    '/operator/merchants/:merchantCode/keys/:keyId/!confirm',
    operation(
      'confirmMerchantKey',
      'merchants.change',
      {
        summary: 'Confirm that a key is the merchant’s: from then on only its rules make its payouts wait',
        description:
          'By another ADMIN than the one who added it. Ask the merchant for the SHA-256 of their public key.',
        params: MerchantKeyParams,
        body: MerchantKeyConfirmSchema,
        response: answers({ 200: MerchantKeyConfirmedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { merchantCode, keyId } = request.params
      const { code } = operatorOf(request)
      await merchants.confirmKey(merchantCode, keyId, { by: code, fingerprint: request.body.fingerprint })
      return { keyId, confirmedBy: code }
    },
  )
  app.delete(
    '/operator/merchants/:merchantCode/keys/:keyId',
    operation('removeMerchantKey', 'merchant-keys.change', {
      summary: 'Remove a key; tokens that were issued under it are no longer accepted',
      params: MerchantKeyParams,
      response: answers({ 200: MerchantKeyRemovedSchema }, 410),
    }),
    async ({ params: { merchantCode, keyId } }) => {
      await merchants.removeKey(merchantCode, keyId)
      return { keyId, removed: true as const }
    },
  )
}

function secretRoutes(app: App, deps: MerchantOperatorDeps): void {
  const { merchants } = deps
  app.post(
    '/operator/merchants/:merchantCode/secrets',
    operation('addMerchantSecret', 'merchants.change', {
      summary: 'Make a secret of the merchant; it is told this once',
      params: OperatorMerchantParams,
      response: answers({ 201: MerchantSecretSchema }, 409, 410),
    }),
    async (request, reply) => {
      const maker = makerOf(deps, request)
      const made = await merchants.addSecret(request.params.merchantCode, maker)
      return reply.code(201).send({ ...made, isHalf: maker.isHalf })
    },
  )
  app.delete(
    '/operator/merchants/:merchantCode/secrets/:secretId',
    operation('removeMerchantSecret', 'merchants.change', {
      summary: 'Remove a secret; tokens that were issued under it are no longer accepted',
      params: MerchantSecretParams,
      response: answers({ 200: MerchantSecretRemovedSchema }, 410),
    }),
    async ({ params: { merchantCode, secretId } }) => {
      await merchants.removeSecret(merchantCode, secretId)
      return { secretId, removed: true as const }
    },
  )
  app.post(
    '/operator/merchants/:merchantCode/!revoke-tokens',
    operation('revokeMerchantTokens', 'merchants.change', {
      summary: 'Revoke every token that the merchant holds now',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantTokensRevokedSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      await merchants.revokeTokens(merchantCode)
      const { merchant } = await merchants.show(merchantCode)
      return { merchantCode, tokensNotBefore: momentOf(merchant.tokensNotBeforeSeconds ?? 0) }
    },
  )
}

function callbackRoutes(app: App, { merchants, signer }: MerchantOperatorDeps): void {
  app.post(
    '/operator/merchants/:merchantCode/!rotate-callback-key',
    operation('rotateCallbackKey', 'merchants.change', {
      summary: 'Sign callbacks by a new key; the one before signs beside it until the next rotation',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantCallbackKeysSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      const merchant = await merchants.rotateCallbackKey(merchantCode)
      return { merchantCode, callbackPublicKeys: signer.publicKeys(merchant) }
    },
  )
  app.post(
    '/operator/merchants/:merchantCode/!rotate-callback-secret',
    operation('rotateCallbackSecret', 'merchants.change', {
      summary: 'Sign callbacks by a new shared secret (v1) as well; it is told this once',
      params: OperatorMerchantParams,
      response: answers({ 200: MerchantCallbackSecretSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      const merchant = await merchants.rotateCallbackSecret(merchantCode)
      const callbackSecret = signer.secret(merchant)
      if (callbackSecret === undefined)
        throw new Error(`${merchantCode} has no callback secret after a rotation`)
      return { merchantCode, callbackSecret, callbackSecrets: merchant.callbackSecretsSigning }
    },
  )
  app.post(
    '/operator/merchants/:merchantCode/!remove-callback-secret',
    operation('removeCallbackSecret', 'merchants.change', {
      summary: 'Stop signing callbacks by shared secrets (v1)',
      params: OperatorMerchantParams,
      response: answers({ 200: OperatorMerchantSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      await merchants.removeCallbackSecrets(merchantCode)
      return present((await merchants.show(merchantCode)).merchant)
    },
  )
}

const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** No list shows the fingerprint of a half key: whoever confirms it has to ask the merchant. */
function presentCredential({ fingerprint, createdAt, ...credential }: Credential) {
  return {
    ...credential,
    createdAt: createdAt.toISOString(),
    ...(!credential.isHalf && fingerprint !== undefined && { fingerprint }),
  }
}

/** What leaves the room: no hashes, no keys, no inner id. */
function present(merchant: Merchant): Answer<typeof OperatorMerchantSchema> {
  const { name, primaryColor, supportUrl, supportEmail } = merchant.channel
  const { tokensNotBeforeSeconds: revoked } = merchant
  return {
    merchantCode: merchant.merchantCode,
    status: merchant.status,
    ...(merchant.cell !== undefined && { cell: merchant.cell }),
    channel: { name, primaryColor, supportUrl, supportEmail },
    logo: merchant.logo,
    rateLimitPerSecond: merchant.rateLimitPerSecond,
    secretEnabled: merchant.secretEnabled,
    requireMoneyInTokens: merchant.requireMoneyInTokens,
    allowedOrigins: merchant.allowedOrigins,
    callbackOrigins: merchant.callbackOrigins,
    returnOrigins: merchant.returnOrigins,
    browserOrigins: merchant.browserOrigins,
    segments: merchant.segments,
    keys: merchant.keys.map(({ keyId, bits }) => ({ keyId, bits })),
    secrets: merchant.secretHashes.length,
    callbackSecrets: merchant.callbackSecretsSigning,
    tokensNotBefore: revoked === undefined ? undefined : momentOf(revoked),
  }
}
