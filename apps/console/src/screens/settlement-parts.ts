import { pathOf } from '../operator-api.ts'

// Where settlements are.

export const SETTLEMENTS_PATH = '/settlements'
export const settlementsHref = (merchantCode: string): string => pathOf`/settlements/${merchantCode}`
export const settlementHref = (merchantCode: string, idSettlement: string): string =>
  pathOf`/settlements/${merchantCode}/${idSettlement}`
