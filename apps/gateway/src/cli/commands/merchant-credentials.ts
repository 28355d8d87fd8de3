import type {
  MerchantCallbackKeysSchema,
  MerchantCallbackSecretSchema,
  MerchantKeyConfirmedSchema,
  MerchantKeyRemovedSchema,
  MerchantKeySchema,
  MerchantSecretRemovedSchema,
  MerchantSecretSchema,
  MerchantTokensRevokedSchema,
  OperatorMerchantSchema,
  Printed,
} from '@tollgate/contract'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import { pathOf, post } from '../operator-call.ts'

const TOKENS_END = 'Tokens issued under it are no longer accepted.'

const addKey = clientCommand({
  command: 'add-key <code> <public-key.pem>',
  says: 'register an RSA public key of the merchant (PEM, 2048 bits or more; - is standard input)',
  permission: 'merchants.change',
  asks: async (typed, _options, shell) =>
    post(pathOf`/operator/merchants/${typed.code}/keys`, {
      publicKey: await readTextOrInput(shell, typed['public-key.pem']),
    }),
  shows: ({ keyId, bits, fingerprint, isHalf }: Printed<typeof MerchantKeySchema>, _pen, { code }) => ({
    text: `Registered ${keyId}: RSA ${bits}, SHA-256 ${fingerprint}`,
    notes: isHalf
      ? [
          `Payouts by its tokens wait for approval until another ADMIN confirms it: \`tollgate merchants confirm-key ${code} ${keyId} <fingerprint>\`.`,
        ]
      : [],
  }),
})

/** As `openssl` and `sha256sum` write it, with colons, spaces or capitals. */
const fingerprintOf = (typed: string): string => {
  const fingerprint = typed.replaceAll(/[\s:]/g, '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(fingerprint)) return fingerprint
  throw new CommandFailure('USAGE', 'The fingerprint is a SHA-256: 64 hex digits.')
}

const confirmKey = clientCommand({
  command: 'confirm-key <code> <keyId> <fingerprint>',
  says: 'confirm a public key that another ADMIN registered, with the SHA-256 that the merchant tells',
  permission: 'merchants.change',
  asks: ({ code, keyId, fingerprint }) =>
    post(pathOf`/operator/merchants/${code}/keys/${keyId}/!confirm`, {
      fingerprint: fingerprintOf(fingerprint),
    }),
  shows: ({ keyId }: Printed<typeof MerchantKeyConfirmedSchema>) => `Confirmed ${keyId}.`,
})

const removeKey = clientCommand({
  command: 'remove-key <code> <keyId>',
  says: 'revoke a public key and the tokens issued under it',
  permission: 'merchants.change',
  asks: ({ code, keyId }) => ({
    method: 'DELETE',
    path: pathOf`/operator/merchants/${code}/keys/${keyId}`,
  }),
  shows: ({ keyId }: Printed<typeof MerchantKeyRemovedSchema>) => ({
    text: `Removed ${keyId}.`,
    notes: [TOKENS_END],
  }),
})

const addSecret = clientCommand({
  command: 'add-secret <code>',
  says: 'create a secret for the deprecated login; it is shown once',
  permission: 'merchants.change',
  asks: ({ code }) => post(pathOf`/operator/merchants/${code}/secrets`),
  // The secret is data: it alone goes to standard output.
  shows: ({ secretId, secret, isHalf }: Printed<typeof MerchantSecretSchema>) => ({
    text: secret,
    notes: [
      `This is ${secretId}. It is not shown again: only its hash is stored.`,
      ...(isHalf
        ? ['Payouts by its tokens wait for approval: a merchant who pays out signs with a key.']
        : []),
    ],
  }),
})

const removeSecret = clientCommand({
  command: 'remove-secret <code> <secretId>',
  says: 'revoke a secret and the tokens issued under it',
  permission: 'merchants.change',
  asks: ({ code, secretId }) => ({
    method: 'DELETE',
    path: pathOf`/operator/merchants/${code}/secrets/${secretId}`,
  }),
  shows: ({ secretId }: Printed<typeof MerchantSecretRemovedSchema>) => ({
    text: `Removed ${secretId}.`,
    notes: [TOKENS_END],
  }),
})

const revokeTokens = clientCommand({
  command: 'revoke-tokens <code>',
  says: 'revoke all current tokens of the merchant',
  permission: 'merchants.change',
  asks: ({ code }) => post(pathOf`/operator/merchants/${code}/!revoke-tokens`),
  shows: ({ merchantCode, tokensNotBefore }: Printed<typeof MerchantTokensRevokedSchema>, pen) =>
    `Every token of ${merchantCode} from before ${pen.momentOf(tokensNotBefore)} is revoked.`,
})

const rotateCallbackKey = clientCommand({
  command: 'rotate-callback-key <code>',
  says: 'sign callbacks with a new key; the previous one also signs until the next rotation',
  permission: 'merchants.change',
  asks: ({ code }) => post(pathOf`/operator/merchants/${code}/!rotate-callback-key`),
  shows: ({ callbackPublicKeys }: Printed<typeof MerchantCallbackKeysSchema>) => ({
    text: callbackPublicKeys.join('\n'),
    notes: ['The first key is new. Callbacks are signed with both until the next rotation.'],
  }),
})

const rotateCallbackSecret = clientCommand({
  command: 'rotate-callback-secret <code>',
  says: 'also sign callbacks with a new shared secret (v1); the previous one signs until the next rotation',
  permission: 'merchants.change',
  asks: ({ code }) => post(pathOf`/operator/merchants/${code}/!rotate-callback-secret`),
  shows: ({ callbackSecret, callbackSecrets }: Printed<typeof MerchantCallbackSecretSchema>) => ({
    text: callbackSecret,
    notes: [
      'This secret is shown once. Callbacks carry a v1 signature made with it, beside the v1a ones.',
      ...(callbackSecrets === 1 ? [] : ['The previous secret also signs until the next rotation.']),
    ],
  }),
})

const removeCallbackSecret = clientCommand({
  command: 'remove-callback-secret <code>',
  says: 'stop signing callbacks with shared secrets (v1)',
  permission: 'merchants.change',
  asks: ({ code }) => post(pathOf`/operator/merchants/${code}/!remove-callback-secret`),
  shows: ({ merchantCode }: Printed<typeof OperatorMerchantSchema>) =>
    `Callbacks of ${merchantCode} carry only v1a signatures.`,
})

/** What merchants prove themselves with, and what callbacks are signed with. */
export const credentialCommands = [
  addKey,
  confirmKey,
  removeKey,
  addSecret,
  removeSecret,
  revokeTokens,
  rotateCallbackKey,
  rotateCallbackSecret,
  removeCallbackSecret,
]
