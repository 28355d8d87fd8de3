import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tollgate/testkit'
import { nextMessage } from '../../rig/child-messages.ts'

/** Forgets what came, and reports when this many have come. */
export interface ToReceiver {
  readonly kind: 'EXPECT'
  readonly count?: number
}
export type FromReceiver =
  | { readonly kind: 'READY' }
  | { readonly kind: 'FIRST' }
  | { readonly kind: 'ARRIVED'; readonly arrivals: readonly Arrival[] }
/** An id, and when its first call came, by the clock of the machine. */
type Arrival = readonly [id: string, atMs: number]

const PROGRAM = fileURLToPath(new URL('./receiver-program.ts', import.meta.url))

/** A merchant's server in a process of its own. */
export interface Receiver {
  readonly pid: number
  /** Without the id, which is the last part of the path. */
  readonly url: string
  expect(count?: number): void
  /** Resolves when the first call after `expect` has come. */
  first(): Promise<void>
  /** Resolves when as many have come as were expected. Throws when they have not within `timeoutMs`. */
  all(timeoutMs: number): Promise<readonly Arrival[]>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const port = await freePort()
  const child = fork(PROGRAM, [String(port)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  })
  const next = <Kind extends FromReceiver['kind']>(
    kind: Kind,
  ): Promise<Extract<FromReceiver, { kind: Kind }>> =>
    nextMessage<FromReceiver, Kind>(child, kind, 'the receiver of callbacks')
  await next('READY')
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}/callbacks`,
    expect: (count) => tell(child, { kind: 'EXPECT', ...(count !== undefined && { count }) }),
    first: () => next('FIRST').then(() => undefined),
    async all(timeoutMs) {
      const timeout = new Promise<never>((_resolve, reject) => {
        setTimeout(() => reject(new Error('the callbacks did not come in time')), timeoutMs).unref()
      })
      return (await Promise.race([next('ARRIVED'), timeout])).arrivals
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

function tell(child: ChildProcess, message: ToReceiver): void {
  child.send(message)
}
