import {
  type CallbackEvent,
  type CallbackState,
  createCallbackService,
} from '../../modules/callbacks/index.ts'
import { createMerchantService, type Merchant } from '../../modules/merchants/index.ts'
import { randomIds } from '../../platform/ids.ts'
import { CommandFailure } from '../failure.ts'
import { inHouse } from '../house.ts'
import { orRemoved } from '../removed.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, table } from '../text.ts'

interface Filter {
  readonly merchant?: string
  readonly state?: CallbackState
  readonly id?: string
  readonly limit: number
}

/** `tollgate callbacks list`. */
export function list(shell: Shell, filter: Filter): Promise<Report> {
  return inHouse(shell, async (house) => {
    const merchants = createMerchantService({ ...house, ids: randomIds })
    const known: readonly Merchant[] =
      filter.merchant === undefined
        ? await merchants.list()
        : [(await merchants.show(filter.merchant)).merchant]
    const events = await createCallbackService(house).listCallbacks({
      merchantId: filter.merchant === undefined ? undefined : known[0]?.merchantId,
      state: filter.state,
      idEntity: filter.id,
      limit: filter.limit,
    })
    const codes = new Map(known.map(({ merchantId, merchantCode }) => [merchantId, merchantCode]))
    const codeOf = ({ merchantId }: CallbackEvent): string => codes.get(merchantId) ?? ''
    return {
      json: events.map(({ merchantId: _inner, ...event }, index) => ({
        ...event,
        merchantCode: codes.get(events[index]?.merchantId ?? '') ?? null,
      })),
      text: table(
        ['EVENT', 'MERCHANT', 'PAYMENT', 'STATE', 'ATTEMPTS', 'LAST', 'NEXT', 'URL'],
        events.map((event) => [
          event.eventId,
          codeOf(event),
          `${event.kind} ${event.idEntity}`,
          event.state,
          `${event.attemptsStarted}/${event.attemptsMax}`,
          lastOf(event),
          nextOf(event),
          event.url,
        ]),
        await orRemoved(house, 'DELIVERIES', { sentence: 'No callback matches.' }),
      ),
    }
  })
}

function lastOf({ attempts }: CallbackEvent): string {
  const last = attempts.at(-1)
  if (last === undefined) return ''
  return last.httpStatus === undefined ? (last.outcome ?? 'under way') : `${last.httpStatus}`
}

function nextOf({ isUnderWay, nextAttemptAt }: CallbackEvent): string {
  if (isUnderWay) return 'now'
  return nextAttemptAt === undefined ? '' : moment(nextAttemptAt)
}

/** `tollgate callbacks resend`. */
export function resend(shell: Shell, eventId: string): Promise<Report> {
  return inHouse(shell, async (house) => {
    const verdict = await createCallbackService(house).resendCallback(eventId)
    switch (verdict) {
      case 'RESENT':
        return { json: { eventId, resent: true }, text: `The callback ${eventId} is sent again.` }
      case 'UNDER_WAY':
        throw new CommandFailure(
          'CONFLICT',
          'An attempt is being made at this moment. Look at how it ends first.',
        )
      case 'NOT_FOUND':
        throw new CommandFailure(
          'NOT_FOUND',
          await orRemoved(house, 'DELIVERIES', {
            sentence: `There is no callback ${eventId}. \`tollgate callbacks list\` shows them.`,
          }),
        )
    }
  })
}
