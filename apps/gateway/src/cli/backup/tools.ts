import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { CommandFailure } from '../failure.ts'

type Tool = 'pg_dump' | 'pg_restore'

interface ToolRun {
  /** Connection string of the database. Its password does not appear in the list of processes. */
  readonly url: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Throws a sentence unless PostgreSQL's own program is here and can work with a server of this version. */
export async function requireTool(
  tool: Tool,
  serverVersion: string,
  environment: ToolRun['environment'],
): Promise<void> {
  const needed = majorOf(serverVersion)
  const { isDone, stdout } = await run(tool, ['--version'], { environment })
  const found = majorOf(/ (\d+[\w.]*)/.exec(stdout)?.[1] ?? '')
  if (isDone && found >= needed) return
  throw new CommandFailure(
    'USAGE',
    `${isDone ? `${tool} here is of PostgreSQL ${found}` : `There is no ${tool} here`}, and the server is PostgreSQL ${needed}. ` +
      `Install the client programs of PostgreSQL ${needed} or newer (postgresql-client-${needed} on Debian) and put them first in PATH.`,
  )
}

/** The number before the first point; 0 when there is none. */
export const majorOf = (version: string): number => Number(/^\d+/.exec(version)?.[0] ?? 0)

/** Runs the program on the database to its end. Throws a sentence with its last words when it fails. */
export async function runTool(tool: Tool, { url, args, environment, signal }: ToolRun): Promise<void> {
  const target = new URL(url)
  const password = decodeURIComponent(target.password)
  target.password = ''
  const { isDone, stderr } = await run(tool, [...args, `--dbname=${target.href}`], {
    environment: password === '' ? environment : { ...environment, PGPASSWORD: password },
    signal,
  })
  signal.throwIfAborted()
  if (!isDone) throw new CommandFailure('FAULT', `${tool} failed: ${stderr.trim()}`)
}

interface Ended {
  readonly isDone: boolean
  readonly stdout: string
  readonly stderr: string
}

async function run(
  tool: Tool,
  args: readonly string[],
  options: Pick<ToolRun, 'environment'> & Partial<Pick<ToolRun, 'signal'>>,
): Promise<Ended> {
  const { environment, signal } = options
  const child = spawn(tool, [...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  const ended = once(child, 'close').then(
    () => child.exitCode === 0,
    () => false,
  )
  const [isDone, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { isDone, stdout, stderr }
}
