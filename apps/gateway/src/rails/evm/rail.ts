import { fractionDigits } from '@tollgate/money'
import { evmLink } from '@tollgate/payment-codes'
import type { Plan, Rail, RailObjection, RailPayment, RailQuestion, RailReport } from '../rail.ts'
import type { Addresses } from './addresses.ts'

export const EVM_CODE = 'evm'

/** A coin or a token of a chain. */
interface ChainAsset {
  readonly currencyCode: string
  /** The contract of the token; undefined for the chain's own coin. */
  readonly token: string | undefined
  /** By how many decimals the smallest unit is smaller than one. */
  readonly decimals: number
}

/** A chain, as payments on it need it. */
export interface PaymentChain {
  /** What payers know it by, such as `Base`. */
  readonly name: string
  readonly chainId: number
  readonly assets: ReadonlyMap<string, ChainAsset>
  readonly addresses: Addresses
  /** A page that pays a link, in a sandbox. */
  readonly walletUrl: string | undefined
}

/** The room `chains` tells what has come, as banks' statements do. */
const WAITING: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

/**
 * Coins and tokens on chains that are made like Ethereum. Each payment has an address of its own, and whatever arrives there is
 * that payment's. Money does not leave by it.
 */
export function createEvmRail({ chainFor }: { readonly chainFor: ChainFor }): Rail {
  return {
    code: EVM_CODE,
    capabilities: { directions: ['PAYIN', 'TOPUP'], flows: ['INSTRUCTIONS'], cancels: false },
    objectTo: (question) => objectionTo(question, chainFor(question.methodCode)),
    plan: (payment) => planFor(payment, chainFor(payment.methodCode)),
    advance: () => Promise.resolve(WAITING),
    // Nothing is accepted that leaves; who calls these all the same puts nothing on the chain.
    submit: () => Promise.resolve(WAITING),
    inquire: () => Promise.resolve(WAITING),
  }
}

/** The chain that a payment method is of; undefined when none is configured for it. */
type ChainFor = (methodCode: string) => PaymentChain | undefined

function objectionTo(
  { kind, money, methodCode }: RailQuestion,
  chain: PaymentChain | undefined,
): RailObjection | undefined {
  const { currencyCode } = money
  const unavailable = (why: string): RailObjection => ({
    code: 'CHANNEL_UNAVAILABLE',
    message: `${methodCode} is not available in ${currencyCode} now: ${why}.`,
  })
  if (kind === 'PAYOUT') return unavailable('it pays nothing out')
  if (chain === undefined) return unavailable('the gateway knows no chain for it')
  const asset = chain.assets.get(currencyCode)
  if (asset === undefined) return unavailable(`the gateway takes none on ${chain.name}`)
  return fractionDigits(money.amount) > asset.decimals
    ? unavailable(`an amount of it has at most ${asset.decimals} decimals on ${chain.name}`)
    : undefined
}

function planFor(
  { methodCode, money, reference }: Pick<RailPayment, 'methodCode' | 'money' | 'reference'>,
  chain: PaymentChain | undefined,
): Plan {
  const asset = chain?.assets.get(money.currencyCode)
  if (chain === undefined || asset === undefined)
    throw new Error(`a payment by ${methodCode} was let through without a chain for it`)
  const { name: network, chainId, addresses, walletUrl } = chain
  const address = addresses.addressOf(reference)
  const { token, decimals } = asset
  const content = evmLink({ chainId, token, address, amount: money.amount, decimals })
  return {
    instructions: {
      wallet: { address, network, chainId: String(chainId), ...(token !== undefined && { token }) },
      qr: { format: 'EIP-681', content },
      deepLinks: [walletUrl === undefined ? content : pageLink(walletUrl, content, money.currencyCode)],
    },
    startsAtOnce: false,
  }
}

/** No wallet of a payer knows the chain of a sandbox: a page takes the place of it. */
const pageLink = (walletUrl: string, link: string, currency: string): string =>
  `${walletUrl}?${new URLSearchParams({ link, currency })}`
