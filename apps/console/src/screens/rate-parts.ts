import type { Html } from '@tollgate/runtime/html'
import { pathOf } from '../operator-api.ts'
import { chip } from '../parts.ts'

// What the screens of rates share.

export const rateListHref = (code: string): string => pathOf`/rates/${code}`

/** Whether money moves by a list, and why not. */
export function rateState({
  isEnabled,
  isStale,
}: {
  readonly isEnabled: boolean
  /** Undefined where no sheet is in force. */
  readonly isStale?: boolean
}): Html {
  if (!isEnabled) return chip('mute', 'pause', 'Disabled')
  if (isStale === undefined) return chip('warn', 'alert', 'No sheet')
  return isStale ? chip('warn', 'clock', 'Stale') : chip('good', 'check', 'Fresh')
}
