import { type Money, parseAmount } from '@tollgate/money'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'

/** What the customer's token says of itself. The page believes none of it before the API has accepted the token. */
export interface TokenClaims {
  readonly merchantCode: string
  readonly expireAtMs: number
  readonly operations: readonly string[]
  readonly money: Money | undefined
  /** Whether the token is for one payment alone, whose requests are counted apart from the shop's. */
  readonly isForOnePayment: boolean
}

/** As the API reads them; a longer one is none. */
const TOKEN_LENGTH_MAX = 14_000
const TOKEN_PATTERN = /^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/
const EXPIRE_AT_SECONDS_MAX = 8_640_000_000_000

const Claims = Compile(
  Type.Object({
    sub: Type.String(),
    exp: Type.Integer({ minimum: 0, maximum: EXPIRE_AT_SECONDS_MAX }),
    operations: Type.Array(Type.String()),
    money: Type.Optional(Type.Object({ amount: Type.String(), currencyCode: Type.String() })),
    idPayment: Type.Optional(Type.String()),
  }),
)

/** Reads a token without judging it; undefined for a text that is none. */
export function readToken(text: string): TokenClaims | undefined {
  if (text.length > TOKEN_LENGTH_MAX) return undefined
  const payload = TOKEN_PATTERN.exec(text)?.[1]
  if (payload === undefined) return undefined
  const claims = parse(Buffer.from(payload, 'base64url').toString('utf8'))
  if (!Claims.Check(claims)) return undefined
  const { sub, exp, operations, money, idPayment } = claims
  const amount = money && parseAmount(money.amount)
  return {
    merchantCode: sub,
    expireAtMs: exp * 1000,
    operations,
    money: money && amount !== undefined ? { amount, currencyCode: money.currencyCode } : undefined,
    isForOnePayment: idPayment !== undefined,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
