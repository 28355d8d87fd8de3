import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Account } from '../rig/accounts.ts'
import { nextMessage } from '../rig/child-messages.ts'
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
  const next = <Kind extends FromCell['kind']>(kind: Kind) =>
    nextMessage<FromCell, Kind>(child, kind, `cell ${letter}`)
  await next('DONE')
  const ask = async <Kind extends FromCell['kind']>(message: ToCell, kind: Kind) => {
    child.send(message)
    return next(kind)
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
