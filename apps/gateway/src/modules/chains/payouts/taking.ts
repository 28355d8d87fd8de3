import { toMinorUnits } from '@tollgate/money'
import { sealOf, type TransferContent } from '@tollgate/signer-protocol'
import type { Database, Tx } from '../../../platform/database.ts'
import type { PayoutDesk, PayoutWay, RailPayment, RailReport } from '../../../rails/rail.ts'
import { listPaymentsByReference, type PaymentKey } from '../../payments/index.ts'
import { askForLook } from '../store.ts'
import type { ChainPayout } from './model.ts'
import { ensureWallet, findPayout, insertPayout } from './payout-store.ts'

/** Where which coins go, as the signer reads it. */
export function contentOf(
  { reference, money }: Pick<RailPayment, 'reference' | 'money'>,
  { chainId, token, decimals }: Pick<PayoutWay, 'chainId' | 'token' | 'decimals'>,
  payee: string,
): TransferContent {
  return {
    chainId: String(chainId),
    reference,
    token: token.toLowerCase(),
    payee: payee.toLowerCase(),
    units: String(toMinorUnits(money.amount, decimals)),
  }
}

/** The rail's door to what leaves by chains. */
export function createChainPayoutDesk({
  db,
  secretFor,
}: {
  readonly db: Database
  /** What gateway and signer of the chain share. */
  readonly secretFor: (code: string) => Uint8Array
}): PayoutDesk {
  return {
    async take(payment, way) {
      const { reference, money, customer } = payment
      const { code, wallet } = way
      if (customer.accountNumber === undefined) throw new Error('a payout on a chain without an address')
      const seal = sealOf(secretFor(code), contentOf(payment, way, customer.accountNumber))
      await db.transaction(async (tx) => {
        await ensureWallet(tx, { code, address: wallet })
        const key = await keyOf(tx, reference)
        await insertPayout(tx, { reference, code, wallet, seal, payment: key, ...money })
        await askForLook(tx, code)
      })
      return { kind: 'WAITING', askAgainSeconds: FIRST_ASK_SECONDS }
    },
    async tell({ reference, money }, ageSeconds) {
      const payout = await findPayout(db, reference)
      // What was noted as handed over, and is not here, was never taken: the rows are the proof.
      if (payout === undefined)
        return { kind: 'UNKNOWN', askAgainSeconds: ABSENT_ASK_SECONDS, isAbsent: true }
      return reportOf(payout, money, ageSeconds)
    },
  }
}

/**
 * Whether a transaction of the payout can still come into a block. Before it is SENT, no node has one: who decides about its payment
 * under the lock keeps it so. What is unclear is settled on the chain, and people find out what it did.
 */
export async function canStillBePaid(tx: Tx, reference: string): Promise<boolean> {
  const payout = await findPayout(tx, reference)
  return payout?.state === 'SENT' && !payout.isUnclear
}

const FIRST_ASK_SECONDS = 5
const ABSENT_ASK_SECONDS = 30
const ASK_SECONDS_MAX = 300

async function keyOf(tx: Tx, reference: string): Promise<PaymentKey> {
  const found = (await listPaymentsByReference(tx, [reference])).find((each) => each.reference === reference)
  if (found === undefined) throw new Error(`there is no payment ${reference}`)
  const { merchantId, kind, idPayment } = found
  return { merchantId, kind, idPayment }
}

function reportOf(
  { state, problem, isUnclear, txHash }: ChainPayout,
  received: RailPayment['money'],
  ageSeconds: number,
): RailReport {
  if (state === 'PAID') return { kind: 'SUCCEEDED', received }
  if (state === 'FAILED') {
    const code = txHash === undefined ? 'REJECTED' : 'TRANSFER_REVERTED'
    return { kind: 'FAILED', code, message: problem ?? 'The transfer failed.' }
  }
  return isUnclear
    ? { kind: 'UNKNOWN', askAgainSeconds: ASK_SECONDS_MAX }
    : { kind: 'WAITING', askAgainSeconds: askAgainAfter(ageSeconds) }
}

/** The longer it takes, the less often: each answer is kept. */
const askAgainAfter = (ageSeconds: number): number =>
  Math.min(ASK_SECONDS_MAX, Math.max(FIRST_ASK_SECONDS, Math.round(ageSeconds / 4)))
