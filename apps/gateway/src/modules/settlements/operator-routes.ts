import {
  type Answer,
  type AnswerItem,
  answers,
  OperatorSettlementItemListSchema,
  OperatorSettlementListSchema,
  OperatorSettlementParams,
  OperatorSettlementSchema,
  OperatorSettlementsParams,
  OperatorSettlementsQuery,
  PageQuery,
  RegisteredAccountSchema,
  SettlementAccountSetSchema,
  SettlementCycleSchema,
  SettlementCycleSetSchema,
  SettlementRunResultSchema,
  SettlementRunSchema,
  SettlementTermParams,
  SettlementTermsSchema,
} from '@tollgate/contract'
import { isPositive, parseAmount } from '@tollgate/money'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage } from '../../http/paging.ts'
import { momentOf } from '../../platform/moments.ts'
import { invalidField } from '../../platform/refusal.ts'
import { presentMoney } from '../payments/index.ts'
import type {
  AccountView,
  CycleRun,
  RunOrder,
  SettlementAdministration,
  SettlementCycle,
} from './administration.ts'
import { netOf, type Settlement } from './model.ts'
import { presentItem, presentItemSum, presentSettlement } from './present.ts'
import type { RunOutcome } from './run.ts'
import { parseCycle, printCycle } from './schedule.ts'

const operation = operatorOperationsOf('Settlements')
const ID_PLACE = /^[A-Za-z0-9_-]{1,250}$/
const TRANSFER_PLACE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface SettlementOperatorDeps {
  readonly administration: SettlementAdministration
  readonly run: (order: RunOrder) => Promise<readonly CycleRun[]>
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  readonly isLive: boolean
}

/** Settlements for operators: what was settled, running what is due, and a merchant's terms. */
export function settlementOperatorRoutes(app: App, deps: SettlementOperatorDeps): void {
  readRoutes(app, deps)
  transactionsRoute(app, deps)
  runRoute(app, deps)
  termRoutes(app, deps)
}

function readRoutes(app: App, deps: SettlementOperatorDeps): void {
  const { administration, merchantIdOf, isLive } = deps
  app.get(
    '/operator/settlements/:merchantCode',
    operation('listOperatorSettlements', 'settlements.read', {
      summary: 'List the settlements of a merchant, the newest first',
      params: OperatorSettlementsParams,
      querystring: OperatorSettlementsQuery,
      response: answers({ 200: OperatorSettlementListSchema }, 410),
    }),
    async ({ params: { merchantCode }, query: { currencyCode, ...page } }) => {
      const merchantId = await merchantIdOf(merchantCode)
      return answerPage(page, {
        place: ID_PLACE,
        list: ({ before, limit }) =>
          administration.list({
            merchantId,
            after: before,
            limit,
            from: undefined,
            before: undefined,
            statuses: undefined,
            currencyCodes: currencyCode === undefined ? undefined : [currencyCode],
          }),
        placeOf: ({ idSettlement }) => idSettlement,
        present: (settlement) => ({ merchantCode, ...presentSettlement(settlement, isLive) }),
      })
    },
  )
  app.get(
    '/operator/settlements/:merchantCode/:idSettlement',
    operation('readOperatorSettlement', 'settlements.read', {
      summary: 'A settlement of a merchant',
      params: OperatorSettlementParams,
      response: answers({ 200: OperatorSettlementSchema }, 410),
    }),
    async ({ params: { merchantCode, idSettlement } }) => {
      const found = await administration.show(await merchantIdOf(merchantCode), idSettlement)
      return { merchantCode, ...presentSettlement(found, isLive) }
    },
  )
}

function transactionsRoute(app: App, { administration, merchantIdOf }: SettlementOperatorDeps): void {
  app.get(
    '/operator/settlements/:merchantCode/:idSettlement/transactions',
    operation('listOperatorSettlementTransactions', 'settlements.read', {
      summary: 'What a settlement of a cycle consists of, and what it adds up to by type',
      description: 'A requested settlement has no transactions: it is a payment itself.',
      params: OperatorSettlementParams,
      querystring: PageQuery,
      response: answers({ 200: OperatorSettlementItemListSchema }, 410),
    }),
    async ({ params: { merchantCode, idSettlement }, query }) => {
      const key = { merchantId: await merchantIdOf(merchantCode), idSettlement }
      const { currencyCode } = await administration.show(key.merchantId, idSettlement)
      const page = await answerPage(query, {
        place: TRANSFER_PLACE,
        list: ({ before: after, limit }) => administration.listItems(key, { after, limit }),
        placeOf: ({ transferId }) => transferId,
        present: (item) => presentItem(item, currencyCode),
      })
      const sums = await administration.sumItems(key)
      return { sums: sums.map((sum) => presentItemSum(sum, currencyCode)), ...page }
    },
  )
}

function runRoute(app: App, deps: SettlementOperatorDeps): void {
  app.post(
    '/operator/settlements/!run',
    operation('runSettlements', 'settlements.run', {
      summary: 'Settle the periods that are due now, as the worker does by itself',
      body: SettlementRunSchema,
      response: answers({ 200: SettlementRunResultSchema }, 410),
    }),
    async ({ body: { merchantCode, isForAll = false, currencyCode, until, isDry = false } }) => {
      // Whoever forgets the merchant must not settle everybody's money.
      if ((merchantCode === undefined) !== isForAll)
        throw invalidField('merchantCode', 'name the merchant, or say isForAll')
      const runs = await deps.run({
        merchantId: merchantCode === undefined ? undefined : await deps.merchantIdOf(merchantCode),
        currencyCode,
        isDry,
        until: until === undefined ? undefined : readUntil(until),
      })
      const data = await Promise.all(runs.map((run) => presentRun(deps, run)))
      return { isDry, cycleCount: runs.length, data: data.flat() }
    },
  )
}

const readUntil = (text: string): Date | 'NOW' => (text === 'NOW' ? text : momentOf('until', text))

type ShownPeriod = AnswerItem<typeof SettlementRunResultSchema>

async function presentRun(
  { merchantCodeOf, isLive }: SettlementOperatorDeps,
  { cycle, periods }: CycleRun,
): Promise<readonly ShownPeriod[]> {
  const merchantCode = await merchantCodeOf(cycle.merchantId)
  const { currencyCode } = cycle
  return periods.map(({ to, outcome }) => ({
    merchantCode,
    currencyCode,
    until: to.toISOString(),
    ...presentOutcome(outcome, currencyCode, isLive),
  }))
}

function presentOutcome(
  outcome: RunOutcome,
  currencyCode: string,
  isLive: boolean,
): Pick<ShownPeriod, 'result' | 'problem' | 'net' | 'settlement'> {
  const net = (settlement: Pick<Settlement, 'gross' | 'fees' | 'adjustments'>) =>
    presentMoney({ amount: netOf(settlement), currencyCode })
  switch (outcome.kind) {
    case 'SETTLED':
      return {
        result: 'SETTLED',
        net: net(outcome.settlement),
        settlement: presentSettlement(outcome.settlement, isLive),
      }
    case 'ALREADY_RUN':
      return { result: 'ALREADY_RUN' }
    case 'CARRIED':
      return { result: outcome.why, net: presentMoney({ amount: outcome.net, currencyCode }) }
    case 'WAITS':
      return { result: 'WAITS', problem: outcome.problem }
  }
}

function termRoutes(app: App, { administration, merchantIdOf }: SettlementOperatorDeps): void {
  app.get(
    '/operator/settlement-terms/:merchantCode',
    operation('readSettlementTerms', 'settlements.read', {
      summary: 'When a merchant’s money becomes available, and where it is paid out to',
      params: OperatorSettlementsParams,
      response: answers({ 200: SettlementTermsSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      const merchantId = await merchantIdOf(merchantCode)
      return {
        cycles: (await administration.listCycles(merchantId)).map(presentCycle),
        accounts: (await administration.listAccounts(merchantId)).map(presentAccount),
      }
    },
  )
  app.put(
    '/operator/settlement-terms/:merchantCode/cycles/:currencyCode',
    operation('setSettlementCycle', 'merchants.change', {
      summary: 'Say when the merchant’s money of a currency becomes available',
      params: SettlementTermParams,
      body: SettlementCycleSetSchema,
      response: answers({ 200: SettlementCycleSchema }, 410),
    }),
    async ({ params: { merchantCode, currencyCode }, body: { cycle, minimum, settleIn } }) =>
      presentCycle(
        await administration.setCycle({
          merchantId: await merchantIdOf(merchantCode),
          currencyCode,
          rule: parseCycle(cycle) ?? wrongCycle(),
          minimum: minimum === undefined ? undefined : readMinimum(minimum),
          settleIn: settleIn && { currencyCode: settleIn.currencyCode, listCode: settleIn.rateListCode },
        }),
      ),
  )
  app.put(
    '/operator/settlement-terms/:merchantCode/accounts/:currencyCode',
    operation('setSettlementAccount', 'merchants.change', {
      summary: 'Register the account that the merchant is paid out to in a currency',
      description:
        'In live, settlements to it wait for approval until one of them was approved, whatever the merchant’s rules say.',
      params: SettlementTermParams,
      body: SettlementAccountSetSchema,
      response: answers({ 200: RegisteredAccountSchema }, 410),
    }),
    async (request) => {
      const { params, body } = request
      const account = await administration.setAccount({
        merchantId: await merchantIdOf(params.merchantCode),
        currencyCode: params.currencyCode,
        account: body.account,
        methodCode: body.paymentMethodCode,
        operatorCode: body.paymentOperatorCode,
        setBy: operatorOf(request).code,
      })
      return presentAccount(account)
    },
  )
}

function wrongCycle(): never {
  throw invalidField('cycle', 'must be t+0 to t+60, daily, weekly:mon to weekly:sun, or monthly')
}

function readMinimum(text: string) {
  const amount = parseAmount(text)
  if (amount !== undefined && isPositive(amount)) return amount
  throw invalidField('minimum', 'must be a number above zero')
}

function presentCycle(cycle: SettlementCycle): Answer<typeof SettlementCycleSchema> {
  const { currencyCode, minimum, settleIn, runUntil } = cycle
  return {
    currencyCode,
    cycle: printCycle(cycle.rule),
    ...(minimum !== undefined && { minimum: presentMoney({ amount: minimum, currencyCode }) }),
    ...(settleIn !== undefined && {
      settleIn: { currencyCode: settleIn.currencyCode, rateListCode: settleIn.listCode },
    }),
    ...(runUntil !== undefined && { runUntil: runUntil.toISOString() }),
    dueAt: cycle.dueAt.toISOString(),
  }
}

function presentAccount(account: AccountView): Answer<typeof RegisteredAccountSchema> {
  const { currencyCode, methodCode, operatorCode, maskedNumber, setBy, updatedAt } = account
  return {
    currencyCode,
    paymentMethodCode: methodCode,
    ...(operatorCode !== undefined && { paymentOperatorCode: operatorCode }),
    accountNumber: maskedNumber,
    ...(setBy !== undefined && { setBy }),
    updatedAt: updatedAt.toISOString(),
  }
}
