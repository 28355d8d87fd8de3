import { createHealthService, type Institution, type InstitutionHealth } from '../../modules/health/index.ts'
import { inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

interface Wish {
  readonly type: 'operator' | 'rail'
  readonly code: string
  readonly direction: 'payin' | 'payout'
}

interface SetWish extends Wish {
  readonly availability: 'operational' | 'delayed' | 'closed'
  readonly reason: string
  readonly minutes: number | undefined
}

const TYPES = { operator: 'OPERATOR', rail: 'RAIL' } as const
const DIRECTIONS = { payin: 'PAYIN', payout: 'PAYOUT' } as const
const AVAILABILITIES = { operational: 'OPERATIONAL', delayed: 'DELAYED', closed: 'CLOSED' } as const
const SECONDS_IN_MINUTE = 60

/** `tollgate rails health list`. */
export function list(shell: Shell): Promise<Report> {
  return inHouse(shell, async (house) => {
    const found = await createHealthService(house).list()
    return { json: found.map(present), text: healthTable(found) }
  })
}

/** `tollgate rails health set`. */
export function set(shell: Shell, wish: SetWish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'institutions.change',
    work: async (house, operator) => {
      const institution = institutionOf(wish)
      const availability = AVAILABILITIES[wish.availability]
      const service = createHealthService(house)
      await service.set(institution, {
        availability,
        forSeconds: wish.minutes === undefined ? undefined : wish.minutes * SECONDS_IN_MINUTE,
        reason: wish.reason,
        operatorCode: operator.code,
      })
      const until = wish.minutes === undefined ? 'until it is cleared' : `for ${wish.minutes} min`
      return {
        json: { ...institution, availability, reason: wish.reason, minutes: wish.minutes ?? null },
        text: `${institution.code} is ${availability} for ${institution.direction}s, ${until}.`,
      }
    },
  })
}

/** `tollgate rails health clear`. */
export function clear(shell: Shell, wish: Wish, options: OperatorOptions): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'institutions.change',
    work: async (house) => {
      const institution = institutionOf(wish)
      await createHealthService(house).clear(institution)
      return { json: institution, text: `The workers see for themselves how ${institution.code} is.` }
    },
  })
}

const institutionOf = ({ type, code, direction }: Wish): Institution => ({
  type: TYPES[type],
  code,
  direction: DIRECTIONS[direction],
})

function present({ institution, observed, observedSince, results, byHand }: InstitutionHealth) {
  return {
    ...institution,
    availability: byHand?.availability ?? observed,
    observed,
    observedSince,
    ...results,
    byHand: byHand === undefined ? null : { ...byHand, until: byHand.until ?? null },
  }
}

function healthTable(found: readonly InstitutionHealth[]): string {
  return table(
    ['INSTITUTION', 'DIRECTION', 'IS', 'SEEN AS', 'SINCE', 'ANSWERED', 'SAID BY', 'UNTIL', 'REASON'],
    found.map(({ institution, observed, observedSince, results, byHand }) => [
      `${institution.type.toLowerCase()} ${institution.code}`,
      institution.direction,
      byHand?.availability ?? observed,
      observed,
      moment(observedSince),
      `${results.answered}/${results.answered + results.unanswered}`,
      byHand?.operatorCode ?? '',
      byHand?.until === undefined ? '' : moment(byHand.until),
      byHand?.reason ?? '',
    ]),
    'Every institution is well.',
  )
}
