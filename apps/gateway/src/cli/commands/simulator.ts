import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { oneOf, wholeNumber } from '../values.ts'

const LISTED_MAX = 1000
const LISTED_DEFAULT = 50
const EVERY_MAX = 1_000_000
const DELAY_MS_MAX = 86_400_000

/** What each of them does is in the simulator's README. */
const MOODS = [
  'NORMAL',
  'SLOW',
  'DOWN',
  'TIMEOUT_AFTER_EXECUTING',
  'NOTIFY_TWICE',
  'NOTIFY_WRONG_ORDER',
  'LATE',
  'LESS',
  'MORE',
  'WRONG_CURRENCY',
  'NEVER',
  'BOUNCE',
] as const
const moodName = oneOf('The mood', MOODS)

const work = () => import('../actions/simulator.ts')

interface MoodOptions {
  payment?: string
  every?: number
  delayMs?: number
  autoMs?: number
}

/** The sandbox's bank: how it behaves, and what its customers choose. */
export function addSimulatorCommands(program: Command, shell: Shell): void {
  const simulator = program.command('simulator').description('the bank simulator of a sandbox')
  simulator
    .command('mood [mood]')
    .description('set the bank’s behaviour; without a mood, show the present one')
    .option('--payment <reference>', 'only for this payment', reference)
    .option('--every <n>', 'only for every n-th new payment', wholeNumber('--every', 1, EVERY_MAX))
    .option('--delay-ms <milliseconds>', 'delay of the mood', milliseconds('--delay-ms'))
    .option(
      '--auto-ms <milliseconds>',
      'customers pay by themselves after this time',
      milliseconds('--auto-ms'),
    )
    .action(
      shell.act(async (mood: string | undefined, options: MoodOptions) =>
        (await work()).mood(shell, { mood: mood === undefined ? undefined : moodName(mood), ...options }),
      ),
    )
  simulator
    .command('list')
    .description('list the bank’s payments, the newest first')
    .option('--limit <count>', 'number of entries', wholeNumber('--limit', 1, LISTED_MAX), LISTED_DEFAULT)
    .action(shell.act(async ({ limit }: { limit: number }) => (await work()).listSimulated(shell, limit)))
  simulator
    .command('log')
    .description('list every movement of money in the bank’s ledger')
    .action(shell.act(async () => (await work()).log(shell)))
  addChoices(simulator, shell)
}

const CHOICES = [
  ['approve', 'approve a payment as its customer, or make the bank execute a payout'],
  ['decline', 'decline a payment as its customer'],
  ['bounce', 'return the money of a payment'],
] as const

function addChoices(simulator: Command, shell: Shell): void {
  for (const [choice, description] of CHOICES) {
    simulator
      .command(`${choice} <reference>`)
      .description(description)
      .action(
        shell.act(async (text: string) =>
          (await work()).choose(shell, { choice, reference: reference(text) }),
        ),
      )
  }
}

const REFERENCE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/

function reference(text: string): string {
  if (REFERENCE_PATTERN.test(text)) return text
  throw new CommandFailure(
    'USAGE',
    `A reference looks like 7KQ2M8X4TJ5N; \`tollgate simulator list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}

function milliseconds(name: string): (text: string) => number {
  return wholeNumber(name, 0, DELAY_MS_MAX)
}
