import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { CHECKOUT_MAIN, checkoutKeys, checkoutSettings } from '../../programs/checkout.ts'
import { explain } from '../explain.ts'
import { CommandFailure } from '../failure.ts'
import { masterKeyFile, readExistingMasterKeys, requireKeys, withInstallation } from '../installation.ts'
import { runToItsEnd } from '../run-program.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

type Settings = Readonly<Record<string, string>>
type Asked = Pick<Shell, 'environment' | 'config'>

/**
 * `tollgate checkout`: the payment page, a program of its own, until a signal ends it. Its settings are CHECKOUT_…; what is
 * not set follows from the gateway's settings and keys; these are asked for where there is a master key.
 */
export async function run(shell: Shell, wish: { readonly settings?: true }): Promise<Report> {
  const config = await shell.config()
  if (wish.settings === true)
    return settingsReport({ ...checkoutSettings(config), ...(await keysHere(shell)) })
  refusePortZero(shell, config)
  const exitCode = await runToItsEnd(CHECKOUT_MAIN, await environmentFor(shell, config))
  return { ...NOTHING_MORE, exitCode }
}

/** Lines that a shell, an environment file or a container takes. */
function settingsReport(settings: Settings): Report {
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
    'TOLLGATE_CHECKOUT_PORT is 0, so the page has no port. Set CHECKOUT_PORT.',
  )
}

/** Nothing of the gateway's but what the page is to know: it is the program that strangers talk to. */
export async function environmentFor(shell: Asked, config: Config): Promise<Record<string, string>> {
  const given = Object.entries(shell.environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith('TOLLGATE_') ? [] : [[name, value]],
  )
  const derived = { ...checkoutSettings(config), ...(await missingKeys(shell, config)) }
  const missing = Object.entries(derived).filter(([name]) => !isSet(shell, name))
  return { ...Object.fromEntries(given), ...Object.fromEntries(missing) }
}

/** The keys, unless both are set or there is no master key to make them from: the page says what it lacks. */
async function missingKeys(shell: Asked, config: Config): Promise<Settings> {
  const areSet = isSet(shell, 'CHECKOUT_SECRET') && isSet(shell, 'CHECKOUT_SERVICE_KEY')
  if (areSet || !existsSync(masterKeyFile(config))) return {}
  try {
    return await keysHere(shell)
  } catch (error) {
    const failure = explain(error)
    if (failure === undefined) throw error
    throw new CommandFailure(
      failure.kind,
      `The keys of the page come from the gateway's database. ${failure.message} Or set CHECKOUT_SECRET and CHECKOUT_SERVICE_KEY, as \`tollgate checkout --settings\` prints them.`,
    )
  }
}

function isSet({ environment }: Pick<Shell, 'environment'>, name: string): boolean {
  return [name, `${name}_FILE`].some((each) => (environment[each] ?? '') !== '')
}

async function keysHere(shell: Asked): Promise<Settings> {
  readExistingMasterKeys(await shell.config())
  return withInstallation(shell, (installation) => {
    requireKeys(installation)
    return Promise.resolve(checkoutKeys(installation.secrets))
  })
}
