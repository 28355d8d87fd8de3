import { isSealOf, SIGNED_MAX, type SignRefusal, type SignRequest } from '@tollgate/signer-protocol'
import { dayOf, type Signed, type SigningRecord } from './record.ts'

/** How much of a token may leave. */
export interface TokenLimit {
  readonly token: string
  readonly decimals: number
  /** In the token's smallest units. */
  readonly perTransaction: bigint
  readonly perDay: bigint
}

/** What may be signed on a chain. */
export interface ChainRules {
  readonly chainId: string
  readonly maxFeePerGas: bigint
  readonly gasLimitMax: bigint
  readonly tokens: readonly TokenLimit[]
  /** In lower case; undefined: whoever the gateway pays. */
  readonly payees: ReadonlySet<string> | undefined
}

interface Rulebook {
  readonly secret: Uint8Array
  readonly chains: readonly ChainRules[]
  readonly record: Pick<SigningRecord, 'ofReference' | 'hashesOf' | 'referenceOf' | 'sumOfDay'>
  readonly nowMs: number
}

/** What becomes of a question. */
type Verdict =
  /** Signed before: the same is told again. */
  | { readonly kind: 'KNOWN'; readonly signed: Signed }
  /** To be signed, with this number. */
  | { readonly kind: 'SIGN'; readonly nonce: string }
  | { readonly kind: 'REFUSED'; readonly refusal: SignRefusal; readonly message: string }

/** By so many percent nodes want a replacement to offer more. */
const RAISE_PERCENT = 10n

/** Whether something is signed. Pure: what was signed before, the rules, the clock. */
export function judge(book: Rulebook, request: SignRequest): Verdict {
  const { secret, chains, record } = book
  if (!isSealOf(secret, request, request.seal))
    return refused('SEAL', 'what is to be signed is not what was taken, or it was taken with another secret')
  const rules = chains.find(({ chainId }) => chainId === request.chainId)
  if (rules === undefined) return refused('TOKEN', `the signer's settings have no chain ${request.chainId}`)
  const known = record.ofReference(request.chainId, request.reference)
  return known === undefined ? judgeNew(book, rules, request) : judgeRepeat(book, rules, request, known)
}

/**
 * At most one of all that were signed for a reference can be in a block: they have one number. What does not offer enough more to take the
 * place of the latest gets the latest.
 */
function judgeRepeat({ record }: Rulebook, rules: ChainRules, request: SignRequest, known: Signed): Verdict {
  const isSame =
    known.token === request.token && known.payee === request.payee && known.units === request.units
  if (!isSame) return refused('CONTENT', `${request.reference} was signed for another transfer`)
  const before = feesOf(known)
  const isRaised = feesOf(request).every(
    (fee, index) => fee * 100n >= (before[index] ?? 0n) * (100n + RAISE_PERCENT),
  )
  const isFull = record.hashesOf(request.chainId, request.reference).length >= SIGNED_MAX
  if (!isRaised || isFull) return { kind: 'KNOWN', signed: known }
  return objectionToFee(rules, request) ?? { kind: 'SIGN', nonce: known.nonce }
}

const feesOf = ({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: Pick<SignRequest, 'maxFeePerGas' | 'maxPriorityFeePerGas'>): readonly bigint[] => [
  BigInt(maxFeePerGas),
  BigInt(maxPriorityFeePerGas),
]

function judgeNew({ record, nowMs }: Rulebook, rules: ChainRules, request: SignRequest): Verdict {
  const { chainId, reference, nonce, token, payee } = request
  const limit = rules.tokens.find((each) => each.token === token)
  if (limit === undefined) return refused('TOKEN', `the signer's settings do not allow the token ${token}`)
  if (rules.payees !== undefined && !rules.payees.has(payee))
    return refused('PAYEE', `the signer's settings do not have the payee ${payee}`)
  const units = BigInt(request.units)
  if (units === 0n || units > limit.perTransaction)
    return refused('AMOUNT', 'the amount is above what the signer lets out in one transfer')
  const holder = record.referenceOf(chainId, nonce)
  if (holder !== undefined)
    return refused('NONCE_TAKEN', `the number ${nonce} is that of ${holder}, not of ${reference}`)
  const objection = objectionToFee(rules, request)
  if (objection !== undefined) return objection
  if (record.sumOfDay(request, dayOf(nowMs)) + units > limit.perDay)
    return refused('DAY', 'with it, more would leave today (UTC) than the signer lets out')
  return { kind: 'SIGN', nonce }
}

function objectionToFee(
  { maxFeePerGas, gasLimitMax }: ChainRules,
  request: SignRequest,
): Verdict | undefined {
  if (BigInt(request.gasLimit) > gasLimitMax)
    return refused(
      'FEE',
      `a transfer may use ${gasLimitMax} gas at most, and ${request.gasLimit} is asked for`,
    )
  const [most, tip] = feesOf(request)
  if (most === undefined || tip === undefined || most > maxFeePerGas || tip > most)
    return refused(
      'FEE',
      `the signer pays ${maxFeePerGas} wei for gas at most, and ${request.maxFeePerGas} is offered`,
    )
  return undefined
}

const refused = (refusal: SignRefusal, message: string): Verdict => ({ kind: 'REFUSED', refusal, message })
