import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cleanEnvironment, ROOT } from './programs.ts'
import type { DurableServer } from './server.ts'

const COMMAND = 'apps/gateway/bin/tollgate.mjs'

/** A server that is a cell's, or will be. */
type CellServer = Pick<DurableServer, 'url' | 'dataDir'>

/** What came of a command. */
interface Ran {
  /** Undefined: it was killed. */
  readonly exitCode: number | undefined
  readonly printed: string
  /** That, and what went to the standard error. */
  readonly said: string
}

/** `tollgate <parts>` at a server, killed after so many milliseconds where they are given. */
export async function command(
  { url, dataDir }: CellServer,
  letter: string,
  parts: readonly string[],
  killAfterMs?: number,
): Promise<Ran> {
  const child = spawn(process.execPath, [join(ROOT, COMMAND), ...parts], {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_DATABASE_URL: url,
      TOLLGATE_CELL: letter,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, said] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    said += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await once(child, 'close')
  clearTimeout(timer)
  return { exitCode: child.exitCode ?? undefined, printed, said }
}

/** The same, which must succeed; what it printed. */
export async function mustRun(server: CellServer, letter: string, parts: readonly string[]): Promise<string> {
  const { exitCode, printed, said } = await command(server, letter, parts)
  if (exitCode !== 0) throw new Error(`tollgate ${parts.join(' ')} ended with ${String(exitCode)}: ${said}`)
  return printed
}
