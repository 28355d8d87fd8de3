import { fractionDigits } from '@tollgate/money'
import { EVM_COIN, evmLink, isEvmAddress } from '@tollgate/payment-codes'
import type {
  PayoutDesk,
  PayoutWay,
  Plan,
  Rail,
  RailCustomer,
  RailObjection,
  RailPayment,
  RailQuestion,
  RailReport,
} from '../rail.ts'
import type { Addresses } from './addresses.ts'

export const EVM_CODE = 'evm'

/** A coin or a token of a chain. */
interface ChainAsset {
  readonly currencyCode: string
  /** The contract of the token, or `EVM_COIN`. */
  readonly token: string
  /** By how many decimals the smallest unit is smaller than one. */
  readonly decimals: number
}

/** A chain, as payments on it need it. */
export interface PaymentChain {
  readonly code: string
  /** What payers know it by, such as `Base`. */
  readonly name: string
  readonly chainId: number
  readonly assets: ReadonlyMap<string, ChainAsset>
  readonly addresses: Addresses
  /** A page that pays a link, in a sandbox. */
  readonly walletUrl: string | undefined
  /** From which payouts leave, in lower case; undefined: none do. */
  readonly wallet: string | undefined
}

/** The room `chains` tells what has come, as banks' statements do. */
const WAITING: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

/**
 * Coins and tokens on chains that are made like Ethereum. Each payin has an address of its own, and whatever arrives there is that
 * payment's. Payouts leave from one wallet, whose key a process of its own has.
 */
export function createEvmRail({ chainFor, payouts }: EvmRailParts): Rail {
  return {
    code: EVM_CODE,
    capabilities: {
      directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
      flows: ['INSTRUCTIONS'],
      cancels: false,
      takesTwice: true,
    },
    objectTo: (question) => objectionTo(question, chainFor(question.methodCode)),
    plan: (payment) =>
      payment.kind === 'PAYOUT'
        ? { instructions: {}, startsAtOnce: true }
        : planFor(payment, chainFor(payment.methodCode)),
    advance: () => Promise.resolve(WAITING),
    submit: (payment) => payouts.take(payment, wayOf(payment, chainFor(payment.methodCode))),
    inquire: (payment, { ageSeconds }) => payouts.tell(payment, ageSeconds),
  }
}

interface EvmRailParts {
  readonly chainFor: ChainFor
  readonly payouts: PayoutDesk
}

/** The chain that a payment method is of; undefined when none is configured for it. */
type ChainFor = (methodCode: string) => PaymentChain | undefined

/** Throws where the settings lost it after the payout was accepted: it is handed over when they have it again. */
function wayOf({ methodCode, money }: RailPayment, chain: PaymentChain | undefined): PayoutWay {
  const asset = chain?.assets.get(money.currencyCode)
  if (chain?.wallet === undefined || asset === undefined)
    throw new Error(`payouts by ${methodCode} in ${money.currencyCode} have no wallet any more`)
  const { code, chainId, wallet } = chain
  return { code, chainId, wallet, token: asset.token, decimals: asset.decimals }
}

function objectionTo(
  { kind, money, methodCode, customer }: RailQuestion,
  chain: PaymentChain | undefined,
): RailObjection | undefined {
  const { currencyCode } = money
  const unavailable = (why: string): RailObjection => ({
    code: 'CHANNEL_UNAVAILABLE',
    message: `${methodCode} is not available in ${currencyCode} now: ${why}.`,
  })
  if (chain === undefined) return unavailable('the gateway knows no chain for it')
  const asset = chain.assets.get(currencyCode)
  if (asset === undefined) return unavailable(`the gateway takes none on ${chain.name}`)
  if (fractionDigits(money.amount) > asset.decimals)
    return unavailable(`an amount of it has at most ${asset.decimals} decimals on ${chain.name}`)
  if (kind !== 'PAYOUT') return undefined
  if (chain.wallet === undefined) return unavailable(`the gateway pays nothing out on ${chain.name}`)
  return customer === undefined ? undefined : objectionToPayee(customer, chain)
}

const NOBODY = `0x${'0'.repeat(40)}`

/** Coins that went to a wrong address are gone for good. */
function objectionToPayee(
  { accountNumber }: RailCustomer,
  { name, wallet, assets }: PaymentChain,
): RailObjection | undefined {
  const invalid = (message: string): RailObjection => ({ code: 'ACCOUNT_INVALID', message })
  if (accountNumber === undefined || !isEvmAddress(accountNumber))
    return invalid(
      `accountNumber must be an address on ${name}: 0x and 40 hexadecimal digits, and where it has capitals, the right ones (EIP-55).`,
    )
  const payee = accountNumber.toLowerCase()
  if (payee === NOBODY) return invalid('accountNumber is the address of nobody: coins sent there are lost.')
  if ([...assets.values()].some(({ token }) => token.toLowerCase() === payee))
    return invalid('accountNumber is the contract of a token itself: coins sent there are lost.')
  return payee === wallet ? invalid('accountNumber is the wallet that payouts leave from.') : undefined
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
      wallet: { address, network, chainId: String(chainId), ...(token !== EVM_COIN && { token }) },
      qr: { format: 'EIP-681', content },
      deepLinks: [walletUrl === undefined ? content : pageLink(walletUrl, content, money.currencyCode)],
    },
    startsAtOnce: false,
  }
}

/** No wallet of a payer knows the chain of a sandbox: a page takes the place of it. */
const pageLink = (walletUrl: string, link: string, currency: string): string =>
  `${walletUrl}?${new URLSearchParams({ link, currency })}`
