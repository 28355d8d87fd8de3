import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from './ports.ts'
import type { TestLife } from './test-life.ts'
import { waitUntil } from './wait.ts'

const PROGRAM = 'redis-server'
const START_TIMEOUT_MS = 20_000

/** For `{ skip }` of tests that need a Redis: false where the machine has one, else why they are skipped. */
export const NO_REDIS: string | false =
  spawnSync(PROGRAM, ['--version']).status === 0
    ? false
    : `there is no ${PROGRAM} on this machine (Debian: apt-get install redis-server)`

/** A Redis that keeps nothing on disk. */
export interface RedisServer {
  readonly url: string
  /** It goes on accepting connections, as the system does for it, and answers nobody. */
  freeze(): void
  thaw(): void
  /** Ends at once, with everything it knew. */
  kill(): Promise<void>
  /** Starts it again at the same port. */
  start(): Promise<void>
}

/** Starts a Redis on a port of its own; it ends with the test. */
export async function redisServer(t: TestLife): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async kill() {
      const killed = child
      child = undefined
      if (killed === undefined || killed.exitCode !== null) return
      const end = once(killed, 'exit')
      killed.kill('SIGKILL')
      await end
    },
    async start() {
      child = spawn(PROGRAM, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
        stdio: 'ignore',
      })
      await waitUntil(() => answersPing(port), {
        timeoutMs: START_TIMEOUT_MS,
        what: `${PROGRAM} to answer`,
      })
    },
  }
  // A file that fails before its hooks leaves nobody behind either.
  const onExit = (): void => void child?.kill('SIGKILL')
  process.once('exit', onExit)
  t.after(async () => {
    process.off('exit', onExit)
    await server.kill()
  })
  await server.start()
  return server
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (bytes) => end(bytes.toString().startsWith('+PONG')))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}
