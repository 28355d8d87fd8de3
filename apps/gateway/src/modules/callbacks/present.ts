import type { AnswerItem, OperatorCallbackListSchema } from '@tollgate/contract'
import type { CallbackEvent } from './model.ts'

/** A callback with its attempts. */
export function presentCallback(
  event: CallbackEvent,
  merchantCode: string,
): AnswerItem<typeof OperatorCallbackListSchema> {
  const { merchantId: _, idEntity: idPayment, nextAttemptAt, createdAt, doneAt, attempts, ...rest } = event
  return {
    ...rest,
    merchantCode,
    idPayment,
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    ...(doneAt !== undefined && { doneAt: doneAt.toISOString() }),
    attempts: attempts.map(({ startedAt, finishedAt, ...attempt }) => ({
      ...attempt,
      startedAt: startedAt.toISOString(),
      ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
    })),
  }
}
