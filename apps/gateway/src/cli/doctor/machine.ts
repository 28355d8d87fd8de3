import { accessSync, constants, existsSync } from 'node:fs'
import { type Config, ConfigError, type ServerName } from '../../config.ts'
import { MasterKeyFault } from '../../platform/master-key.ts'
import { idOf } from '../../platform/root-key.ts'
import { dataDirOf, placesOf, requireFreePorts } from '../../programs/installation.ts'
import { ownUrl } from '../../programs/simulator.ts'
import { masterKeyFile, readExistingMasterKeys } from '../installation.ts'
import { type Finding, fail, ok, skipped, warn } from './finding.ts'
import { openMode } from './secret-files.ts'

const NODE_MAJOR_MIN = 24

/** The Node that runs this. */
export function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  return major >= NODE_MAJOR_MIN
    ? ok('node', `Node ${process.versions.node}`)
    : fail('node', `Node ${process.versions.node} is too old.`, `Install Node ${NODE_MAJOR_MIN} or newer.`)
}

/** The data directory: there, and ours to write. */
export function examineDataDirectory(config: Config): Finding {
  const dataDir = dataDirOf(config)
  if (!existsSync(dataDir)) {
    return config.TOLLGATE_DATABASE_URL === undefined
      ? fail('data directory', `${dataDir} does not exist.`, 'Run `npm start`, or set TOLLGATE_DATA_DIR.')
      : ok('data directory', `${dataDir} does not exist; the database is elsewhere.`)
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('data directory', dataDir)
  } catch {
    return fail(
      'data directory',
      `${dataDir} cannot be written.`,
      'Run as the user who runs Tollgate, or change the owner of the folder.',
    )
  }
}

/** The master key: there, whole, and nobody else's to read; while it is being changed, the one before as well. */
export function examineMasterKey(config: Config): Finding {
  const file = masterKeyFile(config)
  try {
    const { current } = readExistingMasterKeys(config)
    const files = [file, config.TOLLGATE_PREVIOUS_MASTER_KEY_FILE].filter((each) => each !== undefined)
    const open = files.find((each) => openMode(each) !== undefined)
    return open === undefined
      ? ok('master key', `${file} (${idOf(current)})`)
      : fail('master key', `Others may read ${open} (mode ${openMode(open)}).`, `chmod 600 ${open}`)
  } catch (error) {
    if (!(error instanceof MasterKeyFault)) throw error
    return fail('master key', error.message, fixOf(error))
  }
}

/** What to do about the file of a master key. */
export function fixOf({ setting, trouble }: Pick<MasterKeyFault, 'setting' | 'trouble'>): string {
  if (trouble === 'DENIED') return 'Run as the user who runs Tollgate, or give the file to that user.'
  if (trouble === 'FOLDER')
    return `Set ${setting} to the file of the key. A container makes a folder where the file to be mounted is missing.`
  if (trouble === 'UNREADABLE') return 'Check the disk and the path.'
  return setting === 'TOLLGATE_PREVIOUS_MASTER_KEY_FILE'
    ? 'If `tollgate keys rewrap` has run, remove TOLLGATE_PREVIOUS_MASTER_KEY_FILE from the settings. If not, restore that key from its backup.'
    : 'Restore it from its backup: without it personal data cannot be decrypted.'
}

/** Longer than /readyz waits for what it looks at. */
const ANSWER_TIMEOUT_MS = 5_000

interface PortQuestion {
  readonly name: string
  readonly server: ServerName
  readonly path: string
  /** What only our own answer holds. */
  readonly sign: RegExp
}

const PORTS: readonly PortQuestion[] = [
  { name: 'API port', server: 'API', path: '/readyz', sign: /"checks":\{"drain"/ },
  {
    name: 'operator port',
    server: 'OPERATOR',
    path: '/openapi.json',
    sign: /"title":"Tollgate operator API"/,
  },
  { name: 'metrics port', server: 'METRICS', path: '/metrics', sign: /^tollgate_/m },
]

/** The ports: free, or answered by our own servers. */
export function examinePorts(config: Config): Promise<readonly Finding[]> {
  return Promise.all(PORTS.map((question) => examinePort(config, question)))
}

async function examinePort(config: Config, question: PortQuestion): Promise<Finding> {
  const { name, server } = question
  const setting = `TOLLGATE_${server}_PORT` as const
  const port = config[setting]
  if (port === 0) return skipped(name, `${setting} is 0: the system picks one at the start.`)
  try {
    await requireFreePorts(placesOf(config, [server]))
    return ok(name, `${port} is free.`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
  }
  const answer = await ask(`${ownUrl(config.hosts[server], port)}${question.path}`)
  if (answer === undefined)
    return fail(
      name,
      `Nobody answers at ${port}, although a program has it.`,
      `If it is Tollgate, it hangs: look into its log and restart it. If not, set ${setting} to another port.`,
    )
  if (!question.sign.test(answer.text))
    return fail(name, `Another program has port ${port}.`, `Stop it, or set ${setting} to another port.`)
  return answer.status === 200
    ? ok(name, `Tollgate answers at ${port}.`)
    : warn(
        name,
        `Tollgate answers at ${port}, but is not ready: ${answer.text}`,
        'Fix what is not `ok` there.',
      )
}

async function ask(url: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
