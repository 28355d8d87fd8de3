import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { MerchantCode } from './operator-parts.ts'

// The operator API: by what a merchant proves who it is.

const Id = (prefix: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$', examples: [`${prefix}_4Q7XWB2K9M`] })

export const MerchantKeyParams = Type.Object({ merchantCode: MerchantCode, keyId: Id('key') })
export const MerchantSecretParams = Type.Object({ merchantCode: MerchantCode, secretId: Id('sec') })

const FINGERPRINT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const IsHalf = Type.Boolean({
  description:
    'One operator added it: until another ADMIN has confirmed the key, payouts by its tokens wait for approval. A secret is never confirmed.',
})

export const MerchantCredentialSchema = Type.Object({
  type: Type.String({ description: 'KEY or SECRET.', examples: ['KEY'] }),
  id: Type.String(),
  createdAt: TimestampSchema,
  fingerprint: Type.Optional(
    Type.String({
      description: 'SHA-256 of the public key. Absent while `isHalf`: the merchant tells it to who confirms.',
    }),
  ),
  isHalf: IsHalf,
  madeBy: Type.Optional(Type.String({ description: 'Absent for the command line, and for older ones.' })),
  confirmedBy: Type.Optional(Type.String({ description: 'The other ADMIN.' })),
})
export const MERCHANT_CREDENTIAL_EXAMPLE = {
  type: 'KEY',
  id: 'key_4Q7XWB2K9M',
  createdAt: '2026-11-21T10:15:28.001Z',
  fingerprint: FINGERPRINT,
  isHalf: false,
  madeBy: 'ada',
  confirmedBy: 'grace',
}

export const MerchantKeyAddSchema = Type.Object(
  {
    publicKey: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: 'An RSA public key of 2048 bits or more, in PEM.',
      examples: ['-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n'],
    }),
  },
  { title: 'MerchantKeyAdd' },
)

export const MerchantKeySchema = Type.Object(
  { keyId: Type.String(), fingerprint: Type.String(), bits: Type.Integer(), isHalf: IsHalf },
  {
    title: 'MerchantKey',
    examples: [{ keyId: 'key_4Q7XWB2K9M', fingerprint: FINGERPRINT, bits: 2048, isHalf: false }],
  },
)

export const MerchantKeyConfirmSchema = Type.Object(
  {
    fingerprint: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the public key, as the merchant tells it.',
      examples: [FINGERPRINT],
    }),
  },
  { title: 'MerchantKeyConfirm', examples: [{ fingerprint: FINGERPRINT }] },
)

export const MerchantKeyConfirmedSchema = Type.Object(
  { keyId: Type.String(), confirmedBy: Type.String() },
  { title: 'MerchantKeyConfirmed', examples: [{ keyId: 'key_4Q7XWB2K9M', confirmedBy: 'grace' }] },
)

const Removed = Type.Literal(true)

export const MerchantKeyRemovedSchema = Type.Object(
  { keyId: Type.String(), removed: Removed },
  { title: 'MerchantKeyRemoved', examples: [{ keyId: 'key_4Q7XWB2K9M', removed: true }] },
)

export const MerchantSecretSchema = Type.Object(
  {
    secretId: Type.String(),
    secret: Type.String({ description: 'Told this once: only its hash is stored.' }),
    isHalf: IsHalf,
  },
  { title: 'MerchantSecret', examples: [{ secretId: 'sec_4Q7XWB2K9M', secret: 'sec_…', isHalf: false }] },
)

export const MerchantSecretRemovedSchema = Type.Object(
  { secretId: Type.String(), removed: Removed },
  { title: 'MerchantSecretRemoved', examples: [{ secretId: 'sec_4Q7XWB2K9M', removed: true }] },
)
