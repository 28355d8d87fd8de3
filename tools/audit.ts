// Whether advisories are known for the packages of production, by `npm audit`. Being offline is no fault: it is said, and
// that is all. An advisory that is high or critical is one.
import { spawnSync } from 'node:child_process'
import { judge } from './check/audit.ts'

const TIMEOUT_MS = 20_000
const ARGUMENTS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=4000']

const { stdout } = spawnSync('npm', ARGUMENTS, {
  cwd: `${import.meta.dirname}/..`,
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
})
const { isFault, lines } = judge(stdout)
for (const line of lines) console.log(line)
process.exitCode = isFault ? 1 : 0
