import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JOURNAL, replayBalances, verifyJournal } from '../../modules/journal/index.ts'
import { openRig, type Rig } from '../../modules/payments/test/rig.ts'
import { createChainer } from '../../platform/chain/index.ts'
import { calls, type Intent, pauses, resolve } from './arbitraries.ts'
import { apply, type Books, EMPTY_BOOKS } from './books.ts'
import { type Command, printCommand } from './commands.ts'
import {
  findingsIn,
  type Installation,
  MERCHANTS_PER_RUN,
  openInstallation,
  printState,
} from './installation.ts'

const RUNS = 300
const STEPS_MAX = 12
const CALLERS_MAX = 6
const ROUNDS_MAX = 1_000

/** What one caller did, one after the other, and what it was answered. */
type Story = readonly { readonly command: Command; readonly outcomes: readonly string[] }[]

/** Callers who act at the same time, or one who acts while nobody else does. */
const step: fc.Arbitrary<readonly Intent[]> = fc.oneof(
  { weight: 9, arbitrary: fc.array(calls(1), { minLength: 1, maxLength: CALLERS_MAX, size: 'max' }) },
  { weight: 1, arbitrary: pauses.map((intent) => [intent]) },
)

test('callers at two processes at once: there is an order in which the model gives every answer and the same state', async (t) => {
  const rig = await openRig(t)
  const services = [rig.service, rig.openService()] as const
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: STEPS_MAX, size: 'max' }), async (steps) => {
      runs += 1
      const installation = openInstallation(rig, services, runs * MERCHANTS_PER_RUN)
      let books = EMPTY_BOOKS
      const told: string[] = []
      for (const intents of steps) {
        const stories = await Promise.all(
          intents.map((intent, index) => act(installation, resolve(intent, books), index)),
        )
        told.push(stories.map(printStory).join('\n  '))
        const state = await installation.readState()
        const explained = explain(books, stories, state)
        assert(
          explained,
          `no order explains the last step:\n${told.join('\nthen\n  ')}\nwhich led to\n${state}`,
        )
        books = explained
      }
    }),
    { numRuns: RUNS },
  )
  assert.deepEqual(await findingsIn(rig.db), [])
  await assertJournalReplays(rig)
})

async function act(installation: Installation, commands: readonly Command[], caller: number): Promise<Story> {
  const story: Story[number][] = []
  for (const command of commands) {
    const outcomes = await (caller % 2 === 0
      ? installation.perform(command)
      : installation.performElsewhere(command))
    story.push({ command, outcomes })
  }
  return story
}

const printStory = (story: Story): string =>
  story.map(({ command, outcomes }) => `${printCommand(command)}: ${outcomes.join()}`).join(', then ')

/**
 * The books after some order of what the callers did, each in its own order, in which the model answers what they were
 * answered and ends in the state that was read; undefined when there is no such order.
 */
function explain(books: Books, stories: readonly Story[], state: string): Books | undefined {
  const open = stories.filter((story) => story.length > 0)
  if (open.length === 0) return printState(books) === state ? books : undefined
  for (const story of open) {
    const [first, ...rest] = story
    if (first === undefined) continue
    const applied = apply(books, first.command)
    if (applied.outcomes.join() !== first.outcomes.join()) continue
    const others = open.map((each) => (each === story ? rest : each))
    const explained = explain(applied.books, others, state)
    if (explained !== undefined) return explained
  }
  return undefined
}

/** The journal, chained after the fact and replayed from its first entry, gives every balance there is. */
async function assertJournalReplays(rig: Rig): Promise<void> {
  const chainer = createChainer(rig.db, JOURNAL)
  for (let round = 1; (await chainer.chain()).isFull; round += 1) assert(round < ROUNDS_MAX)
  const replayed = (await replayBalances(rig.db)).map(
    ({ merchantId, currencyCode, available, notSettled, reserved, receivable }) =>
      `${merchantId} ${currencyCode} ${available} ${notSettled} ${reserved} ${receivable}`,
  )
  const rows =
    await rig.sql(`select concat_ws(' ', merchant_id, currency_code, trim_scale(available), trim_scale(not_settled),
    trim_scale(reserved), trim_scale(receivable)) as line from balances order by merchant_id, currency_code collate "C"`)
  const isAnything = (line: unknown): boolean => !String(line).endsWith(' 0 0 0 0')
  const stored = rows.map(({ line }) => line).filter(isAnything)
  assert(stored.length > RUNS)
  assert.deepEqual(replayed.filter(isAnything), stored)
  assert.deepEqual((await verifyJournal(rig.db)).findings, [])
}
