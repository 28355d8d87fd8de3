// `npm run simulate`: lives through days of payments in memory, and looks whether anything was lost, doubled or left undone.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { UsageError } from '../../../../../lab/rig/usage.ts'
import { startTestServer } from '../../../../../tools/test-server.ts'
import { commandOf, parseOptions, type SimulationOptions, USAGE } from './arguments.ts'
import type { Command } from './commands.ts'
import { DAYS_PER_LIFE, runLives } from './days.ts'
import { calm, HISTORIES } from './histories.ts'
import { assertSame, play } from './pair.ts'
import { openPostgres } from './postgres.ts'
import { playAgainstModel } from './rig.ts'

const EXIT_USAGE = 2
const EXIT_FAULT = 1
const SEEDS = 2 ** 31

const say = (text: string): void => void process.stdout.write(`${text}\n`)

async function run(options: SimulationOptions): Promise<void> {
  const seed = options.seed ?? randomInt(SEEDS)
  say(`seed ${seed}`)
  try {
    if (options.postgres) await comparePair(options.runs, seed)
    else {
      await playHistories(options.runs, seed)
      await live(options.days, seed)
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.stderr.write(`Again: ${commandOf(options, seed)}\n`)
    process.exitCode = EXIT_FAULT
  }
}

/** Throws with the seed, the path and the shortest history that fast-check found. */
async function check(
  runs: number,
  seed: number,
  judge: (commands: readonly Command[], seed: number) => Promise<void>,
): Promise<void> {
  if (runs === 0) return
  await fc.assert(fc.asyncProperty(HISTORIES, fc.nat(), judge), {
    numRuns: runs,
    seed,
    includeErrorInReport: true,
  })
}

async function playHistories(runs: number, seed: number): Promise<void> {
  await check(runs, seed, (commands, world) => playAgainstModel(commands, { seed: world }))
  if (runs > 0) say(`${runs} histories went as the model says`)
}

async function live(days: number, seed: number): Promise<void> {
  if (days === 0) return
  const { lives, breaches, ...lived } = await runLives(days, seed)
  if (breaches.length > 0)
    throw new Error(
      `Life ${lives} of seed ${seed}:\n${breaches.map(({ property, what }) => `${property}: ${what}`).join('\n')}`,
    )
  say(
    `${lived.days} simulated days (${lives} gateways of ${DAYS_PER_LIFE}): ${lived.payments} payments, ${lived.faults} faults, ` +
      `${lived.crashes} ends of processes; nothing was lost, doubled or left undone`,
  )
}

/** Has a PostgreSQL of its own, as tests have. */
async function comparePair(runs: number, seed: number): Promise<void> {
  const server = await startTestServer()
  const afterwards: (() => unknown)[] = []
  try {
    Object.assign(process.env, { TOLLGATE_TEST_SERVER_URL: server.url })
    const postgres = await openPostgres({ after: (work) => void afterwards.push(work) })
    await check(runs, seed, async (drawn, world) => {
      const commands = calm(drawn)
      const memory = await play(commands, { seed: world })
      assertSame(memory, await play(commands, { seed: world, engine: await postgres.open() }))
    })
    say(`PostgreSQL and the memory gave the same answers in ${runs} histories`)
  } finally {
    for (const work of afterwards.toReversed()) await work()
    await server.stop()
  }
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === undefined) process.stdout.write(USAGE)
  else await run(options)
} catch (error) {
  process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : `${String(error)}\n`)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAULT
}
