import type { Answer, MerchantClockSchema } from '@tollgate/contract'
import type { MerchantClock } from './model.ts'

export const presentClock = (
  merchantCode: string,
  { advancedSeconds, now, advances }: MerchantClock,
): Answer<typeof MerchantClockSchema> => ({
  merchantCode,
  advancedSeconds,
  now: now.toISOString(),
  advances: advances.map((each) => ({ ...each, advancedAt: each.advancedAt.toISOString() })),
})
