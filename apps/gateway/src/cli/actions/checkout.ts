import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { CHECKOUT_MAIN, checkoutKeys, checkoutSettings } from '../../checkout.ts'
import type { Config } from '../../config.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { masterKeyFile, readExistingMasterKey } from '../house.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

type Settings = Readonly<Record<string, string>>

/**
 * `tollgate checkout`: the payment page, a program of its own, until a signal ends it. Its settings are CHECKOUT_…; what is
 * not set follows from the gateway's settings and from the master key, where there is one.
 */
export async function run(shell: Shell, wish: { readonly settings?: true }): Promise<Report> {
  const config = await shell.config()
  if (wish.settings === true) return describe({ ...checkoutSettings(config), ...keysHere(config) })
  refusePortZero(shell, config)
  const exitCode = await runToItsEnd(environmentFor(shell, config))
  return { ...NOTHING_MORE, exitCode }
}

/** Lines that a shell, an environment file or a container takes. */
function describe(settings: Settings): Report {
  const lines = Object.entries(settings).filter(([, value]) => value !== '')
  return {
    json: Object.fromEntries(lines),
    text: lines.map(([name, value]) => `${name}=${value}`).join('\n'),
    notes: [
      'CHECKOUT_SECRET and CHECKOUT_SERVICE_KEY are secrets. CHECKOUT_HOST, CHECKOUT_PORT and CHECKOUT_API_URL are as seen from this machine.',
    ],
  }
}

/** Port 0 keeps `npm start` from starting a page; it is no port to find one at. */
function refusePortZero(shell: Shell, config: Config): void {
  if (config.TOLLGATE_CHECKOUT_PORT !== 0 || isSet(shell, 'CHECKOUT_PORT')) return
  throw new CommandFailure(
    'USAGE',
    'TOLLGATE_CHECKOUT_PORT is 0, which is no port to find the page at. Set CHECKOUT_PORT to one.',
  )
}

/** Nothing of the gateway's but what the page is to know: it is the program that strangers talk to. */
export function environmentFor(shell: Pick<Shell, 'environment'>, config: Config): Record<string, string> {
  const given = Object.entries(shell.environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith('TOLLGATE_') ? [] : [[name, value]],
  )
  const derived = { ...checkoutSettings(config), ...missingKeys(shell, config) }
  const missing = Object.entries(derived).filter(([name]) => !isSet(shell, name))
  return { ...Object.fromEntries(given), ...Object.fromEntries(missing) }
}

/** The keys, unless both are set or there is no master key to make them from: the page says what it lacks. */
function missingKeys(shell: Pick<Shell, 'environment'>, config: Config): Settings {
  const areSet = isSet(shell, 'CHECKOUT_SECRET') && isSet(shell, 'CHECKOUT_SERVICE_KEY')
  return areSet || !existsSync(masterKeyFile(config)) ? {} : keysHere(config)
}

function isSet({ environment }: Pick<Shell, 'environment'>, name: string): boolean {
  return [name, `${name}_FILE`].some((each) => (environment[each] ?? '') !== '')
}

function keysHere(config: Config): Settings {
  return checkoutKeys(createSecrets(readExistingMasterKey(config)))
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Its exit code is ours. Should this process be killed, the channel closes and the page ends by itself. */
function runToItsEnd(environment: Record<string, string>): Promise<number> {
  // The log is JSON lines: what Node itself has to say about its own features is none.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHECKOUT_MAIN], {
    env: environment,
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
