import type { Amount } from '@tollgate/money'
import type { Log } from '@tollgate/runtime'
import { createSnapshot } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { type BankAccountDraft, instantOf, problemsOfInstant, readDraft } from './demands.ts'
import { BankAccountProblem } from './errors.ts'
import type { AccountName, BankAccount, NewBankAccount, PayoutFormat } from './model.ts'
import { chooseNamed } from './naming.ts'
import {
  insertBankAccount,
  listBankAccounts,
  lockCurrency,
  updateDefaultsTaken,
  updateRetired,
  updateUse,
} from './store.ts'

/** The account that somebody else's name means, also a retired one; undefined for none, or when it could be several. */
export async function findBankAccount(tx: Tx, name: AccountName): Promise<BankAccount | undefined> {
  return chooseNamed(await listBankAccounts(tx), name)
}

/** What changes in the use of an account. */
interface UseChange {
  readonly isDefault?: true | undefined
  readonly payoutFormat?: PayoutFormat | 'NONE' | undefined
  /** Zero: its bank takes no files of instant transfers. */
  readonly instantMax?: Amount | undefined
}

/** What operators do with accounts. Throws BankAccountProblem. */
export interface BankAccountAdministration {
  /** All of them, retired ones too: by currency, the default first. */
  list(): Promise<readonly BankAccount[]>
  /** The first account of a currency is its default; a later one becomes it where that is asked for. */
  add(draft: BankAccountDraft, isDefault: boolean): Promise<BankAccount>
  set(code: string, change: UseChange): Promise<BankAccount>
  /** Nobody is told to pay there any more; money that arrives all the same is still found. */
  retire(code: string): Promise<BankAccount>
}

export function createBankAccountAdministration({
  db,
}: {
  readonly db: Database
}): BankAccountAdministration {
  return {
    list: () => listBankAccounts(db),
    async add(draft, isDefault) {
      const account = readDraft(draft)
      return db.transaction((tx) => add(tx, account, isDefault))
    },
    set: (code, change) =>
      db.transaction(async (tx) => {
        const account = await lockAccount(tx, code)
        if (change.isDefault === true) await updateDefaultsTaken(tx, account.currencyCode, code)
        await updateUse(tx, {
          code,
          isDefault: account.isDefault || change.isDefault === true,
          ...filesAfter(account, change),
        })
        return requireAccount(tx, code)
      }),
    retire: (code) =>
      db.transaction(async (tx) => {
        const account = await lockAccount(tx, code)
        const hasOthers = (await listBankAccounts(tx)).some(
          (other) =>
            other.code !== code && other.currencyCode === account.currencyCode && other.status === 'ACTIVE',
        )
        if (account.isDefault && hasOthers)
          throw new BankAccountProblem(
            `${code} is where ${account.currencyCode} goes: make another account the default first.`,
            'CONFLICT',
          )
        await updateRetired(tx, code)
        return requireAccount(tx, code)
      }),
  }
}

async function add(tx: Tx, account: NewBankAccount, isDefault: boolean): Promise<BankAccount> {
  const { code, currencyCode } = account
  if (!(await lockCurrency(tx, currencyCode)))
    throw new BankAccountProblem(`There is no currency ${currencyCode}.`, 'NOT_FOUND').about('currencyCode')
  const hasDefault = (await listBankAccounts(tx)).some(
    (other) => other.currencyCode === currencyCode && other.isDefault,
  )
  const becomesDefault = isDefault || !hasDefault
  if (becomesDefault) await updateDefaultsTaken(tx, currencyCode, code)
  if (!(await insertBankAccount(tx, { ...account, isDefault: becomesDefault })))
    throw new BankAccountProblem(`The code ${code} or this very account is there already.`, 'CONFLICT')
  return requireAccount(tx, code)
}

/**
 * Adds an account that the gateway keeps itself, once, and never as the default: nobody is told to transfer there. False where the
 * catalogue does not have its currency.
 */
export async function ensureBankAccount(db: Database, account: NewBankAccount): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockCurrency(tx, account.currencyCode))) return false
    await insertBankAccount(tx, { ...account, isDefault: false })
    return true
  })
}

/** By which files payouts leave the account from then on. Without files, nothing goes at once either. */
function filesAfter(
  account: BankAccount,
  change: UseChange,
): Pick<BankAccount, 'payoutFormat' | 'instantMax'> {
  const payoutFormat = formatAfter(account, change)
  const kept = payoutFormat === undefined ? undefined : account.instantMax
  const instantMax = change.instantMax === undefined ? kept : instantOf(change.instantMax)
  const { currencyCode } = account
  for (const { field, sentence } of problemsOfInstant({ instantMax, currencyCode, payoutFormat }))
    throw new BankAccountProblem(sentence).about(field)
  return { payoutFormat, instantMax }
}

function formatAfter(account: BankAccount, { payoutFormat }: UseChange): PayoutFormat | undefined {
  if (payoutFormat === undefined) return account.payoutFormat
  if (payoutFormat === 'NONE') return undefined
  if (account.iban === undefined && account.accountNumber === undefined)
    throw new BankAccountProblem('Files of payouts need an IBAN or an account number.').about('payoutFormat')
  return payoutFormat
}

/** The account under the lock of its currency. Throws when there is none, or when it is retired. */
async function lockAccount(tx: Tx, code: string): Promise<BankAccount> {
  await lockCurrency(tx, (await requireAccount(tx, code)).currencyCode)
  const account = await requireAccount(tx, code)
  if (account.status === 'ACTIVE') return account
  throw new BankAccountProblem(`The account ${code} is retired.`, 'CONFLICT')
}

async function requireAccount(tx: Tx, code: string): Promise<BankAccount> {
  const account = (await listBankAccounts(tx)).find((each) => each.code === code)
  if (account !== undefined) return account
  throw new BankAccountProblem(
    `There is no account ${code}: \`tollgate accounts list\` shows them.`,
    'NOT_FOUND',
  )
}

/** Where money of a currency goes, in memory, for the hot path of a create. */
export interface BankAccountDirectory {
  /** Reads the accounts and keeps them current from then on. To be called once, before anything else. */
  start(): Promise<void>
  /** The account that customers pay to; undefined where there is none for the currency. */
  readonly defaultOf: (currencyCode: string) => BankAccount | undefined
}

interface BankAccountDirectoryDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
  readonly log: Log
}

export function createBankAccountDirectory({
  db,
  changes,
  log,
}: BankAccountDirectoryDeps): BankAccountDirectory {
  const defaults = createSnapshot('the directory of bank accounts was', async () => {
    const all = await listBankAccounts(db)
    log.info({ accounts: all.length }, 'the bank accounts were read')
    return new Map(all.filter(({ isDefault }) => isDefault).map((account) => [account.currencyCode, account]))
  })
  return {
    async start() {
      changes.on('CATALOGUE', () => defaults.reload())
      await defaults.reload()
    },
    defaultOf: (currencyCode) => defaults.current().get(currencyCode),
  }
}
