import { Type } from 'typebox'
import { TimestampSchema } from './common.ts'
import { MerchantCode } from './operator-parts.ts'

// The operator API of the sandbox: merchants' clocks.

export const ClockParams = Type.Object({ merchantCode: MerchantCode })

const SECONDS_PER_DAY = 86_400
const ADVANCE_DAYS_MAX = 400

/** Body of POST /operator/clocks/{merchantCode}/!advance. */
export const ClockAdvanceSchema = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      maximum: ADVANCE_DAYS_MAX * SECONDS_PER_DAY,
      description: `How much time passes; at most ${ADVANCE_DAYS_MAX} days at once.`,
      examples: [3 * SECONDS_PER_DAY],
    }),
  },
  { title: 'ClockAdvance', examples: [{ seconds: 3 * SECONDS_PER_DAY }] },
)

/** Answer of both operations. */
export const MerchantClockSchema = Type.Object(
  {
    merchantCode: Type.String(),
    advancedSeconds: Type.Integer({ description: 'The sum of all advances.' }),
    now: TimestampSchema,
    advances: Type.Array(
      Type.Object({ seconds: Type.Integer(), advancedBy: Type.String(), advancedAt: TimestampSchema }),
      { description: 'The latest first, at most 20.' },
    ),
  },
  {
    title: 'MerchantClock',
    examples: [
      {
        merchantCode: 'DEMO',
        advancedSeconds: 259_200,
        now: '2026-11-24T10:15:28.001Z',
        advances: [{ seconds: 259_200, advancedBy: 'grace', advancedAt: '2026-11-21T10:15:28.001Z' }],
      },
    ],
  },
)
