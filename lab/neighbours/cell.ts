import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Account } from '../rig/accounts.ts'
import { ROOT } from '../rig/programs.ts'
import type { FromCell, ToCell, Window } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./cell-program.ts', import.meta.url))

/** A cell on a core of its own, with its merchant. */
export interface PinnedCell {
  work(): Promise<void>
  rest(): Promise<void>
  measure(seconds: number): Promise<Window>
  kill(): Promise<void>
  revive(): Promise<void>
  /** Resolves when everything is told and looked for. */
  end(): Promise<Account>
  /** Ends it, wherever it is. */
  stop(): Promise<void>
}

/** Starts a cell of which every process stays on one core; by util-linux' `taskset`. */
export async function startPinnedCell(letter: string, core: number): Promise<PinnedCell> {
  const child = spawn('taskset', ['--cpu-list', String(core), process.execPath, PROGRAM, letter], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await next(child, 'DONE')
  const ask = async <Kind extends FromCell['kind']>(message: ToCell, kind: Kind) => {
    child.send(message)
    return next(child, kind)
  }
  const done = async (message: ToCell): Promise<void> => {
    await ask(message, 'DONE')
  }
  return {
    work: () => done({ kind: 'WORK' }),
    rest: () => done({ kind: 'REST' }),
    measure: async (seconds) => (await ask({ kind: 'MEASURE', seconds }, 'MEASURED')).window,
    kill: () => done({ kind: 'KILL' }),
    revive: () => done({ kind: 'REVIVE' }),
    end: async () => (await ask({ kind: 'END' }, 'ENDED')).account,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}

/** The next message of the kind. Rejects when the cell ends. */
function next<Kind extends FromCell['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<FromCell, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const off = (): void => {
      child.off('message', onMessage)
      child.off('exit', onEnd)
      child.off('error', onEnd)
    }
    const onMessage = (message: FromCell): void => {
      if (!isOf(message, kind)) return
      off()
      resolve(message)
    }
    const onEnd = (): void => {
      off()
      reject(new Error('a cell ended, or could not be started by taskset'))
    }
    child.on('message', onMessage)
    child.once('exit', onEnd)
    child.once('error', onEnd)
  })
}

function isOf<Kind extends FromCell['kind']>(
  message: FromCell,
  kind: Kind,
): message is Extract<FromCell, { kind: Kind }> {
  return message.kind === kind
}
