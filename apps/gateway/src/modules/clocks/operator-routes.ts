import { answers, ClockAdvanceSchema, ClockParams, MerchantClockSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { presentClock } from './present.ts'
import type { ClockService } from './service.ts'

const operation = operatorOperationsOf('Clocks')

interface ClockOperatorDeps {
  readonly clocks: ClockService
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
}

/** The clocks of merchants, for operators of the sandbox. Live has none of these routes. */
export function clockOperatorRoutes(app: App, { clocks, merchantIdOf }: ClockOperatorDeps): void {
  app.get(
    '/operator/clocks/:merchantCode',
    operation('readClock', 'merchants.read', {
      summary: 'How much a merchant’s clock was advanced, by whom and when. In the sandbox only',
      params: ClockParams,
      response: answers({ 200: MerchantClockSchema }, 410),
    }),
    async ({ params: { merchantCode } }) =>
      presentClock(merchantCode, await clocks.read(await merchantIdOf(merchantCode))),
  )
  app.post(
    '/operator/clocks/:merchantCode/!advance',
    operation('advanceClock', 'payments.trigger', {
      summary: 'Let time pass for one merchant. In the sandbox only: live has no such operation',
      description:
        'What the merchant waits for happens as if that time had passed: payments expire, callbacks are repeated, institutions are asked again, settlements are made, and what was kept for long enough is removed. Nothing of other merchants moves. Bookings and the timelines of payments keep their times. A clock is never set back.',
      params: ClockParams,
      body: ClockAdvanceSchema,
      response: answers({ 200: MerchantClockSchema }, 406, 410),
    }),
    async (request) => {
      const { merchantCode } = request.params
      const merchantId = await merchantIdOf(merchantCode)
      const { seconds } = request.body
      const operatorCode = operatorOf(request).code
      return presentClock(merchantCode, await clocks.advance({ merchantId, seconds, operatorCode }))
    },
  )
}
