import { type ChildProcess, spawn } from 'node:child_process'
import { sharedCompileCache } from '../programs/compile-cache.ts'
import { EXIT_CODES } from './failure.ts'

// A command that runs a program of its own, until a signal ends it.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Its exit code is ours. Should this process be killed, the channel closes and the program ends by itself. */
export function runToItsEnd(
  main: string,
  environment: Record<string, string>,
  words: readonly string[] = [],
): Promise<number> {
  // The log is JSON lines: what Node itself has to say about its own features is none.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...words], {
    env: { ...environment, ...sharedCompileCache() },
    // A session of its own: Ctrl-C in the terminal reaches this process only, which passes it on.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const stopForwarding = forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      stopForwarding()
      resolve(code ?? EXIT_CODES.FAULT)
    })
  })
}

function forwardSignals(child: ChildProcess): () => void {
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  for (const signal of SIGNALS) process.on(signal, passOn)
  return () => {
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}
