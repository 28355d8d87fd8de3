import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { DatabaseUnavailable } from '../../platform/database.ts'
import { heldClock } from '../../platform/test/held-clock.ts'
import { untilDatabaseAnswers } from '../database-wait.ts'

const away = (code?: string): Error =>
  new DatabaseUnavailable('away', {
    cause: Object.assign(new Error('no'), code === undefined ? {} : { code }),
  })

/** Waits for a database that gives these answers one after the other, and the last one from then on. */
async function waitFor(...answers: readonly (Error | 'HERE')[]) {
  const clock = heldClock()
  let asked = 0
  const lines: string[] = []
  const outcome = await untilDatabaseAnswers({
    db: {
      rows: async () => {
        const answer = answers[Math.min(asked, answers.length - 1)]
        asked += 1
        if (answer instanceof Error) throw answer
        return []
      },
    },
    url: 'postgres://me:p%40ss@db.internal:6432/tollgate',
    log: createLog({ level: 'info', destination: { write: (line) => lines.push(line) } }),
    clock,
    pause: async (ms) => {
      clock.advance(ms)
    },
  }).catch((error: unknown) => error)
  return { outcome, asked, waitedMs: clock.monotonicMs(), lines }
}

test('a start waits for a database that is not there yet', async () => {
  const { outcome, asked } = await waitFor(away('ECONNREFUSED'), away('57P03'), away('25006'), away(), 'HERE')
  assert.deepEqual([outcome, asked], [undefined, 5])
  assert.deepEqual(await waitFor('HERE'), { outcome: undefined, asked: 1, waitedMs: 0, lines: [] })
})

test('it gives up after half a minute, and says every few seconds where it waits, and no password', async () => {
  const refused = away('ECONNREFUSED')
  const { outcome, waitedMs, lines } = await waitFor(refused)
  assert.deepEqual([outcome, waitedMs, lines.length], [refused, 30_000, 6])
  assert.match(lines.join(''), /"host":"db\.internal","port":6432,"reason":"Nothing listens at/)
  assert.doesNotMatch(lines.join(''), /p(@|%40)ss/)
})

test('it does not wait for what time does not mend', async () => {
  for (const error of [away('28P01'), away('3D000'), new Error('a bug')]) {
    assert.deepEqual(await waitFor(error), { outcome: error, asked: 1, waitedMs: 0, lines: [] })
  }
})
