import { Type } from 'typebox'
import { ATTENTION_KINDS } from './attention-words.ts'
import { MoneySchema, oneOf, TimestampSchema } from './common.ts'

// The operator API: what waits for people, in short.

const EXAMPLE = {
  kind: 'PAYOUTS_AWAITING_APPROVAL',
  count: 2,
  oldestAt: '2026-11-27T18:04:11.093Z',
  sums: [{ amount: 1250.5, currencyCode: 'EUR' }],
  about: [],
  aboutCount: 0,
}

/** Answer of GET /operator/attention. */
export const AttentionSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          kind: oneOf(ATTENTION_KINDS, {
            description:
              'RESTORE_GAP: no money leaves until it is closed. CALLBACKS_EXHAUSTED: out of attempts. PAYOUT_FILES_UNCLEAR: nobody can tell whether the bank has them. BANK_CHANNELS: their latest look failed. CHAINS: the same, or they do not have any more what was booked. CONFIRMATIONS: proposals that need a second operator. REVIEWS: payments with unknown outcome. SUSPENSE: lines of statements that are nobody’s yet. FAILED_DOCUMENTS: files that could not be taken. INSTITUTIONS: not operational.',
          }),
          count: Type.Integer({
            description:
              'At most 1000 are counted, those that wait for the longest time; 1000: so many or more.',
          }),
          oldestAt: Type.Optional(
            Type.String({ ...TimestampSchema, description: 'Since when the oldest of them waits.' }),
          ),
          sums: Type.Array(MoneySchema, { description: 'Of those counted, by currency.' }),
          about: Type.Array(Type.String(), {
            description:
              'At most three: what most of them are about. Of callbacks the receivers, of files their names and what is wrong, of channels and institutions their names and states, of a restore gap what has to be done.',
          }),
          aboutCount: Type.Integer({ description: 'How many such there are.' }),
        },
        { title: 'AttentionItem' },
      ),
      { description: 'The most urgent first; what does not wait is left out.' },
    ),
  },
  { title: 'Attention', examples: [{ data: [EXAMPLE] }] },
)
