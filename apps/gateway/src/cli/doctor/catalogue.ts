import type { MethodInUse } from '../../modules/catalogue/index.ts'
import { type Finding, ok, warn } from './finding.ts'

/** What is set up of what a payment needs. */
export interface PaymentNeeds {
  /** Currencies in use, and methods in use with limits for incoming money. */
  readonly currencyCount: number
  readonly payinMethods: readonly string[]
  /** Of active merchants. */
  readonly inUse: readonly MethodInUse[]
  /** Currencies in which merchants have bank transfers, and those in which there is an account for them. */
  readonly transferCurrencies: readonly string[]
  readonly accountCurrencies: readonly string[]
}

const NAME = 'catalogue'

/** Whether any payment can be taken, and if not, the first step that is missing. */
export function examineCatalogue(needs: PaymentNeeds): Finding {
  const { currencyCount, payinMethods, inUse, transferCurrencies, accountCurrencies } = needs
  if (currencyCount === 0 || payinMethods.length === 0)
    return warn(
      NAME,
      `No payment can be taken: ${currencyCount === 0 ? 'there is no currency' : 'no method has limits for incoming payments'}.`,
      '`tollgate catalogue starter > catalogue.yaml`, then `tollgate catalogue apply catalogue.yaml`.',
    )
  const used = inUse.filter(
    ({ direction, methodCode }) => direction === 'PAYIN' && payinMethods.includes(methodCode),
  )
  if (used.length === 0)
    return warn(
      NAME,
      'No payment can be taken: no active merchant has a payment method.',
      `tollgate merchants enable-method <code> ${payinMethods[0] ?? 'all'}`,
    )
  const lacking = transferCurrencies.filter((each) => !accountCurrencies.includes(each))
  if (lacking.length > 0)
    return warn(
      NAME,
      `Bank transfers in ${lacking.join(', ')} are refused: no account of yours for them is there.`,
      `tollgate accounts add <code> --currency ${lacking[0] ?? 'EUR'} --iban <iban> --holder <name>, or remove the limits in the catalogue.`,
    )
  const count = new Set(used.map(({ methodCode }) => methodCode)).size
  return ok(NAME, `${count} ${count === 1 ? 'method takes' : 'methods take'} payments.`)
}
