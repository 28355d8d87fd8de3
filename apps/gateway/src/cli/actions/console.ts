import type { Config } from '../../config.ts'
import { CONSOLE_MAIN, consoleSettings } from '../../programs/console.ts'
import { CommandFailure } from '../failure.ts'
import { runToItsEnd } from '../run-program.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

/** The options of the command. */
export interface ConsoleWish {
  /** Of the operator API; without it, the one of this installation. */
  readonly url?: string
}

/**
 * `tollgate console`: the operators' console, a program of its own, until a signal ends it. Its settings are CONSOLE_…; what is
 * not set follows from the gateway's settings.
 */
export async function run(shell: Shell, { url }: ConsoleWish): Promise<Report> {
  const environment = environmentFor(shell, await shell.config(), url)
  if (environment['CONSOLE_PORT'] === '0')
    throw new CommandFailure(
      'USAGE',
      'TOLLGATE_CONSOLE_PORT is 0, so the console has no port. Set CONSOLE_PORT.',
    )
  return { ...NOTHING_MORE, exitCode: await runToItsEnd(CONSOLE_MAIN, environment) }
}

/** Nothing of the gateway's but what the console is to know. */
function environmentFor(
  { environment }: Pick<Shell, 'environment'>,
  config: Config,
  url: string | undefined,
): Record<string, string> {
  const given = Object.entries(environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' || name.startsWith('TOLLGATE_') ? [] : [[name, value]],
  )
  const names = new Set(given.map(([name]) => name.replace(/_FILE$/, '')))
  const derived = Object.entries(consoleSettings(config)).filter(([name]) => !names.has(name))
  return {
    ...Object.fromEntries(derived),
    ...Object.fromEntries(given),
    ...(url !== undefined && { CONSOLE_API_URL: url }),
  }
}
