import type {
  Instructions,
  Plan,
  Rail,
  RailPayment,
  RailProgress,
  RailQuestion,
  RailReport,
} from '../rail.ts'

/** E-mail addresses that decide the outcome of money that comes in, and what each does. */
export const SANDBOX_ADDRESSES = {
  'success@sandbox.test': 'succeeds at once',
  'declined@sandbox.test': 'the institution declines',
  'insufficient-funds@sandbox.test': 'the customer has not enough money',
  'cancelled@sandbox.test': 'the customer cancels',
  'expires@sandbox.test': 'nobody pays; expires after 15 seconds',
  'slow@sandbox.test': 'succeeds after 10 seconds',
  'reference@sandbox.test': 'waits for the external reference, then succeeds',
} as const

/** E-mail addresses that decide the outcome of money that goes out. Any other payout succeeds at once. */
export const SANDBOX_PAYOUT_ADDRESSES = {
  'success@sandbox.test': 'succeeds at once',
  'declined@sandbox.test': 'the institution declines',
  'account-closed@sandbox.test': 'the account to pay to is closed',
  'bounce@sandbox.test': 'succeeds, and the money comes back after 10 seconds',
  'unknown@sandbox.test': 'the institution does not answer for 15 seconds; then it turns out to have paid',
  'approval@sandbox.test': 'waits until two operators approve it, then succeeds',
  'file@sandbox.test': 'waits for the next file of payouts, as every bank transfer does in live',
} as const

export type SandboxAddress = keyof typeof SANDBOX_ADDRESSES

const EXPIRES_SECONDS = 15
const SLOW_SECONDS = 10
const BOUNCE_SECONDS = 10
const UNKNOWN_SECONDS = 15

/** True for an address that means something in the sandbox, and nothing in live. */
export function isSandboxAddress(emailAddress: string | undefined): boolean {
  return emailAddress?.toLowerCase().endsWith('@sandbox.test') ?? false
}

function addressOf(payment: RailPayment): SandboxAddress | undefined {
  const text = payment.customer.emailAddress?.toLowerCase()
  return text !== undefined && isKnown(text) ? text : undefined
}

const isKnown = (text: string): text is SandboxAddress => Object.hasOwn(SANDBOX_ADDRESSES, text)

/**
 * The sandbox's institution for every method: no money moves. The magic e-mail address decides the outcome; without one
 * the payment waits for its customer. `simulatorUrl` is where customers of redirect methods are sent. `transfers` is the rail
 * of bank transfers: it knows the house's accounts, and carries the bank transfers that no address decides about.
 */
export function createSandboxRail(options: SandboxOptions): Rail {
  const { transfers, simulator } = options
  return {
    code: 'sandbox',
    objectTo: (question) => (isTransfer(question) ? transfers?.objectTo?.(question) : undefined),
    capabilities: {
      directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
      flows: ['REDIRECT', 'INSTRUCTIONS', 'REFERENCE'],
      cancels: false,
    },
    plan(payment) {
      if (transfers !== undefined && isCarriedByTransfers(payment))
        return { ...transfers.plan(payment), carriedBy: transfers.code }
      if (simulator !== undefined && isCarriedBySimulator(payment))
        return { ...simulator.plan(payment), ...whereToPay(payment, options), carriedBy: simulator.code }
      if (payment.kind === 'PAYOUT') return planPayout(payment)
      const address = addressOf(payment)
      const plan: Plan = {
        instructions: instructionsFor(payment, options),
        startsAtOnce:
          address !== undefined && address !== 'expires@sandbox.test' && address !== 'reference@sandbox.test',
        ...(address === 'reference@sandbox.test' && { awaitsReference: true }),
      }
      return address === 'expires@sandbox.test' ? { ...plan, expiresAfterSeconds: EXPIRES_SECONDS } : plan
    },
    advance: (payment, progress) => Promise.resolve(reportFor(payment, progress)),
    submit: (payment) => Promise.resolve(reportOnSubmission(payment)),
    inquire: (payment, progress) => Promise.resolve(reportOnInquiry(payment, progress)),
  }
}

interface SandboxOptions {
  readonly simulatorUrl: string
  readonly transfers?: Rail
  /** Talks to the bank simulator: it carries what a customer decides about there. */
  readonly simulator?: Rail
}

const TRANSFER_METHOD = 'BANK_TRANSFER'
const FILE_ADDRESS = 'file@sandbox.test'
const SIMULATOR_DOMAIN = '@simulator.test'

/** Whether the rail of bank transfers has a say: money that comes in by that method, or leaves by a file. */
function isTransfer({ kind, methodCode, customer }: RailQuestion): boolean {
  if (methodCode !== TRANSFER_METHOD) return false
  return kind !== 'PAYOUT' || customer?.emailAddress?.toLowerCase() === FILE_ADDRESS
}

function isForSimulator({ customer }: RailPayment): boolean {
  return customer.emailAddress?.toLowerCase().endsWith(SIMULATOR_DOMAIN) === true
}

/** Whatever names it by its e-mail address, and every payment of customers who are sent to a page. */
function isCarriedBySimulator(payment: RailPayment): boolean {
  if (isForSimulator(payment)) return true
  return (
    payment.kind !== 'PAYOUT' && REDIRECT_METHODS.has(payment.methodCode) && addressOf(payment) === undefined
  )
}

/** Of a method without a page the instructions are the sandbox's own. */
function whereToPay(payment: RailPayment, options: SandboxOptions): Pick<Plan, 'instructions'> | undefined {
  if (payment.kind === 'PAYOUT' || REDIRECT_METHODS.has(payment.methodCode)) return undefined
  return { instructions: instructionsFor(payment, options) }
}

function isCarriedByTransfers(payment: RailPayment): boolean {
  if (!isTransfer(payment) || isForSimulator(payment)) return false
  return payment.kind === 'PAYOUT' || addressOf(payment) === undefined
}

function planPayout(payment: RailPayment): Plan {
  const needsApproval = payoutAddressOf(payment) === 'approval@sandbox.test'
  return { instructions: {}, startsAtOnce: true, ...(needsApproval && { needsApproval }) }
}

type SandboxPayoutAddress = keyof typeof SANDBOX_PAYOUT_ADDRESSES

function payoutAddressOf(payment: RailPayment): SandboxPayoutAddress | undefined {
  const text = payment.customer.emailAddress?.toLowerCase()
  const isKnownOne = (each: string): each is SandboxPayoutAddress =>
    Object.hasOwn(SANDBOX_PAYOUT_ADDRESSES, each)
  return text !== undefined && isKnownOne(text) ? text : undefined
}

function reportOnSubmission(payment: RailPayment): RailReport {
  switch (payoutAddressOf(payment)) {
    case 'declined@sandbox.test':
      return { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' }
    case 'account-closed@sandbox.test':
      return { kind: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'The account to pay to is closed.' }
    case 'bounce@sandbox.test':
      return { kind: 'SUCCEEDED', received: payment.money, watchSeconds: BOUNCE_SECONDS }
    case 'unknown@sandbox.test':
      return { kind: 'UNKNOWN', askAgainSeconds: UNKNOWN_SECONDS }
    case 'success@sandbox.test':
    case 'approval@sandbox.test':
    case 'file@sandbox.test':
    case undefined:
      return { kind: 'SUCCEEDED', received: payment.money }
  }
}

/** The institution answers from its own books, so an inquiry after a crash finds what the submission would have said. */
function reportOnInquiry(payment: RailPayment, progress: RailProgress): RailReport {
  const { ageSeconds, isPaid } = progress
  const address = payoutAddressOf(payment)
  if (address === 'unknown@sandbox.test' && ageSeconds < UNKNOWN_SECONDS)
    return { kind: 'UNKNOWN', askAgainSeconds: UNKNOWN_SECONDS - ageSeconds }
  if (address === 'unknown@sandbox.test') return { kind: 'SUCCEEDED', received: payment.money }
  if (!isPaid) return reportOnSubmission(payment)
  if (address !== 'bounce@sandbox.test') return { kind: 'WAITING', askAgainSeconds: undefined }
  return ageSeconds < BOUNCE_SECONDS
    ? { kind: 'WAITING', askAgainSeconds: BOUNCE_SECONDS - ageSeconds }
    : { kind: 'RETURNED', code: 'RETURNED', message: 'The institution sent the money back.' }
}

function reportFor(payment: RailPayment, progress: RailProgress): RailReport {
  switch (addressOf(payment)) {
    case 'success@sandbox.test':
      return paid(payment)
    case 'slow@sandbox.test':
      return progress.ageSeconds >= SLOW_SECONDS
        ? paid(payment)
        : { kind: 'WAITING', askAgainSeconds: SLOW_SECONDS - progress.ageSeconds }
    case 'reference@sandbox.test':
      return progress.externalReference === undefined
        ? { kind: 'WAITING', askAgainSeconds: undefined }
        : paid(payment)
    case 'declined@sandbox.test':
      return { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' }
    case 'insufficient-funds@sandbox.test':
      return {
        kind: 'FAILED',
        code: 'INSUFFICIENT_FUNDS',
        message: 'There is not enough money on the account.',
      }
    case 'cancelled@sandbox.test':
      return { kind: 'CANCELLED', message: 'The customer cancelled at the institution.' }
    case 'expires@sandbox.test':
    case undefined:
      return { kind: 'WAITING', askAgainSeconds: undefined }
  }
}

/** Of a bank that does not exist, with right check digits: what was paid from it can be refunded to it. */
const PAYER_ACCOUNT = 'DE66999999990000000002'
const PAYER_BANK = 'TGSBDE99XXX'

function paid(payment: RailPayment): RailReport {
  return {
    kind: 'SUCCEEDED',
    received: payment.money,
    payer: {
      accountName: payment.customer.accountName ?? 'Sandbox Customer',
      accountNumber: payment.customer.accountNumber ?? PAYER_ACCOUNT,
      bankCode: payment.customer.bankCode ?? PAYER_BANK,
      bankName: 'Sandbox Bank',
    },
  }
}

const REDIRECT_METHODS: ReadonlySet<string> = new Set(['ONLINE_BANKING', 'WALLET'])

/**
 * Where to pay: to the house's accounts, or where it has none to one without valid check digits, so that nobody can send
 * real money there.
 */
function instructionsFor(payment: RailPayment, { simulatorUrl, transfers }: SandboxOptions): Instructions {
  if (REDIRECT_METHODS.has(payment.methodCode))
    return { redirectUrl: `${simulatorUrl}/pay/${payment.reference}` }
  const isTaken = transfers?.objectTo?.({ ...payment, customer: undefined }) === undefined
  if (transfers !== undefined && isTaken) return transfers.plan(payment).instructions
  const account = {
    accountName: 'Tollgate Sandbox',
    accountNumber: `XS00TEST${payment.money.currencyCode}000001`,
    bankCode: 'TESTXS00',
    bankName: 'Sandbox Bank',
  }
  switch (payment.methodCode) {
    case 'UPI':
      return { account, qr: { format: 'UPI', content: upiLink(payment) }, deepLinks: [upiLink(payment)] }
    default:
      return { account, ...qrFor(payment) }
  }
}

function upiLink(payment: RailPayment): string {
  const { money, reference } = payment
  return `upi://pay?pa=tollgate.sandbox@testbank&pn=Tollgate%20Sandbox&am=${money.amount}&cu=${money.currencyCode}&tr=${reference}`
}

/** Sandbox codes: they carry payee, amount and reference, and name themselves a test. Real formats belong to real rails. */
function qrFor(payment: RailPayment): Pick<Instructions, 'qr'> {
  if (payment.methodCode !== 'PIX' && payment.methodCode !== 'CRYPTO') return {}
  const { money, reference } = payment
  return {
    qr: {
      format: 'SANDBOX',
      content: `sandbox:pay?amount=${money.amount}&currency=${money.currencyCode}&reference=${reference}`,
    },
  }
}
