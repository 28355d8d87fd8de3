import { setTimeout as sleep } from 'node:timers/promises'
import type { Mood } from '../setup/bank.ts'
import type { FaultKind } from './kind.ts'

const MOODS: readonly [Mood, ...Mood[]] = [
  { mood: 'NOTIFY_TWICE' },
  { mood: 'NOTIFY_WRONG_ORDER' },
  { mood: 'SLOW', delayMs: 1_500 },
  { mood: 'TIMEOUT_AFTER_EXECUTING', every: 10 },
]
const MOOD_MS = { from: 1_500, to: 4_000 } as const

/** The bank tells everything twice or in the wrong order, is slow, or executes and does not say so. */
export const badBank: FaultKind = {
  name: 'bad-bank',
  title: 'notifications twice and out of order, a slow bank, and no answer after a payout',
  async strike({ bank }, random) {
    await bank.setMood(random.pick(MOODS))
    await sleep(random.between(MOOD_MS.from, MOOD_MS.to))
    await bank.setMood({ mood: 'NORMAL' })
  },
}
