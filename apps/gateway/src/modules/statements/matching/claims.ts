import { compareAmounts } from '@tollgate/money'
import { payeeIdentity, samePayee } from '@tollgate/payment-codes'
import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { type BankAccount, listBankAccounts } from '../../bank-accounts/index.ts'
import { listPersonalData, mayBeOfBank, type NamedPayment, openPersonalData } from '../../payments/index.ts'
import type { PartDetails } from '../formats/parsed.ts'
import type { SealedLine } from '../lines/line-store.ts'

/** A line that has a reference which the customer of a payment typed. */
export interface Claim {
  readonly line: SealedLine
  readonly details: PartDetails
  readonly payment: NamedPayment
}

/** A customer types a reference once the payment is there, and the bank books the money soon. */
const DAYS_BEFORE = 1
const DAYS_AFTER = 10
const DAY_MS = 86_400_000

/** Whose customers are told accounts of ours: a statement says nothing of what other institutions carry. */
const RAILS_OF_OUR_ACCOUNTS: ReadonlySet<string> = new Set(['bank-transfer', 'sandbox'])

/**
 * Whether the line may be what the customer claims: money that came to the account that the customer was told, exactly as
 * much, in the days of the payment. Anybody can type a reference, so it leads to no other payment, and to none that expired.
 */
export function isPlausible({ line, payment }: Claim, account: BankAccount | undefined): boolean {
  const { status, rail, payeeAccount, createdAt, externalReference = '' } = payment
  if (status !== 'CREATED' || !RAILS_OF_OUR_ACCOUNTS.has(rail)) return false
  if (!mayBeOfBank(externalReference) || !isItsMoney(line, payment)) return false
  const days = (Date.parse(line.bookedOn) - Date.parse(createdAt.toISOString().slice(0, 10))) / DAY_MS
  if (days < -DAYS_BEFORE || days > DAYS_AFTER) return false
  return account !== undefined && payeeAccount !== undefined && isItself(account, payeeAccount)
}

const isItsMoney = (line: SealedLine, { money }: NamedPayment): boolean =>
  line.direction === 'CREDIT' &&
  !line.isReversal &&
  line.currencyCode === money.currencyCode &&
  compareAmounts(line.amount, money.amount) === 0

function isItself(account: BankAccount, payeeAccount: string): boolean {
  const { iban, accountNumber, upiAddress, pixKey, bitcoinAddress } = account
  const told = compact(payeeAccount)
  return [iban, accountNumber, upiAddress, pixKey, bitcoinAddress].some(
    (name) => name !== undefined && compact(name) === told,
  )
}

const compact = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

/** Our accounts, by code and currency. */
export async function accountsByLine(
  tx: Tx,
): Promise<(line: Pick<SealedLine, 'accountCode' | 'currencyCode'>) => BankAccount | undefined> {
  const accounts = await listBankAccounts(tx)
  return ({ accountCode, currencyCode }) =>
    accounts.find((account) => account.code === accountCode && account.currencyCode === currencyCode)
}

/** Of the claims, those whose money came from the account that was stored with the payment when it was created. */
export async function claimsOfKnownPayers(
  deps: { readonly secrets: Secrets },
  tx: Tx,
  claims: readonly Claim[],
): Promise<ReadonlySet<Claim>> {
  if (claims.length === 0) return new Set()
  const rows = (
    await listPersonalData(
      tx,
      claims.map(({ payment }) => payment),
    )
  ).filter(({ source }) => source === 'REQUEST')
  return new Set(
    claims.filter((claim) => {
      const { merchantId, kind, idPayment } = claim.payment
      const row = rows.find(
        (each) => each.merchantId === merchantId && each.kind === kind && each.idPayment === idPayment,
      )
      return row !== undefined && isPayer(claim, openPersonalData(deps.secrets, row, row))
    }),
  )
}

function isPayer(
  { line, details }: Claim,
  { accountNumber, bankCode }: ReturnType<typeof openPersonalData>,
): boolean {
  const { partyAccount, partyBank } = details
  if (accountNumber === undefined || partyAccount === undefined) return false
  const { currencyCode } = line
  return samePayee(
    payeeIdentity({ accountNumber, bankCode, currencyCode }),
    payeeIdentity({ accountNumber: partyAccount, bankCode: partyBank, currencyCode }),
  )
}
