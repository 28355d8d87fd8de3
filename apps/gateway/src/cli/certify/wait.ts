import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/runtime'

const PAUSE_MS = 20

/** Asks until the answer is true, and says whether it was within the time. */
export async function isSoon(
  ask: () => boolean | Promise<boolean>,
  { timeoutMs, pauseMs = PAUSE_MS }: { readonly timeoutMs: number; readonly pauseMs?: number },
): Promise<boolean> {
  const endMs = systemClock.monotonicMs() + timeoutMs
  for (;;) {
    if (await ask()) return true
    if (systemClock.monotonicMs() > endMs) return false
    await sleep(pauseMs)
  }
}
