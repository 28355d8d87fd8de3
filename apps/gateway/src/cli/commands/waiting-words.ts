import type { Printed, WaitingSchema } from '@tollgate/contract'
import type { Pen } from '../client-command.ts'

/** What a command says of something that waits for a second operator now. */
export const waitingText = ({ waiting }: Printed<typeof WaitingSchema>, pen: Pen): string =>
  `Waits for a second operator as confirmation ${waiting.confirmationId}; nothing has followed.\nDigest ${waiting.digest}, until ${pen.momentOf(waiting.expireAt)}.`
