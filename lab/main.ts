// `npm run lab -- medusa`: shop systems in front of the gateway, and what goes wrong between them. `npm run lab -- cells`: many gateways, simulated.
// `npm run lab -- split`: one becomes two. `npm run lab -- move`: a merchant goes from one to another. `npm run lab -- neighbours`: two side by side, of which one dies.

import { parseArgs } from 'node:util'
import { runCells } from './cells/run.ts'
import { runMedusa } from './medusa/run.ts'
import { runMove } from './move/run.ts'
import { runNeighbours } from './neighbours/run.ts'
import { runSplit } from './split/run.ts'

const USAGE = `npm run lab -- medusa                  a shop on Medusa 2: purchases in which something goes wrong
npm run lab -- medusa --only refund    those with this in their names
npm run lab -- cells                   100 cells and their failovers, simulated from measured figures, in less than a minute
npm run lab -- split                   a merchant of 100,000 payments split off under load, then 50 with kills
npm run lab -- move                    a merchant of 100,000 payments moved to another cell under load, then 50 moves with kills
npm run lab -- neighbours              two cells, a core each: what a payment costs beside another cell, and what one notices of the other's death

  --rounds <number>, --seconds <number>   neighbours: how often, and how long each time
  --payments <number>, --splits <number>, --seed <number>   split: other numbers
  --payments <number>, --moves <number>, --seed <number>    move: other numbers
  --write    writes the figures into docs/guides/medusa.md or docs/scale.md
`
const EXIT_USAGE = 2
const EXIT_WRONG = 1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    payments: { type: 'string', default: '100000' },
    splits: { type: 'string', default: '50' },
    moves: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
})
const isRight = await run(positionals.join())
if (isRight === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = EXIT_USAGE
} else process.exitCode = isRight ? 0 : EXIT_WRONG

/** Undefined: there is no such command. */
async function run(command: string): Promise<boolean | undefined> {
  if (command === 'medusa') return runMedusa(values)
  if (command === 'cells') return runCells(values)
  if (command === 'split') {
    const { payments, splits, seed } = values
    const wish = { payments: Number(payments), splits: Number(splits), seed: Number(seed) }
    return areCounts(wish) ? runSplit(wish) : undefined
  }
  if (command === 'move') {
    const { payments, moves, seed } = values
    const wish = { payments: Number(payments), moves: Number(moves), seed: Number(seed) }
    return areCounts(wish) ? runMove(wish) : undefined
  }
  if (command === 'neighbours') {
    const wish = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
    return areCounts(wish) ? runNeighbours(wish) : undefined
  }
  return undefined
}

function areCounts(wish: Readonly<Record<string, number>>): boolean {
  return Object.values(wish).every(Number.isSafeInteger)
}
