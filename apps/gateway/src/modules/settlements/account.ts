import type { Secrets } from '../../platform/secrets.ts'
import type { StoredAccount } from './account-store.ts'
import type { CycleKey } from './model.ts'

/** What names an account; kept encrypted. */
interface AccountData {
  readonly accountName?: string
  readonly accountNumber: string
  readonly bankCode?: string
  readonly emailAddress?: string
}

const MEMBERS = ['accountName', 'accountNumber', 'bankCode', 'emailAddress'] as const
const TEXT_LENGTH_MAX = 254
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u

type AccountReading =
  | { readonly ok: true; readonly data: AccountData }
  | { readonly ok: false; readonly problem: string }

/** Reads account data from JSON that a person wrote. */
export function readAccount(value: unknown): AccountReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('The account must be a JSON object.')
  const texts = new Map<string, string>()
  for (const [name, text] of Object.entries(value)) {
    if (!MEMBERS.some((member) => member === name))
      return wrong(
        `The account has no member ${JSON.stringify(name)}; its members are ${MEMBERS.join(', ')}.`,
      )
    if (typeof text !== 'string' || !PRINTABLE.test(text) || text.length > TEXT_LENGTH_MAX)
      return wrong(`${name} must be a text of 1 to ${TEXT_LENGTH_MAX} printable characters.`)
    texts.set(name, text)
  }
  const data = toData(texts)
  return data === undefined ? wrong('accountNumber is missing.') : { ok: true, data }
}

const wrong = (problem: string): AccountReading => ({ ok: false, problem })

function toData(texts: ReadonlyMap<string, string>): AccountData | undefined {
  const accountNumber = texts.get('accountNumber')
  if (accountNumber === undefined) return undefined
  const accountName = texts.get('accountName')
  const bankCode = texts.get('bankCode')
  const emailAddress = texts.get('emailAddress')
  return {
    accountNumber,
    ...(accountName !== undefined && { accountName }),
    ...(bankCode !== undefined && { bankCode }),
    ...(emailAddress !== undefined && { emailAddress }),
  }
}

/** Encrypts the account under a key of its own, bound to the merchant and the currency. */
export function sealAccount(
  secrets: Secrets,
  key: CycleKey,
  data: AccountData,
): Pick<StoredAccount, 'dataKey' | 'sealed'> {
  return secrets.sealApart(contextOf(key), Buffer.from(JSON.stringify(data)))
}

/** Throws when the bytes were altered or belong to another merchant or currency. */
export function openAccount(secrets: Secrets, account: StoredAccount): AccountData {
  const clear = secrets.openApart(contextOf(account), account.dataKey, account.sealed).toString('utf8')
  const reading = readAccount(JSON.parse(clear))
  if (!reading.ok) throw new Error('a sealed account is not one that was stored')
  return reading.data
}

const contextOf = ({ merchantId, currencyCode }: CycleKey): string =>
  `settlement-account ${merchantId} ${currencyCode}`
