// `npm run lab -- medusa`: shop systems in front of the gateway, and what goes wrong between them.

import { parseArgs } from 'node:util'
import { runMedusa } from './medusa/run.ts'

const USAGE = `npm run lab -- medusa                  a shop on Medusa 2: purchases in which something goes wrong
npm run lab -- medusa --only refund    those with this in their names

  --write    writes the figures into docs/guides/medusa.md
`
const EXIT_USAGE = 2
const EXIT_WRONG = 1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
})
if (positionals.join() === 'medusa') process.exitCode = (await runMedusa(values)) ? 0 : EXIT_WRONG
else {
  process.stderr.write(USAGE)
  process.exitCode = EXIT_USAGE
}
