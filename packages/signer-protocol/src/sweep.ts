import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { Token } from './schemas.ts'

// Two files by which coins are brought home from addresses of payments: the gateway writes what is to be signed, and whoever has the
// private key of the account signs it, on a machine without network.

const Digits = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' })
export const MOVES_MAX = 100

const MoveSchema = Type.Object(
  {
    /** Of the payment whose address it is. */
    reference: Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{12}$' }),
    token: Token,
    /** In the smallest units of the token, or the coin. */
    units: Digits,
    /** Of the address: how many transactions it sent before. */
    nonce: Digits,
    gasLimit: Digits,
    /** Of the chain's own coin, which the address is given first; 0: it has enough. */
    fund: Digits,
  },
  { additionalProperties: false },
)
export type SweepMove = Readonly<Static<typeof MoveSchema>>

const PlanSchema = Type.Object(
  {
    format: Type.Literal('tollgate sweep 1'),
    chainId: Digits,
    /** Where the coins go. The signer has its own word for it, which must be the same. */
    treasury: Address,
    /** In wei, as all fees. */
    maxFeePerGas: Digits,
    maxPriorityFeePerGas: Digits,
    /** The number of the next transaction of the address that pays for all this. */
    gasNonce: Digits,
    /** What a transfer of the chain's own coin may use. */
    fundGasLimit: Digits,
    moves: Type.Array(MoveSchema, { minItems: 1, maxItems: MOVES_MAX }),
  },
  { additionalProperties: false },
)
/** What is to be signed. */
export type SweepPlan = Readonly<Static<typeof PlanSchema>>

/** As nodes take it. */
export const SignedTransaction = Type.String({ pattern: '^0x[0-9a-f]+$', maxLength: 2048 })
export const SIGNED_SWEEP_MAX = 2 * MOVES_MAX
const SignedSchema = Type.Object(
  {
    format: Type.Literal('tollgate signed sweep 1'),
    chainId: Digits,
    transactions: Type.Array(SignedTransaction, { minItems: 1, maxItems: SIGNED_SWEEP_MAX }),
  },
  { additionalProperties: false },
)
/** What was signed: first what gives addresses coins to pay with, each in its order. */
export type SignedSweep = Readonly<Static<typeof SignedSchema>>

const plan = Compile(PlanSchema)
const signed = Compile(SignedSchema)

/** Undefined for what is no plan. */
export const readSweepPlan = (text: string): SweepPlan | undefined => {
  const value = parsed(text)
  return plan.Check(value) ? value : undefined
}
/** Undefined for what is no signed sweep. */
export const readSignedSweep = (text: string): SignedSweep | undefined => {
  const value = parsed(text)
  return signed.Check(value) ? value : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
