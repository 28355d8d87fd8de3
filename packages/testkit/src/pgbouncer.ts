import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import type { TestLife } from './test-life.ts'
import { waitUntil } from './wait.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
)
const START_TIMEOUT_MS = 20_000

/** For `{ skip }` of tests that need pgbouncer: false where the machine has it, else why they are skipped. */
export const NO_PGBOUNCER: string | false =
  PROGRAM === undefined ? 'there is no pgbouncer on this machine (Debian: apt-get install pgbouncer)' : false

/** Starts pgbouncer before the database, with nothing but what its documentation asks for; it ends with the test. Gives the URL. */
export async function pgbouncer(
  t: TestLife,
  databaseUrl: string,
  poolMode: 'session' | 'transaction',
): Promise<string> {
  const target = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const database = target.pathname.slice(1)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${poolMode}
default_pool_size = 100
`,
  )
  writeFileSync(join(folder, 'users.txt'), `"${target.username}" "${target.password}"\n`)
  // It refuses to run as root.
  const asWhom = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const child = spawn(PROGRAM ?? '', ['--quiet', ...asWhom, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const words: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => words.push(chunk))
  const onExit = (): void => void child.kill('SIGKILL')
  process.once('exit', onExit)
  t.after(() => {
    process.off('exit', onExit)
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await waitUntil(() => isOpen(port, child, words), {
    timeoutMs: START_TIMEOUT_MS,
    what: 'pgbouncer to listen',
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

function isOpen(port: number, child: ChildProcess, words: readonly Buffer[]): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${Buffer.concat(words).toString('utf8')}`)
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
