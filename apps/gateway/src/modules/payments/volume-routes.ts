import {
  type Answer,
  answers,
  VolumesQuery,
  VolumesRecountedSchema,
  VolumesRecountSchema,
  VolumesSchema,
} from '@tollgate/contract'
import { rawAmount, sumAmounts } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import type { Static } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { dayOf, momentOf } from '../../platform/moments.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { Entered, Step, Volume, VolumeReader } from './volumes/reading.ts'

const operation = operatorOperationsOf('Payments')

interface VolumeDeps {
  readonly volumes: VolumeReader
  /** Takes back what was counted since the beginning of the day; gives up to when it is counted. */
  readonly recount: (day: Date) => Promise<Date>
  readonly clock: Pick<Clock, 'nowMs'>
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

const HOUR_MS = 3_600_000
const STEPS: Readonly<Record<Step, { readonly ms: number; readonly daysMax: number }>> = {
  HOUR: { ms: HOUR_MS, daysMax: 31 },
  DAY: { ms: 24 * HOUR_MS, daysMax: 400 },
}
const YEAR_MS = 366 * STEPS.DAY.ms
/** Longer than there are payments. A worker counts a day at a time, also where there is nothing. */
const RECOUNT_YEARS_MAX = 20
/** More than a person reads, or a chart shows. */
const VOLUMES_MAX = 100_000

/** How much was paid, by hour and day: what the timeline says, added up behind it. */
export function volumeRoutes(app: App, deps: VolumeDeps): void {
  listRoute(app, deps)
  recountRoute(app, deps)
}

function recountRoute(app: App, { recount, clock }: VolumeDeps): void {
  app.post(
    '/operator/volumes/!recount',
    operation('recountVolumes', 'volumes.recount', {
      summary: 'Count volumes again from a day on, where `ledger check` finds a difference',
      description:
        'What was counted since is taken back at once, and a worker counts it again from the timelines of payments. Until then volumes are lower than they were; `countedUntil` says how far it is. A repeat begins anew.',
      body: VolumesRecountSchema,
      response: { 200: VolumesRecountedSchema },
    }),
    async ({ body: { fromDay } }) => {
      const day = dayOf('fromDay', fromDay)
      const ageMs = clock.nowMs() - day.getTime()
      if (ageMs < 0) throw invalidField('fromDay', 'is in the future; the latest day is today, in UTC')
      if (ageMs > RECOUNT_YEARS_MAX * YEAR_MS)
        throw invalidField('fromDay', `is more than ${RECOUNT_YEARS_MAX} years ago`)
      return { fromDay, countedUntil: (await recount(day)).toISOString() }
    },
  )
}

function listRoute(app: App, { volumes, merchantIdOf, merchantCodeOf }: VolumeDeps): void {
  app.get(
    '/operator/volumes',
    operation('listVolumes', 'payouts.read', {
      summary:
        'How many payments were created, succeeded and ended otherwise, by hour or day, with their money',
      description:
        'A payment counts at the time of each change of its status. Of all payments that ended, (succeeded) : (succeeded + failed + cancelled + expired − late) succeeded.',
      querystring: VolumesQuery,
      response: answers({ 200: VolumesSchema }, 410),
    }),
    async ({ query }) => {
      const { step, by, merchantCode, kind, currencyCode, paymentMethodCode } = query
      const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      // Before what it says is counted: what is counted meanwhile is more, never less.
      const countedUntil = await volumes.countedUntil()
      const found = await volumes.list({
        step,
        ...readSpan(query),
        by,
        merchantId,
        kind,
        currencyCode,
        methodCode: paymentMethodCode,
        limit: VOLUMES_MAX + 1,
      })
      if (found.length > VOLUMES_MAX)
        throw invalidField('to', 'covers too much: ask for a shorter time, or for one merchant or method')
      const codes = new Map<string, string>()
      for (const { merchantId: id } of found)
        if (id !== undefined && !codes.has(id)) codes.set(id, await merchantCodeOf(id))
      return { step, countedUntil: countedUntil.toISOString(), data: rowsOf(found, codes) }
    },
  )
}

function readSpan({ step, from, to }: Static<typeof VolumesQuery>): {
  readonly from: Date
  readonly to: Date
} {
  const { ms, daysMax } = STEPS[step]
  const span = { from: stepOf('from', from, ms), to: stepOf('to', to, ms) }
  const lengthMs = span.to.getTime() - span.from.getTime()
  if (lengthMs <= 0) throw invalidField('to', 'must be later than from')
  if (lengthMs > daysMax * STEPS.DAY.ms)
    throw invalidField('to', `is more than ${daysMax} days after from, the most with step=${step}`)
  return span
}

function stepOf(field: string, text: string, stepMs: number): Date {
  const moment = momentOf(field, text)
  if (moment.getTime() % stepMs !== 0)
    throw invalidField(
      field,
      'is not midnight in UTC, which step=DAY needs; for example 2026-11-21T00:00:00Z',
    )
  return moment
}

type Row = Answer<typeof VolumesSchema>['data'][number]

/** One row for all that came to something in the same step; they are in the order of their rows. */
function rowsOf(found: readonly Volume[], codes: ReadonlyMap<string, string>): Row[] {
  const groups = Map.groupBy(found, ({ beginsAt, kind, currencyCode, merchantId, methodCode }) =>
    [beginsAt.getTime(), kind, currencyCode, merchantId, methodCode].join(' '),
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [rowOf(first, group, codes)]
  })
}

function rowOf(
  { beginsAt, kind, currencyCode, merchantId, methodCode }: Volume,
  group: readonly Volume[],
  codes: ReadonlyMap<string, string>,
): Row {
  const of = (...entered: readonly Entered[]) =>
    totalOf(group.filter((volume) => entered.includes(volume.entered)))
  return {
    from: beginsAt.toISOString(),
    kind,
    currencyCode,
    ...(merchantId !== undefined && { merchantCode: codes.get(merchantId) ?? '' }),
    ...(methodCode !== undefined && { paymentMethodCode: methodCode }),
    created: of('CREATED'),
    succeeded: of('SUCCESS', 'LATE'),
    late: of('LATE'),
    failed: of('FAILED'),
    cancelled: of('CANCELLED'),
    expired: of('EXPIRED'),
    reversed: of('REVERSED'),
  }
}

const totalOf = (volumes: readonly Volume[]): Row['created'] => ({
  payments: volumes.reduce((sum, { payments }) => sum + payments, 0),
  amount: rawAmount(sumAmounts(volumes.map(({ amount }) => amount))),
})
