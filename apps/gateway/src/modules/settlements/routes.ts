import {
  answers,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
  SettlementListSchema,
  SettlementParams,
  SettlementRequestSchema,
  SettlementSchema,
  SettlementsQuery,
  SettlementTransactionsSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { CURRENCY_CODE, selectedValues } from '../../http/multi-value.ts'
import { operationsOf } from '../../http/operation.ts'
import { sendRows } from '../../http/row-files.ts'
import { dayOf } from '../../platform/moments.ts'
import { invalidField } from '../../platform/refusal.ts'
import { cursorAfter, readCursor, type SettlementKey } from './model.ts'
import { itemFile, presentItem, presentSettlement } from './present.ts'
import { DAY_MS } from './schedule.ts'
import type { SettlementService } from './service.ts'

const operation = operationsOf('Settlements')

interface RouteDeps {
  readonly settlements: SettlementService
  readonly isLive: boolean
}

/** What became available, and paying it out. */
export function settlementRoutes(app: App, deps: RouteDeps): void {
  listRoute(app, deps)
  recordRoutes(app, deps)
  transactionsRoute(app, deps)
}

function listRoute(app: App, { settlements, isLive }: RouteDeps): void {
  app.get(
    '/settlements',
    operation('listSettlements', {
      summary: 'List settlements, the newest first',
      querystring: SettlementsQuery,
      response: { 200: SettlementListSchema },
    }),
    async (request) => {
      const { dateFrom, dateTo, currencyCodes, statuses, cursor, limit } = request.query
      const from = dayOf('dateFrom', dateFrom)
      const to = dayOf('dateTo', dateTo)
      if (from !== undefined && to !== undefined && from > to)
        throw invalidField('dateFrom', 'lies after dateTo')
      const page = await settlements.list({
        merchantId: callerOf(request).merchantId,
        from,
        before: to && new Date(to.getTime() + DAY_MS),
        currencyCodes: selectedValues([currencyCodes], CURRENCY_CODE),
        statuses: selectedValues([statuses], STATUS),
        after: readAfter(cursor, ID_SETTLEMENT),
        limit: limitOf(limit),
      })
      const last = page.items.at(-1)
      return {
        data: page.items.map((settlement) => presentSettlement(settlement, isLive)),
        ...(page.hasMore && last !== undefined && { nextCursor: cursorAfter(last.idSettlement) }),
      }
    },
  )
}

function recordRoutes(app: App, { settlements, isLive }: RouteDeps): void {
  app.get(
    '/settlements/:idSettlement',
    operation('readSettlement', {
      summary: 'Read a settlement',
      params: SettlementParams,
      response: answers({ 200: SettlementSchema }, 410),
    }),
    async (request) =>
      presentSettlement(await settlements.read(keyOf(request, request.params.idSettlement)), isLive),
  )
  app.post(
    '/settlements/:idSettlement',
    operation('requestSettlement', {
      summary: 'Ask for available money to be paid out to your registered account',
      description:
        'The money is held at once, spent when the institution has paid, and available again when it could not. There is no callback: read the settlement.',
      params: SettlementParams,
      body: SettlementRequestSchema,
      response: answers({ 201: SettlementSchema }, 406, 409),
    }),
    async (request, reply) => {
      const { idSettlement } = request.params
      const requested = await settlements.request(callerOf(request), idSettlement, request.body)
      return reply.code(201).send(presentSettlement(requested, isLive))
    },
  )
}

function transactionsRoute(app: App, { settlements }: RouteDeps): void {
  app.get(
    '/settlements/:idSettlement/transactions',
    operation('listSettlementTransactions', {
      summary: 'What a settlement of a cycle consists of, as JSON or CSV',
      description: 'A requested settlement has no transactions: it is a payment itself.',
      params: SettlementParams,
      querystring: PageQuery,
      response: answers({ 200: SettlementTransactionsSchema }, 410),
    }),
    async (request, reply) => {
      const key = keyOf(request, request.params.idSettlement)
      const after = readAfter(request.query.cursor, ID_TRANSFER)
      void reply.header('vary', 'accept')
      if (prefersCsv(request.headers.accept)) {
        const { settlement, pages } = await settlements.streamItems(key)
        const file = itemFile(settlement.currencyCode)
        return sendRows(reply, { name: key.idSettlement, format: 'csv', file, pages })
      }
      const { currencyCode } = await settlements.read(key)
      const page = await settlements.listItems(key, { after, limit: limitOf(request.query.limit) })
      const last = page.items.at(-1)
      return {
        data: page.items.map((item) => presentItem(item, currencyCode)),
        ...(page.hasMore && last !== undefined && { nextCursor: cursorAfter(last.transferId) }),
      }
    },
  )
}

const keyOf = (request: Parameters<typeof callerOf>[0], idSettlement: string): SettlementKey => ({
  merchantId: callerOf(request).merchantId,
  idSettlement,
})

const limitOf = (limit: string | undefined): number =>
  limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit)

// An unknown status is no settlement's.
const STATUS = /^[A-Z_]{1,32}$/
const ID_SETTLEMENT = /^[A-Za-z0-9_-]{1,250}$/
const ID_TRANSFER = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function readAfter(cursor: string | undefined, pattern: RegExp): string | undefined {
  if (cursor === undefined) return undefined
  const after = readCursor(cursor, pattern)
  if (after === undefined) throw invalidField('cursor', 'is not a nextCursor of this list')
  return after
}

interface MediaRange {
  readonly type: string
  readonly quality: number
}

/**
 * Whether who sent this `Accept` (RFC 9110, 12.5.1) would rather have CSV than JSON. JSON is the default: where both are
 * liked equally, or neither is.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map(readRange)
  return qualityOf(ranges, 'text', 'csv') > qualityOf(ranges, 'application', 'json')
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
  return { type, quality: quality === undefined ? 1 : readQuality(quality) }
}

function readQuality(text: string): number {
  return /^(?:0(?:[.]\d{0,3})?|1(?:[.]0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** What the most specific range says that covers the media type; 0 when none does. */
function qualityOf(ranges: readonly MediaRange[], type: string, subtype: string): number {
  for (const wanted of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const range = ranges.find((each) => each.type === wanted)
    if (range !== undefined) return range.quality
  }
  return 0
}
