import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../check/facts.ts'
import { nowMs } from '../driver/history.ts'
import type { Stage } from '../setup/stage.ts'

const POLL_MS = 20

/** Payments that were accepted of those that were sent since then. */
export function acceptedSince({ history }: Pick<Stage, 'history'>, sinceMs: number): readonly Call[] {
  return history.calls.filter(({ httpStatus, invokedAtMs }) => httpStatus === 201 && invokedAtMs >= sinceMs)
}

/** Breaks the run where there is one. */
export function mustBeNone({ notes }: Pick<Stage, 'notes'>, [call]: readonly Call[], says: string): void {
  if (call !== undefined) notes.broken({ invariant: 'failover', says, name: call.name })
}

/** Waits for the first payment that is accepted of those that are sent from then on. Breaks the run where none is in time. */
export async function mustAccept(
  stage: Pick<Stage, 'history' | 'notes'>,
  sinceMs: number,
  { what, withinMs }: { readonly what: string; readonly withinMs: number },
): Promise<void> {
  while (acceptedSince(stage, sinceMs).length === 0) {
    if (nowMs() - sinceMs > withinMs) {
      const says = `no payment was accepted within ${withinMs / 1000} s after ${what}`
      stage.notes.broken({ invariant: 'failover', says })
      return
    }
    await sleep(POLL_MS)
  }
}
