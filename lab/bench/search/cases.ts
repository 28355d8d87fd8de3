import type { Sql } from '../../rig/sql.ts'
import { CROWD } from './fill.ts'

// What operators ask: every filter, every pair of filters, with values that are common, rare, or fit nothing.

/** One question, as it stands in the address of `GET /operator/payments`. */
export interface Case {
  /** The filters by which it belongs into the table: `status`, `kind and status`. */
  readonly filters: string
  readonly query: Readonly<Record<string, string>>
}

/** Filters that narrow what was found, each with values from common to none. */
const NARROWING = {
  merchantCode: [CROWD.large, 'BENCH-9', CROWD.rare, CROWD.gone],
  kind: ['PAYIN', 'SETTLEMENT', 'TOPUP'],
  status: ['SUCCESS', 'REVERSED', 'CREATED'],
  currencyCode: ['EUR', 'KWD', 'BTC'],
  paymentMethodCode: ['BANK_TRANSFER', 'CASH_VOUCHER', 'NOWHERE'],
  amountFrom: ['100', '200000', '999999'],
  amountTo: ['100', '9.90', '0.01'],
} as const
type Narrowing = keyof typeof NARROWING
const NAMES = Object.keys(NARROWING).filter((name): name is Narrowing => name in NARROWING)

interface Filter {
  readonly filters: string
  readonly query: Readonly<Record<string, string>>
}

const SINGLE: readonly Filter[] = NAMES.flatMap((name) =>
  NARROWING[name].map((value) => ({ filters: name, query: { [name]: value } })),
)
const PAIRS: readonly Filter[] = NAMES.flatMap((one, index) =>
  NAMES.slice(index + 1).flatMap((other) =>
    NARROWING[one].flatMap((first) =>
      NARROWING[other].map((second) => ({
        filters: `${one} and ${other}`,
        query: { [one]: first, [other]: second },
      })),
    ),
  ),
)

const DAY_MS = 86_400_000
const SPAN_DAYS = 31
/** A page far behind the first begins after so much of the span. */
const DEEP = 0.8

/** A span of time, and the two pages that are asked of it. */
interface Span {
  readonly createdFrom: string
  readonly createdTo: string
  readonly deep: string
}

const textOf = (ms: number): string => new Date(ms).toISOString()

function spanUntil(toMs: number): Span {
  const fromMs = toMs - SPAN_DAYS * DAY_MS
  const deepMs = toMs - DEEP * (toMs - fromMs)
  return { createdFrom: textOf(fromMs), createdTo: textOf(toMs), deep: cursorOf(`${deepMs}000:1:PAYIN:0`) }
}

const cursorOf = (place: string): string => Buffer.from(place).toString('base64url')
/** What the console asks for when nobody chose a time. */
const DAYS_DEFAULT = 7

/** Everything that is asked of a filled database: by time and by each other lead, alone, with one filter, with a pair of filters. */
export async function listCases(sql: Sql): Promise<readonly Case[]> {
  const known = await findKnown(sql)
  const month = [spanUntil(known.lastMs), spanUntil(known.lastMs - 400 * DAY_MS)]
  const byTime = month.flatMap(({ createdFrom, createdTo, deep }) =>
    [{}, { cursor: deep }].flatMap((page) =>
      [{ filters: 'createdFrom', query: {} }, ...SINGLE, ...PAIRS].map((filter) => ({
        filters: filter.filters,
        query: { createdFrom, createdTo, ...page, ...filter.query },
      })),
    ),
  )
  const week = textOf(known.lastMs - DAYS_DEFAULT * DAY_MS)
  const home = [{}, ...SINGLE.map(({ query }) => query)].map((query) => ({
    filters: 'last 7 days',
    query: { createdFrom: week, ...query },
  }))
  const led = leadsOf(known).flatMap((lead) =>
    [{ filters: '', query: {} }, ...SINGLE].map(({ filters, query }) => ({
      filters: [lead.filters, filters].filter((each) => each !== '').join(' and '),
      query: { ...query, ...lead.query },
    })),
  )
  return [...home, ...byTime, ...led]
}

interface Known {
  readonly lastMs: number
  readonly idPayment: string
  readonly reference: string
  readonly printed: string
  readonly external: string
}

/** One in the middle, which has all kinds of references, and the last moment at which there is a payment. */
async function findKnown(sql: Sql): Promise<Known> {
  const [row = {}] = await sql(
    `select (select extract(epoch from max(created_at)) * 1000 from payments)::bigint + 1 as last_ms, id_payment, reference,
      instructions->>'reference' as printed, external_reference from payments
    where status = 'SUCCESS' and instructions ? 'reference' and created_at > (select max(created_at) - interval '99 days' from payments)
    order by created_at limit 1`,
  )
  const text = (name: string): string => String(row[name])
  return {
    lastMs: Number(row['last_ms']),
    idPayment: text('id_payment'),
    reference: text('reference'),
    printed: text('printed'),
    external: text('external_reference'),
  }
}

function leadsOf({ idPayment, reference, printed, external }: Known): readonly Filter[] {
  const customer = (merchantCode: string, idCustomer: string) => ({
    filters: 'idCustomer',
    query: { merchantCode, idCustomer },
  })
  return [
    ...[idPayment, 'NOWHERE'].map((value) => ({ filters: 'idPayment', query: { idPayment: value } })),
    ...[reference, printed, external, 'NOWHERE'].map((value) => ({
      filters: 'reference',
      query: { reference: value },
    })),
    // The first has thousands of payments, the last none.
    customer(CROWD.large, 'C-5'),
    customer('BENCH-9', 'C-0'),
    customer(CROWD.large, 'C-NONE'),
  ]
}
