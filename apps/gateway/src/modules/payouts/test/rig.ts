import type { PayoutCreate, WireMoney } from '@tollgate/contract'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { verifyBooks } from '../../../rooms/books.ts'
import { MERCHANT_CODE, openShop, type Shop, type ShopOptions } from '../../../test/support/shop.ts'
import { createCatalogueService } from '../../catalogue/index.ts'
import { createMerchantDirectory } from '../../merchants/index.ts'
import type { PaymentKey } from '../../payments/index.ts'
import {
  type ApprovalService,
  createApprovalService,
  createPayoutPolicies,
  createPayoutService,
  createPayoutSettings,
  type DecisionOrder,
  type OutgoingView,
  type PayoutPolicies,
  type PayoutService,
  type PayoutSettings,
} from '../index.ts'

/** A shop with every method of the sandbox's catalogue, and the room of payouts. */
export interface Rig extends Shop {
  readonly payouts: PayoutService
  readonly approvals: ApprovalService
  readonly payoutSettings: PayoutSettings
  readonly policies: PayoutPolicies
  /** Creates a payout of the shop. */
  create(idPayout: string, given?: BodyGiven): Promise<unknown>
  /** What operators see of it. */
  view(idPayout: string): Promise<OutgoingView>
  /** Available and reserved in EUR. */
  holdings(): Promise<readonly unknown[]>
  booksFindings(): Promise<readonly unknown[]>
}

const LISTED_MAX = 500

export async function openRig(t: TestLife, options?: ShopOptions): Promise<Rig> {
  const shop = await openShop(t, options)
  const { db, secrets, changes, intake, payments, caller, sql } = shop
  const catalogue = createCatalogueService({ ...shop, log: createLog({ level: 'silent' }) })
  await catalogue.start()
  const policies = createPayoutPolicies({ db, changes })
  const payouts = createPayoutService({ intake, policies, secrets })
  const approvals = createApprovalService({
    db,
    secrets,
    payments,
    policies,
    merchants: createMerchantDirectory({ db, changes }),
    merchantCodeOf: () => Promise.resolve(MERCHANT_CODE),
    verificationsOf: async () => ({ ofPayment: undefined, ofOthers: undefined }),
    wakeWorker: shop.intakeDeps.wakeWorker,
    listPowerless: async () => new Set(),
  })
  return {
    ...shop,
    policies,
    payouts,
    approvals,
    payoutSettings: createPayoutSettings({ db, secrets, catalogue }),
    create: (idPayout, given) => payouts.create(caller, idPayout, bodyOf(given)),
    async view(idPayout) {
      const { items } = await approvals.list({
        kind: 'PAYOUT',
        merchantCode: MERCHANT_CODE,
        waiting: undefined,
        after: undefined,
        limit: LISTED_MAX,
      })
      const found = items.find(({ payment }) => payment.idPayment === idPayout)
      if (found === undefined) throw new Error(`${idPayout} is not in the list`)
      return found
    },
    async holdings() {
      const [row] = await sql(
        `select trim_scale(available)::text as available, trim_scale(reserved)::text as reserved from balances where currency_code = 'EUR'`,
      )
      return [row?.['available'], row?.['reserved']]
    },
    booksFindings: async () => (await verifyBooks(db)).findings,
  }
}

interface BodyGiven {
  readonly amount?: WireMoney['amount']
  readonly currencyCode?: string
  readonly accountNumber?: string
  readonly method?: Partial<PayoutCreate['paymentMethod']>
}

export const ACCOUNT = 'DE89370400440532013000'
export const OTHER_ACCOUNT = 'GB82WEST12345698765432'

/** A body that is accepted as it is: 100 EUR to an account, and half a euro of fee. */
export function bodyOf(given: BodyGiven = {}): PayoutCreate {
  const { amount = 100, currencyCode = 'EUR', accountNumber = ACCOUNT, method } = given
  return {
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      account: { accountName: 'Ada Lovelace', accountNumber },
      ...method,
    },
    callbackUrl: 'https://shop.example/callbacks',
  }
}

export const keyOf = ({ merchantId }: Pick<Rig, 'merchantId'>, idPayment: string): PaymentKey => ({
  merchantId,
  kind: 'PAYOUT',
  idPayment,
})

/** What an operator says about a payout as the operator has seen it. */
export async function decisionOn(rig: Rig, idPayment: string, operatorCode: string): Promise<DecisionOrder> {
  const { contentHash } = await rig.view(idPayment)
  return { kind: 'PAYOUT', merchantCode: MERCHANT_CODE, idPayment, operatorCode, contentHash } as const
}

/** Approves as these operators, one after the other. */
export async function approveAs(rig: Rig, idPayment: string, ...operators: readonly string[]): Promise<void> {
  for (const operator of operators)
    await rig.approvals.approve({ ...(await decisionOn(rig, idPayment, operator)), reason: undefined })
}

/** The phase of the payout. */
export async function phaseOf(rig: Rig, idPayment: string): Promise<string | undefined> {
  return (await rig.payments.find(keyOf(rig, idPayment)))?.processorStatus
}

/** Waits until the payout has the status. */
export function reaches(rig: Rig, idPayment: string, status: string): Promise<void> {
  return waitUntil(async () => (await rig.payments.find(keyOf(rig, idPayment)))?.status === status, {
    timeoutMs: 10_000,
    what: `${idPayment} to be ${status}`,
  })
}
