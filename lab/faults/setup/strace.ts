import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** System calls that fail for processes, as if the disk had said so. */
interface FailingCalls {
  readonly pids: readonly number[]
  /** Their names, joined by commas. */
  readonly calls: string
  /** As strace names it. */
  readonly error: string
}

const PROBE_MS = 500
const PROBED_SECONDS = '5'
const END_MS = 2_000

/** Why system calls cannot be made to fail here; undefined when they can. */
export function missingForFailingCalls(): string | undefined {
  if (spawnSync('strace', ['-V']).error !== undefined) return 'there is no strace'
  const probed = spawn('sleep', [PROBED_SECONDS], { stdio: 'ignore' })
  try {
    const order = orderOf({ pids: [probed.pid ?? 0], calls: 'fdatasync', error: 'EIO' })
    // One that may trace goes on until it is ended.
    const { status } = spawnSync('strace', order, { timeout: PROBE_MS, killSignal: 'SIGINT' })
    return status === 1 ? 'strace may not look into other processes' : undefined
  } finally {
    probed.kill()
  }
}

/** Lets the calls fail until the processes have ended, at most for `timeoutMs`. Gives whether they have. */
export async function failCalls(failing: FailingCalls, timeoutMs: number): Promise<boolean> {
  const strace = spawn('strace', orderOf(failing), { stdio: 'ignore' })
  const ended = once(strace, 'exit').then(() => true)
  if (await Promise.race([ended, sleep(timeoutMs, false)])) return true
  strace.kill('SIGINT')
  await Promise.race([ended, sleep(END_MS)])
  strace.kill('SIGKILL')
  return false
}

function orderOf({ pids, calls, error }: FailingCalls): readonly string[] {
  const who = pids.flatMap((pid) => ['-p', String(pid)])
  return ['-q', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`, ...who]
}
