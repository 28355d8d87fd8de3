import type { SettlementRequest } from '@tollgate/contract'
import type { Caller } from '../../http/app-type.ts'
import { resolveUnknown } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Settlement, SettlementItem, SettlementKey } from './model.ts'
import { type RequestDeps, requestSettlement } from './request.ts'
import { findSettlement, listItems, listSettlements, type SettlementFilter } from './store.ts'

/** A part of a list. */
interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasMore: boolean
}

/** Where a page begins, and how long it is. */
interface Place {
  readonly after: string | undefined
  readonly limit: number
}

/** What merchants ask about their settlements. Refusals are thrown. */
export interface SettlementService {
  /** The newest first. */
  list(filter: SettlementFilter): Promise<Page<Settlement>>
  /** Throws ENTITY_NOT_FOUND. */
  read(key: SettlementKey): Promise<Settlement>
  /** What it consists of; nothing for a requested one. Throws ENTITY_NOT_FOUND. */
  listItems(key: SettlementKey, place: Place): Promise<Page<SettlementItem>>
  /** All of it, page by page: memory holds one. Throws ENTITY_NOT_FOUND before the first page. */
  streamItems(key: SettlementKey): Promise<ItemStream>
  /**
   * Holds available money and pays it out to the merchant's registered account. Throws 400 for what is no money,
   * MONEY_NOT_PERMITTED, ENTITY_DUPLICATED, and then the reasons of a 406.
   */
  request(caller: Caller, idSettlement: string, body: SettlementRequest): Promise<Settlement>
}

interface ItemStream {
  readonly settlement: Settlement
  readonly pages: AsyncIterable<readonly SettlementItem[]>
}

const STREAM_PAGE = 1_000

export function createSettlementService(deps: RequestDeps): SettlementService {
  const { db } = deps
  const patient = <Result>(work: () => Promise<Result>): Promise<Result> => resolveUnknown(deps.clock, work)
  const read = async (key: SettlementKey): Promise<Settlement> => {
    const found = await patient(() => findSettlement(db, key))
    if (found === undefined)
      throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no settlement ${key.idSettlement}.` })
    return found
  }
  const pageOf = (key: SettlementKey, { after, limit }: Place): Promise<Page<SettlementItem>> =>
    patient(async () => cut(await listItems(db, { ...key, after, limit: limit + 1 }), limit))
  return {
    list: ({ limit, ...filter }) =>
      patient(async () => cut(await listSettlements(db, { ...filter, limit: limit + 1 }), limit)),
    read,
    async listItems(key, place) {
      const page = await pageOf(key, place)
      if (page.items.length === 0) await read(key)
      return page
    },
    async streamItems(key) {
      const settlement = await read(key)
      // Read before anything is sent, so that a database that is away is still told by a status.
      const first = await pageOf(key, { after: undefined, limit: STREAM_PAGE })
      return { settlement, pages: pagesFrom(first, (after) => pageOf(key, { after, limit: STREAM_PAGE })) }
    },
    request: (caller, idSettlement, body) => requestSettlement(deps, caller, { idSettlement, body }),
  }
}

const cut = <Item>(found: readonly Item[], limit: number): Page<Item> => ({
  items: found.slice(0, limit),
  hasMore: found.length > limit,
})

async function* pagesFrom(
  first: Page<SettlementItem>,
  next: (after: string) => Promise<Page<SettlementItem>>,
): AsyncIterable<readonly SettlementItem[]> {
  let page = first
  yield page.items
  while (page.hasMore) {
    const last = page.items.at(-1)
    if (last === undefined) return
    page = await next(last.transferId)
    yield page.items
  }
}
