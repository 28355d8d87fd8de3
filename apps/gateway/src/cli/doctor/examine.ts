import { styleText } from 'node:util'
import { createLog } from '@tollgate/runtime/log'
import { type Config, ConfigError } from '../../config.ts'
import { EmbeddedPostgresFailure } from '../../platform/embedded-postgres/index.ts'
import { createRedisScript } from '../../platform/redis.ts'
import { dataDirOf } from '../../programs/installation.ts'
import { EXIT_CODES } from '../failure.ts'
import { harmless } from '../harmless.ts'
import { findDatabaseUrl, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { examineBankKeys } from './bank-keys.ts'
import { examineDatabase, noDatabase } from './database.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { examineFolders } from './folders.ts'
import { examineDataDirectory, examineMasterKey, examineNode, examinePorts } from './machine.ts'
import { examineSecrets } from './secret-files.ts'
import { examineSigners } from './signers.ts'

/** `tollgate doctor`: every look is taken, whatever the others found. */
export async function examine(shell: Shell): Promise<Report> {
  const findings = [examineNode(), ...(await examineInstallation(shell))]
  const failed = findings.filter(({ status }) => status === 'FAIL').length
  const warned = findings.filter(({ status }) => status === 'WARN').length
  return {
    json: { ok: failed === 0, findings },
    text: findings.map(line).join('\n'),
    notes: [
      failed + warned === 0 ? 'No errors.' : `${counted(failed, 'error')}, ${counted(warned, 'warning')}.`,
    ],
    exitCode: failed === 0 ? EXIT_CODES.OK : EXIT_CODES.FAULT,
  }
}

async function examineInstallation(shell: Shell): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = await shell.config()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('settings', error.message, '`tollgate config` and docs/configuration.md list the settings.')]
  }
  const database = await examineRunning(shell, config)
  const hasDatabase = database.every(({ name, status }) => name !== 'database' || status !== 'FAIL')
  return [
    ok('settings', `Valid; the environment is ${config.TOLLGATE_ENVIRONMENT}${cellOf(config)}.`),
    examineDataDirectory(config),
    ...(hasDatabase ? [examineMasterKey(config)] : []),
    ...examineSecrets(shell, config),
    ...examineFolders(config),
    ...database,
    ...(await examineSigners(config, shell.clock)),
    ...(await examineBankKeys(config, shell.clock)),
    ...(await examineRedis(config)),
    ...(await examinePorts(config)),
  ]
}

const cellOf = ({ TOLLGATE_CELL: cell }: Config): string => (cell === undefined ? '' : `, cell ${cell}`)

async function examineRunning(shell: Shell, config: Config): Promise<readonly Finding[]> {
  try {
    if ((await findDatabaseUrl(config)) === undefined)
      return noDatabase(`No installation runs in ${dataDirOf(config)}.`)
  } catch (error) {
    if (error instanceof EmbeddedPostgresFailure) return noDatabase(error.message)
    throw error
  }
  return withInstallation(shell, (installation) => examineDatabase(shell, installation))
}

const MARKS = {
  OK: ['green', 'ok  '],
  WARN: ['yellow', 'warn'],
  FAIL: ['red', 'FAIL'],
  SKIPPED: ['gray', 'skip'],
} as const

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const NAME_WIDTH = 16

function line({ name, status, message, fix }: Finding): string {
  const [colour, mark] = MARKS[status]
  const head = `${styleText(colour, mark, { stream: process.stdout })}  ${name.padEnd(NAME_WIDTH)}  ${harmless(message)}`
  return fix === undefined ? head : `${head}\n${' '.repeat(6)}-> ${harmless(fix)}`
}

const WRITES = `return redis.call('SET', KEYS[1], ARGV[1], 'PX', 1000)`

/** The Redis that the processes count the rate limit in, where there is one: reached, and writable. */
export async function examineRedis(config: Config): Promise<readonly Finding[]> {
  const { TOLLGATE_REDIS_URL: url } = config
  if (url === undefined) return []
  const script = createRedisScript({
    url,
    lua: WRITES,
    proof: { keys: ['tollgate:doctor'], args: [1] },
    log: createLog({ level: 'silent' }),
    consequence: '',
  })
  await script.start()
  const isThere = script.isThere()
  script.stop()
  return [
    isThere
      ? ok('redis', 'All processes share the rate limit.')
      : warn(
          'redis',
          'Redis does not answer, or cannot be written: each process counts the rate limit alone.',
          'Start it, or correct TOLLGATE_REDIS_URL; it must be a primary, 6.2 or newer.',
        ),
  ]
}
