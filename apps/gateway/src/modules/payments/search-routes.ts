import {
  answers,
  FoundPaymentListSchema,
  PaymentExportQuery,
  PaymentExportSchema,
  PaymentSearchQuery,
} from '@tollgate/contract'
import type { Static } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { answerPage } from '../../http/paging.ts'
import { type RowFile, sendRows } from '../../http/row-files.ts'
import { momentOf } from '../../platform/moments.ts'
import { invalidField } from '../../platform/refusal.ts'
import {
  FOUND_PLACE,
  type FoundPayment,
  type Lead,
  type PaymentFinder,
  type PaymentSearch,
} from './people/search.ts'
import { presentMoney } from './present.ts'

const operation = operatorOperationsOf('Payments')

interface SearchDeps {
  readonly payments: PaymentFinder
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

type Query = Omit<Static<typeof PaymentSearchQuery>, 'cursor' | 'limit'>

/** Payments of all kinds and merchants, found by what an operator knows of them. */
export function paymentSearchRoutes(app: App, deps: SearchDeps): void {
  const { payments, merchantIdOf, merchantCodeOf } = deps
  exportRoute(app, deps)
  app.get(
    '/operator/payments',
    operation('searchPayments', 'payouts.read', {
      summary: 'Find payments of all kinds by id, reference, customer or time, the newest first',
      description: LEADS_WANTED,
      querystring: PaymentSearchQuery,
      response: answers({ 200: FoundPaymentListSchema }, 410),
    }),
    async ({ query }) => {
      const search = await readPaymentSearch(query, merchantIdOf)
      const found = await answerPage(query, {
        place: FOUND_PLACE,
        list: ({ before, limit }) => payments.find({ ...search, after: before, limit }),
        placeOf: ({ place }) => place,
        present: (item) => item,
      })
      const merchantIds = new Set(found.data.map(({ payment }) => payment.merchantId))
      const codes = new Map<string, string>()
      for (const id of merchantIds) codes.set(id, await merchantCodeOf(id))
      return { ...found, data: found.data.map((item) => present(item, codes)) }
    },
  )
}

const LEADS_WANTED =
  'One of idPayment, reference, idCustomer with merchantCode, or createdFrom is needed; the other filters narrow the result. Without personal data.'

function exportRoute(app: App, { payments, merchantIdOf, merchantCodeOf }: SearchDeps): void {
  app.get(
    '/operator/payments/export',
    operation('exportPayments', 'payouts.read', {
      summary: 'All payments that a search finds, as CSV or as a line of JSON each, the newest first',
      description: `${LEADS_WANTED} Amounts are plain decimals. The last line is whole: what ends earlier was cut off.`,
      querystring: PaymentExportQuery,
      response: answers({ 200: PaymentExportSchema }, 410),
    }),
    async ({ query: { format = 'csv', ...query } }, reply) => {
      const found = await payments.stream(await readPaymentSearch(query, merchantIdOf))
      const pages = rowsOf(found, merchantCodeOf)
      return sendRows(reply, { name: 'payments', format, file: ROW_FILE, pages })
    },
  )
}

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>
const COLUMNS = [
  ...(['createdAt', 'merchantCode', 'kind', 'idPayment', 'status', 'processorStatus'] as const),
  ...(['currencyCode', 'amount', 'fee', 'received', 'paymentMethodCode', 'reference'] as const),
  ...(['externalReference', 'idCustomer'] as const),
] as const
const NUMBERS: ReadonlySet<string> = new Set(['amount', 'fee', 'received'])

const ROW_FILE: RowFile<Row> = {
  columns: COLUMNS,
  cellsOf: (row) => COLUMNS.map((name) => (NUMBERS.has(name) ? { number: row[name] } : row[name])),
  jsonOf: (row) => row,
}

async function* rowsOf(
  pages: AsyncIterable<readonly FoundPayment[]>,
  merchantCodeOf: SearchDeps['merchantCodeOf'],
): AsyncIterable<readonly Row[]> {
  const codes = new Map<string, string>()
  for await (const page of pages) {
    for (const { payment } of page)
      if (!codes.has(payment.merchantId))
        codes.set(payment.merchantId, await merchantCodeOf(payment.merchantId))
    yield page.map(({ payment }) => rowOf(payment, codes.get(payment.merchantId) ?? ''))
  }
}

/** What a payment has not is empty; `received` is told where it is in the payment's currency. */
function rowOf(payment: FoundPayment['payment'], merchantCode: string): Row {
  const { kind, idPayment, status, processorStatus, money, fee, received } = payment
  return {
    createdAt: payment.createdAt.toISOString(),
    merchantCode,
    kind,
    idPayment,
    status,
    processorStatus,
    currencyCode: money.currencyCode,
    amount: money.amount,
    fee: fee.amount,
    received: received?.currencyCode === money.currencyCode ? received.amount : '',
    paymentMethodCode: payment.methodCode,
    reference: payment.reference,
    externalReference: payment.externalReference ?? '',
    idCustomer: payment.idCustomer ?? '',
  }
}

/** What is asked for by a query. Throws a refusal for filters that are not what they should be. */
export async function readPaymentSearch(
  query: Query,
  merchantIdOf: SearchDeps['merchantIdOf'],
): Promise<Omit<PaymentSearch, 'after' | 'limit'>> {
  const { merchantCode, kind, status, currencyCode, paymentMethodCode, amountFrom, amountTo, withoutCells } =
    query
  return {
    ...readLead(query),
    ...readSpan(query),
    kind,
    status,
    currencyCode,
    methodCode: paymentMethodCode,
    amountFrom,
    amountTo,
    withoutCells: withoutCells?.split(','),
    merchantId: merchantCode === undefined ? undefined : await merchantIdOf(merchantCode),
  }
}

const hasLead = ({ idPayment, reference, idCustomer }: Query): boolean =>
  [idPayment, reference, idCustomer].some((value) => value !== undefined)

const DAY_MS = 86_400_000
const DAYS_MAX = 31

/** When the payments were created. A search by time alone reads no more than a month. */
function readSpan(query: Query): Pick<PaymentSearch, 'createdFrom' | 'createdTo'> {
  const createdFrom = momentOf('createdFrom', query.createdFrom)
  const createdTo = momentOf('createdTo', query.createdTo)
  if (hasLead(query) || createdFrom === undefined) return { createdFrom, createdTo }
  const last = new Date(createdFrom.getTime() + DAYS_MAX * DAY_MS)
  if (createdTo !== undefined && createdTo > last)
    throw invalidField(
      'createdTo',
      `is more than ${DAYS_MAX} days after createdFrom: ask for one month after another`,
    )
  return { createdFrom, createdTo: createdTo ?? last }
}

function readLead(query: Query): Pick<PaymentSearch, 'lead' | 'value'> {
  const { idPayment, reference, idCustomer, merchantCode, createdFrom } = query
  const leads: readonly [Lead, string | undefined][] = [
    ['ID', idPayment],
    ['REFERENCE', reference],
    ['CUSTOMER', idCustomer],
  ]
  const given = leads.flatMap(([lead, value]) => (value === undefined ? [] : [{ lead, value }]))
  const [first, second] = given
  if (first === undefined && createdFrom !== undefined) return { lead: 'TIME', value: undefined }
  if (first === undefined || second !== undefined)
    throw invalidField(
      'idPayment',
      'search by exactly one of idPayment, reference and idCustomer, or by createdFrom alone',
    )
  if (first.lead === 'CUSTOMER' && merchantCode === undefined)
    throw invalidField('merchantCode', 'is needed with idCustomer: customers belong to merchants')
  return first
}

function present({ payment }: FoundPayment, codes: ReadonlyMap<string, string>) {
  const merchantCode = codes.get(payment.merchantId) ?? ''
  const { kind, idPayment, status, processorStatus, externalReference, idCustomer } = payment
  return {
    merchantCode,
    kind,
    idPayment,
    status,
    processorStatus,
    money: presentMoney(payment.money),
    paymentMethodCode: payment.methodCode,
    reference: payment.reference,
    ...(externalReference !== undefined && { externalReference }),
    ...(idCustomer !== undefined && { idCustomer }),
    createdAt: payment.createdAt.toISOString(),
  }
}
