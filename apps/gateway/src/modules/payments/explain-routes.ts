import { answers, CatalogueExplainedSchema, CatalogueExplainQuery } from '@tollgate/contract'
import { isPositive, parseAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { invalidField } from '../../platform/refusal.ts'
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
        methods: methods.map(({ methodCode, isOffered, rules }) => ({
          ...{ paymentMethodCode: methodCode, isOffered },
          rules: rules.map(({ rule, verdict, item }) => ({
            ...{ rule, verdict },
            ...(item !== undefined && reasonOf(item)),
          })),
        })),
      }
    },
  )
}

const reasonOf = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  code,
  message,
})
