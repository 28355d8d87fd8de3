import { countAnswers, eraseAnswers } from '../modules/callbacks/index.ts'
import { countActsAbout } from '../modules/confirmations/index.ts'
import type { CustomerDeps, CustomerKey } from '../modules/customers/index.ts'
import { findMessageTraces } from '../modules/notifications/index.ts'
import {
  countPersonalData,
  erasePayments,
  hasOpenPayments,
  listKeysOfCustomer,
  type PaymentKey,
} from '../modules/payments/index.ts'
import { findFileTraces } from '../modules/payout-files/index.ts'
import { erasePayersOfLines, findStatementTraces } from '../modules/statements/index.ts'
import type { Tx } from '../platform/database.ts'

const PAYMENTS_AT_ONCE = 1_000

/**
 * Erases in every room what payments that have ended hold of persons: of the payments themselves, of what receivers of callbacks
 * answered, and of what banks said of payers in lines of statements that are decided. Safe to repeat.
 */
export async function eraseEverywhere(tx: Tx, ended: readonly PaymentKey[]): Promise<void> {
  for (let from = 0; from < ended.length; from += PAYMENTS_AT_ONCE) {
    const keys = ended.slice(from, from + PAYMENTS_AT_ONCE)
    await erasePayments(tx, keys)
    await eraseAnswers(tx, keys)
    await erasePayersOfLines(tx, keys)
  }
}

async function eraseCustomerPayments(tx: Tx, customer: CustomerKey): Promise<void> {
  const payments = await listKeysOfCustomer(tx, customer)
  await eraseEverywhere(
    tx,
    payments.filter(({ hasEnded }) => hasEnded),
  )
}

const countTraces: CustomerDeps['countTraces'] = async (tx, customer) => {
  const keys = await listKeysOfCustomer(tx, customer)
  const lines = await findStatementTraces(tx, keys)
  const files = await findFileTraces(tx, keys)
  const { messages, doneAt } = await findMessageTraces(tx, keys)
  return {
    payments: keys.length,
    personalData: await countPersonalData(tx, keys),
    callbackAnswers: await countAnswers(tx, keys),
    statementLines: lines.lines,
    payoutFiles: files.files,
    openPayoutFiles: files.openFiles,
    payoutReports: files.reports,
    confirmations: await countActsAbout(tx, [...lines.digests, ...files.digests], lines.lineIds),
    messages,
    messagesDoneAt: doneAt,
  }
}

/** What customers ask of payments, which stand above them. */
export const PAYMENTS_OF_CUSTOMERS = {
  hasOpenPayments,
  erasePayments: eraseCustomerPayments,
  countTraces,
}
