import { Type } from 'typebox'
import { oneOf, TimestampSchema } from './common.ts'

// The operator API: the keys that sign tokens.

const kid = Type.String({ description: 'As in the header of tokens.', examples: ['tg_4Q7XWB2K9MDA'] })
const SignsFrom = Type.String({ ...TimestampSchema, description: 'From then on it signs new tokens.' })

export const SigningKeyListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          kid,
          status: oneOf(['WAITING', 'ACTIVE', 'VERIFY_ONLY', 'RETIRED'], {
            description:
              'WAITING: it is published and will sign. ACTIVE: it signs. VERIFY_ONLY: tokens that it signed are valid until they expire. RETIRED: they have expired.',
          }),
          createdAt: TimestampSchema,
          signsFrom: SignsFrom,
          replacedAt: Type.Optional(
            Type.String({
              ...TimestampSchema,
              description: 'When another key signs instead; it may be a moment to come.',
            }),
          ),
        },
        { title: 'SigningKey' },
      ),
      { description: 'All that there ever were, the newest first.' },
    ),
  },
  {
    title: 'SigningKeyList',
    examples: [
      {
        data: [
          {
            kid: 'tg_4Q7XWB2K9MDA',
            status: 'WAITING',
            createdAt: '2026-11-21T11:02:40.120Z',
            signsFrom: '2026-11-21T11:05:40.120Z',
          },
          {
            kid: 'tg_9XK2MWQ74BDA',
            status: 'ACTIVE',
            createdAt: '2026-08-20T08:15:00.000Z',
            signsFrom: '2026-08-20T08:18:00.000Z',
            replacedAt: '2026-11-21T11:05:40.120Z',
          },
        ],
      },
    ],
  },
)

export const SigningKeyRotateSchema = Type.Object(
  {
    signsNow: Type.Optional(
      Type.Boolean({
        description:
          'For a key that leaked: the new one signs at once. Who keeps the published keys may refuse new tokens for a minute.',
      }),
    ),
  },
  { title: 'SigningKeyRotate', examples: [{}] },
)

export const SigningKeyRotatedSchema = Type.Object(
  { kid, signsFrom: SignsFrom },
  {
    title: 'SigningKeyRotated',
    examples: [{ kid: 'tg_4Q7XWB2K9MDA', signsFrom: '2026-11-21T11:05:40.120Z' }],
  },
)
