import type { MethodInUse, RailDirections } from '../../modules/catalogue/index.ts'
import { type Finding, fail, ok } from './finding.ts'

const NAME = 'rails'
const SHOWN_MAX = 5

/** Whether each method that a merchant has can be paid by: set up by hand, one may name a rail that is not there. */
export function examineRails(inUse: readonly MethodInUse[], rails: RailDirections): Finding {
  const broken = inUse.filter(({ rail, direction }) => rails.get(rail)?.includes(direction) !== true)
  if (broken.length === 0) return ok(NAME, `${[...rails.keys()].join(', ')}; every method has a rail.`)
  const shown = broken
    .slice(0, SHOWN_MAX)
    .map(({ methodCode, direction, rail }) => `${methodCode} ${direction} (${rail})`)
  const more = broken.length > SHOWN_MAX ? `, and ${broken.length - SHOWN_MAX} more` : ''
  return fail(
    NAME,
    `Merchants have methods whose rail is missing or does not support the direction: ${shown.join(', ')}${more}.`,
    'Add the rail to TOLLGATE_OPEN_RAILS_FILE, or `tollgate merchants disable-method`.',
  )
}
