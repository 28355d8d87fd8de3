import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from '@tollgate/testkit'
import { knownMigrations } from '../../../apps/gateway/src/platform/migrate.ts'
import { ROOT } from '../../rig/programs.ts'
import { linkPackages } from './linked-packages.ts'

/** An earlier state of the sources, taken from their history, that runs with the packages which are installed here. */
export interface EarlierVersion {
  /** Shortened. */
  readonly commit: string
  /** A folder that is removed when this process ends. */
  readonly root: string
  readonly migrations: readonly string[]
}

/** Why there is none. */
interface NoEarlierVersion {
  readonly reason: string
}

/** How many commits are tried: not each one that was ever made can be run. */
const COMMITS_MAX = 12
const OUTPUT_BYTES_MAX = 50_000_000
const SOURCES = ['apps', 'packages', 'package.json']
const LOCK = 'package-lock.json'
const MIGRATIONS = 'apps/gateway/migrations'
/** Its parts are all that the programs consist of, and do nothing when they are loaded. */
const ACTIONS = 'apps/gateway/src/cli/actions'
const LOAD_ALL = 'for (const file of process.argv.slice(1)) await import(file)'

const found = new Map<number, EarlierVersion | NoEarlierVersion>()

/**
 * The last version that did not have the newest migrations yet, by default one of them, and whose sources are whole: an upgrade from it
 * is the one that changes the schema.
 */
export function findEarlierVersion(migrations = 1): EarlierVersion | NoEarlierVersion {
  const version = found.get(migrations) ?? find(migrations)
  found.set(migrations, version)
  return version
}

function find(migrations: number): EarlierVersion | NoEarlierVersion {
  const newest = knownMigrations().at(-migrations) ?? ''
  const commits = commitsBefore(newest)
  if (commits.length === 0) return { reason: `the history does not go back to before ${newest}` }
  const packages = packagesIn(readFileSync(join(ROOT, LOCK), 'utf8'))
  for (const commit of commits) {
    const isSame = packagesIn(git('show', `${commit}:${LOCK}`) ?? '') === packages
    const root = isSame ? takeOut(commit) : undefined
    if (root !== undefined) return { commit, root, migrations: migrationsIn(root) }
  }
  return { reason: `none of ${commits.length} versions before ${newest} runs with the packages of this one` }
}

/** The newest first. */
function commitsBefore(migration: string): readonly string[] {
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/${migration}.sql`)
  if (added === undefined) return []
  // Nobody has committed it yet.
  const last = added === '' ? 'HEAD' : `${added}^`
  return git('log', `-${COMMITS_MAX}`, '--first-parent', '--format=%h', last)?.split('\n') ?? []
}

/** What git says; undefined when it, the repository, or what is asked for is not there. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/** Those that a lock file names for the programs themselves, with their versions. */
function packagesIn(lock: string): string {
  const packages = lock === '' ? {} : at(JSON.parse(lock), 'packages')
  return Object.entries(typeof packages === 'object' && packages !== null ? packages : {})
    .filter(([name, entry]) => name.includes('node_modules/') && !isLeftOut(entry))
    .map(([name, entry]) => `${name} ${String(at(entry, 'version'))}`)
    .sort()
    .join('\n')
}

const isLeftOut = (entry: unknown): boolean =>
  ['dev', 'devOptional', 'link'].some((mark) => at(entry, mark) === true)

/** The sources of a commit in a folder of their own; undefined when they cannot be loaded. */
function takeOut(commit: string): string | undefined {
  const root = mkdtempSync(join(tmpdir(), `tollgate-earlier-${process.pid}-`))
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  chmodSync(root, 0o755)
  const archive = join(root, 'sources.tar')
  git('archive', '--output', archive, commit, ...SOURCES)
  try {
    execFileSync('tar', ['-xf', archive, '-C', root], { stdio: 'ignore' })
    linkPackages(root)
    const actions = readdirSync(join(root, ACTIONS)).filter((name) => name.endsWith('.ts'))
    const files = actions.map((name) => join(root, ACTIONS, name))
    execFileSync(process.execPath, ['--input-type=module', '--eval', LOAD_ALL, ...files], { stdio: 'ignore' })
    process.once('exit', remove)
    return root
  } catch {
    remove()
    return undefined
  }
}

const migrationsIn = (root: string): readonly string[] =>
  readdirSync(join(root, MIGRATIONS))
    .filter((name) => /^\d{4}_/.test(name))
    .map((name) => name.replace(/\.sql$/, ''))
    .sort()
