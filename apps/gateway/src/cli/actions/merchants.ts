import { randomIds } from '@tollgate/runtime'
import {
  type CallbackSigner,
  createCallbackSigner,
  createMerchantService,
  MERCHANT_CODE_PATTERN,
  type Merchant,
  type MerchantService,
} from '../../modules/merchants/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { type House, inHouse, requireKeys } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { HOUSE, listTerms } from './terms.ts'

const NAME_CHARACTERS_MAX = 140

type Change = Parameters<MerchantService['change']>[1]
type Shown = Awaited<ReturnType<MerchantService['show']>>

function inMerchants(
  shell: Shell,
  work: (merchants: MerchantService, house: House) => Promise<Report>,
): Promise<Report> {
  return inHouse(shell, (house) => work(createMerchantService({ ...house, ids: randomIds }), house))
}

/** `tollgate merchants create`. */
export async function create(shell: Shell, code: string, name: string): Promise<Report> {
  if (!MERCHANT_CODE_PATTERN.test(code) || code.toLowerCase() === HOUSE) {
    throw new CommandFailure(
      'USAGE',
      `A merchant code has 1 to 64 letters, digits, hyphens or underscores and is not \`house\`; this is ${JSON.stringify(code)}.`,
    )
  }
  if (name.trim() === '' || name.length > NAME_CHARACTERS_MAX)
    throw new CommandFailure('USAGE', `--name must have 1 to ${NAME_CHARACTERS_MAX} characters.`)
  const { isLive } = await shell.config()
  return inMerchants(shell, async (merchants) => {
    const merchant = await merchants.create(code, name, { isNarrow: isLive })
    return {
      json: presentMerchant(merchant),
      text: `Made the merchant ${code}.`,
      notes: [
        `Next: \`tollgate merchants add-key ${code} <public-key.pem>\` and \`tollgate merchants enable-method ${code} all\`.`,
        ...(isLive
          ? [
              `Its callback and return URLs are refused until \`tollgate merchants set-origins ${code} <origin>\`, and segments until \`tollgate merchants set-segments ${code} <segment>\`.`,
            ]
          : []),
      ],
    }
  })
}

/** `tollgate merchants list`. */
export function list(shell: Shell): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    const found = await merchants.list()
    return {
      json: found.map(presentMerchant),
      text: table(
        ['CODE', 'NAME', 'STATUS', 'KEYS', 'SECRETS', 'RATE'],
        found.map((merchant) => [
          merchant.merchantCode,
          merchant.channel.name,
          merchant.status,
          String(merchant.keys.length),
          String(merchant.secretHashes.length),
          `${merchant.rateLimitPerSecond}/s`,
        ]),
        'There is no merchant yet. `tollgate merchants create <code>` makes one.',
      ),
    }
  })
}

/** `tollgate merchants show`. */
export function show(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants, house) => {
    const shown = await merchants.show(code)
    const callbackPublicKeys = publicKeysOf(shell, house, shown.merchant)
    const terms = await listTerms(shell, house, shown.merchant.merchantId)
    return {
      json: {
        ...presentMerchant(shown.merchant),
        credentials: shown.credentials,
        callbackPublicKeys,
        methods: terms.methods,
      },
      text: [describe(shown.merchant, callbackPublicKeys), credentialTable(shown), terms.text].join('\n\n'),
    }
  })
}

/** `disable`, `enable`, `set-rate-limit`, `set-origins`, `set-channel`, `secret-login`. */
export function change(shell: Shell, code: string, wanted: Change): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    const merchant = await merchants.change(code, wanted)
    return { json: presentMerchant(merchant), text: describe(merchant, undefined) }
  })
}

/** `tollgate merchants add-key`. */
export async function addKey(shell: Shell, code: string, file: string): Promise<Report> {
  const pem = (await readFileOrInput(shell, file)).toString('utf8')
  return inMerchants(shell, async (merchants) => {
    const key = await merchants.addKey(code, pem)
    return { json: key, text: `Registered ${key.keyId}: RSA ${key.bits}, SHA-256 ${key.fingerprint}` }
  })
}

/** `tollgate merchants remove-key`. */
export function removeKey(shell: Shell, code: string, keyId: string): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    await merchants.removeKey(code, keyId)
    return {
      json: { keyId, removed: true },
      text: `Removed ${keyId}.`,
      notes: ['Tokens that were issued under it are no longer accepted.'],
    }
  })
}

/** `tollgate merchants add-secret`. The secret is data: it alone goes to standard output. */
export function addSecret(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants, house) => {
    requireKeys(house)
    const { secretId, secret } = await merchants.addSecret(code)
    return {
      json: { secretId, secret },
      text: secret,
      notes: [`This is ${secretId}. It is not shown again: only its hash is stored.`],
    }
  })
}

/** `tollgate merchants remove-secret`. */
export function removeSecret(shell: Shell, code: string, secretId: string): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    await merchants.removeSecret(code, secretId)
    return {
      json: { secretId, removed: true },
      text: `Removed ${secretId}.`,
      notes: ['Tokens that were issued under it are no longer accepted.'],
    }
  })
}

/** `tollgate merchants revoke-tokens`. */
export function revokeTokens(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    await merchants.revokeTokens(code)
    const { merchant } = await merchants.show(code)
    const before = new Date((merchant.tokensNotBeforeSeconds ?? 0) * 1000)
    return {
      json: { merchantCode: code, tokensNotBefore: before },
      text: `Every token of ${code} from before ${moment(before)} is revoked.`,
    }
  })
}

/** `tollgate merchants rotate-callback-key`. */
export function rotateCallbackKey(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants, house) => {
    requireKeys(house)
    const callbackPublicKeys = publicKeysOf(shell, house, await merchants.rotateCallbackKey(code))
    return {
      json: { merchantCode: code, callbackPublicKeys },
      text: callbackPublicKeys.join('\n'),
      notes: ['The first key is new. Callbacks are signed by both until the next rotation.'],
    }
  })
}

/** `tollgate merchants rotate-callback-secret`. */
export function rotateCallbackSecret(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants, house) => {
    requireKeys(house)
    const merchant = await merchants.rotateCallbackSecret(code)
    const callbackSecret = signerOf(shell, house).secret(merchant)
    const isFirst = merchant.callbackSecretsSigning === 1
    return {
      json: { merchantCode: code, callbackSecret },
      text: callbackSecret ?? '',
      notes: [
        'This secret is shown once. Callbacks carry a v1 signature by it, beside the v1a ones.',
        ...(isFirst ? [] : ['The secret before signs as well, until the next rotation.']),
      ],
    }
  })
}

/** `tollgate merchants remove-callback-secret`. */
export function removeCallbackSecret(shell: Shell, code: string): Promise<Report> {
  return inMerchants(shell, async (merchants) => {
    await merchants.removeCallbackSecrets(code)
    return { json: { merchantCode: code }, text: `Callbacks of ${code} carry v1a signatures alone.` }
  })
}

function signerOf(shell: Shell, house: House): CallbackSigner {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  return createCallbackSigner({ ...house, changes })
}

function publicKeysOf(shell: Shell, house: House, merchant: Merchant): readonly string[] {
  return signerOf(shell, house).publicKeys(merchant)
}

/** What leaves the room: no hashes, no keys, no inner id. */
function presentMerchant(merchant: Merchant): Record<string, unknown> {
  const { tokensNotBeforeSeconds } = merchant
  return {
    merchantCode: merchant.merchantCode,
    status: merchant.status,
    channel: merchant.channel,
    logo: merchant.logo ?? null,
    rateLimitPerSecond: merchant.rateLimitPerSecond,
    secretEnabled: merchant.secretEnabled,
    allowedOrigins: merchant.allowedOrigins,
    browserOrigins: merchant.browserOrigins,
    callbackSecrets: merchant.callbackSecretsSigning,
    callbackOrigins: merchant.callbackOrigins ?? null,
    returnOrigins: merchant.returnOrigins ?? null,
    segments: merchant.segments ?? null,
    requireMoneyInTokens: merchant.requireMoneyInTokens,
    keys: merchant.keys.map(({ keyId, bits }) => ({ keyId, bits })),
    secrets: merchant.secretHashes.length,
    tokensNotBefore:
      tokensNotBeforeSeconds === undefined ? null : new Date(tokensNotBeforeSeconds * 1000).toISOString(),
  }
}

const listed = (list: readonly string[] | undefined, every: string): string =>
  list === undefined ? every : list.length === 0 ? 'none' : list.join(' ')

function describe(merchant: Merchant, callbackPublicKeys: readonly string[] | undefined): string {
  const { tokensNotBeforeSeconds } = merchant
  return pairs([
    ['Merchant', merchant.merchantCode],
    ['Name', merchant.channel.name],
    [
      'Logo',
      merchant.logo && `${merchant.logo.width} × ${merchant.logo.height}, SHA-256 ${merchant.logo.hash}`,
    ],
    ['Colour', merchant.channel.primaryColor],
    ['Help', merchant.channel.supportUrl ?? merchant.channel.supportEmail],
    ['Status', merchant.status],
    ['Rate limit', `${merchant.rateLimitPerSecond} requests a second`],
    ['Login by secret', merchant.secretEnabled ? 'on' : 'off'],
    ['Origins', merchant.allowedOrigins.length === 0 ? 'any' : merchant.allowedOrigins.join(' ')],
    ['Browser origins', merchant.browserOrigins.length === 0 ? undefined : merchant.browserOrigins.join(' ')],
    ['Callback origins', listed(merchant.callbackOrigins, 'any')],
    ['Return origins', listed(merchant.returnOrigins, 'any')],
    ['Segments', listed(merchant.segments, 'all')],
    ['Money in tokens', merchant.requireMoneyInTokens ? 'required for the payment page' : 'optional'],
    [
      'Tokens revoked',
      tokensNotBeforeSeconds === undefined
        ? undefined
        : `those from before ${moment(new Date(tokensNotBeforeSeconds * 1000))}`,
    ],
    ['Callback keys', callbackPublicKeys?.join(' ')],
    [
      'Callback secrets',
      merchant.callbackSecretsSigning === 0 ? undefined : String(merchant.callbackSecretsSigning),
    ],
  ])
}

function credentialTable({ merchant, credentials }: Shown): string {
  return table(
    ['CREDENTIAL', 'ID', 'SINCE', 'SHA-256'],
    credentials.map(({ type, id, createdAt, fingerprint }) => [
      type,
      id,
      moment(createdAt),
      fingerprint ?? '',
    ]),
    `No credentials: \`tollgate merchants add-key ${merchant.merchantCode} <public-key.pem>\` adds one.`,
  )
}
