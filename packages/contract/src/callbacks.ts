import { Type } from 'typebox'
import { ID_PATTERN } from './common.ts'

/** Body of the status-change callback (specification section 6): nothing but the id. */
export const CallbackSchema = Type.Object(
  {
    idEntity: Type.String({
      pattern: ID_PATTERN,
      minLength: 1,
      maxLength: 250,
      description: 'The id you gave the payment.',
    }),
  },
  { title: 'StatusChangeCallback', examples: [{ idEntity: 'ORD-2026-041' }] },
)
