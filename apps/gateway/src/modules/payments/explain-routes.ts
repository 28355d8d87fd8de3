import { answers, CatalogueExplainedSchema, CatalogueExplainQuery } from '@tollgate/contract'
import { isPositive, type Money, parseAmount, rawAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
import { ANY, type ExplainedFee } from '../catalogue/index.ts'
import { explainMerchantOptions, type OptionsNeeds } from './accept/options.ts'

const operation = operatorOperationsOf('Catalogue')

interface ExplainDeps extends OptionsNeeds {
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
}

/** Why is this not offered? The rules of the options, told to operators one by one. */
export function explainRoutes(app: App, { merchantIdOf, ...needs }: ExplainDeps): void {
  app.get(
    '/operator/catalogue/explain',
    operation('explainOptions', 'catalogue.read', {
      summary: 'Why each method is offered to a merchant for an amount, or not, rule by rule',
      querystring: CatalogueExplainQuery,
      response: answers({ 200: CatalogueExplainedSchema }, 410),
    }),
    async ({ query }) => {
      const { merchantCode, amount: text, currencyCode, segmentCode, kind: direction = 'PAYIN' } = query
      const amount = parseAmount(text)
      if (amount === undefined || !isPositive(amount)) throw invalidField('amount', 'must be more than zero')
      const merchantId = await merchantIdOf(merchantCode)
      const order = { merchantId, merchantCode, direction, money: { amount, currencyCode }, segmentCode }
      const { items, methods } = await explainMerchantOptions(needs, order)
      return {
        reasons: items.map(reasonOf),
        methods: methods.map(({ methodCode, isOffered, rules, fees }) => ({
          paymentMethodCode: methodCode,
          isOffered,
          rules: rules.map(({ rule, verdict, item }) => ({
            rule,
            verdict,
            ...(item !== undefined && reasonOf(item)),
          })),
          fees: fees.map(presentFee),
        })),
      }
    },
  )
}

const reasonOf = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  code,
  message,
})

const moneyOf = ({ amount, currencyCode }: Money) => ({ amount: rawAmount(amount), currencyCode })

function presentFee(explained: ExplainedFee) {
  const { operatorCodes, fee, feeConversion, found, percentageAmount, sum } = explained
  return {
    paymentOperatorCodes: operatorCodes,
    fee: moneyOf(fee),
    ...(found !== undefined && { rule: presentRule(found) }),
    ...(percentageAmount !== undefined && { percentageAmount: rawAmount(percentageAmount) }),
    ...(sum !== undefined && { sum: rawAmount(sum) }),
    ...(feeConversion !== undefined && {
      conversion: {
        rateListCode: feeConversion.listCode,
        version: feeConversion.version,
        rate: rawAmount(feeConversion.rate),
        priced: moneyOf(feeConversion.priced),
      },
    }),
  }
}

function presentRule({ rule, source, operatorCode, segmentCode }: NonNullable<ExplainedFee['found']>) {
  const { fixed, percentage, minimum, maximum, priced } = rule
  return {
    source,
    ...(operatorCode !== ANY && { operatorCode }),
    ...(segmentCode !== ANY && { segmentCode }),
    fixed: rawAmount(fixed),
    percentage: rawAmount(percentage),
    ...(minimum !== undefined && { minimum: rawAmount(minimum) }),
    ...(maximum !== undefined && { maximum: rawAmount(maximum) }),
    ...(priced !== undefined && { pricedCurrencyCode: priced.currencyCode }),
  }
}
