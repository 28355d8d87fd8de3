// The formatter, for `npm run format` and `npm run check -- format`: installed when it first runs.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { onDemand } from './on-demand.ts'

const program = join(onDemand('tools/biome'), 'node_modules/.bin/biome')
process.exitCode = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' }).status ?? 1
