import { EVM_COIN } from '@tollgate/payment-codes'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'

/** The path that is asked, and signed. */
export const SIGN_PATH = '/sign'
/** Tells that the signer is there, and for which address it signs. */
export const STATUS_PATH = '/status'
/** The id of the shared secret, in what both sides sign. */
export const SIGNER_KEY_ID = 'signer'

/** So many transactions are signed for one reference. Each offers a tenth more than the one before: 50 of them are a hundredfold. */
export const SIGNED_MAX = 50

/** Below 2^256, as all numbers of a chain. */
const Digits = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' })
/** The contract of a token, or the chain's own coin. */
export const Token = Type.Union([Address, Type.Literal(EVM_COIN)])
const Hash = Type.String({ pattern: '^0x[0-9a-f]{64}$' })
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Where which coins go. */
const CONTENT = {
  chainId: Digits,
  /** Ours, of the payment: each is signed for one transfer. */
  reference: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  token: Token,
  payee: Address,
  /** In the smallest units of the token, or the coin. */
  units: Digits,
}
const ContentSchema = Type.Object(CONTENT)
export type TransferContent = Readonly<Static<typeof ContentSchema>>

const SignRequestSchema = Type.Object(
  {
    ...CONTENT,
    /** Over the content, by `sealOf`. */
    seal: Digest,
    nonce: Digits,
    gasLimit: Digits,
    /** In wei, as all fees. */
    maxFeePerGas: Digits,
    maxPriorityFeePerGas: Digits,
  },
  { additionalProperties: false },
)
export type SignRequest = Readonly<Static<typeof SignRequestSchema>>

/**
 * Why nothing is signed. SEAL: what is to be signed is not what was taken. CONTENT: the reference was signed for another transfer.
 * NONCE_TAKEN: the number is another transfer's. TOKEN, PAYEE, AMOUNT: the signer's own rules do not allow it, now or later. DAY: they do
 * not allow it today. FEE: it costs more than they allow.
 */
export const REFUSALS = ['SEAL', 'CONTENT', 'NONCE_TAKEN', 'TOKEN', 'PAYEE', 'AMOUNT', 'DAY', 'FEE'] as const
export type SignRefusal = (typeof REFUSALS)[number]

const SignAnswerSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('SIGNED'),
    /** As nodes take it. */
    transaction: Type.String({ pattern: '^0x[0-9a-f]+$', maxLength: 4096 }),
    hash: Hash,
    /** The one that the reference has, which may be another than was asked for: the signer remembers. */
    nonce: Digits,
    maxFeePerGas: Digits,
    maxPriorityFeePerGas: Digits,
    /** Of all that were signed for the reference before, the oldest first: each has the same number, and any may be in a block. */
    earlierHashes: Type.Array(Hash, { maxItems: SIGNED_MAX }),
  }),
  Type.Object({
    kind: Type.Literal('REFUSED'),
    refusal: Type.Enum(REFUSALS),
    /** A sentence for operators. */
    message: Type.String({ maxLength: 500 }),
    /** The first number that no transfer of the chain has. */
    nextNonce: Digits,
  }),
])
export type SignAnswer = Readonly<Static<typeof SignAnswerSchema>>

const request = Compile(SignRequestSchema)
const answer = Compile(SignAnswerSchema)
const status = Compile(Type.Object({ address: Address }))

/** Undefined for what is no question. */
export const readSignRequest = (body: string): SignRequest | undefined => readAs(request, body)
/** Undefined for what is no answer. */
export const readSignAnswer = (body: string): SignAnswer | undefined => readAs(answer, body)
/** For which address is signed. */
export const readSignerStatus = (body: string): { readonly address: string } | undefined =>
  readAs(status, body)

function readAs<Read>(checker: { Check(value: unknown): value is Read }, body: string): Read | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return checker.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}
