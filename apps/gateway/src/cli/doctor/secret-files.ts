import { statSync } from 'node:fs'
import { type Config, ConfigError } from '../../config.ts'
import { bankChannelSecretFiles } from '../../rooms/bank-channel-settings.ts'
import { chainSecretFiles } from '../../rooms/chain-settings.ts'
import { openRailSecretFiles } from '../../rooms/open-rails.ts'
import { payeeCheckSecretFiles } from '../../rooms/payee-checks.ts'
import type { Shell } from '../shell.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Settings whose value is a secret. Each can be given as NAME_FILE, too. */
const SECRETS = ['TOLLGATE_DATABASE_URL', 'TOLLGATE_REDIS_URL', 'CHECKOUT_SECRET', 'CHECKOUT_SERVICE_KEY']

const OTHERS_MAY = 0o077

/** The mode of a file that others than its owner may read or write, such as 644; undefined when it is the owner's alone. */
export function openMode(file: string): string | undefined {
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
  return process.platform === 'win32' || (mode & OTHERS_MAY) === 0 ? undefined : mode.toString(8)
}

/** Where secrets come from, and files of them that others may read. The master key is looked at by itself. */
export function examineSecrets({ environment }: Shell, config: Config): readonly Finding[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== ''
  const inFiles = SECRETS.map((name) => `${name}_FILE`).filter(isSet)
  const inEnvironment = SECRETS.filter(isSet)
  const said = [
    inFiles.length === 0 ? '' : `From files: ${inFiles.join(', ')}.`,
    inEnvironment.length === 0 ? '' : `From the environment: ${inEnvironment.join(', ')}.`,
  ].filter((sentence) => sentence !== '')
  return [
    ok('secrets', said.length === 0 ? 'None set; only the master key.' : said.join(' ')),
    ...inFiles.flatMap((name) => examineFile(environment[name] ?? '', name)),
    ...examineFile(config.TOLLGATE_OPERATOR_KEY_FILE, 'TOLLGATE_OPERATOR_KEY_FILE'),
    ...examineListed(() => openRailSecretFiles(config), 'TOLLGATE_OPEN_RAILS_FILE', 'rail-author'),
    ...examineListed(() => payeeCheckSecretFiles(config), 'TOLLGATE_PAYEE_CHECKS_FILE', 'bank-transfers'),
    ...examineListed(() => bankChannelSecretFiles(config), 'TOLLGATE_BANK_CHANNELS_FILE', 'bank-channels'),
    ...examineListed(() => chainSecretFiles(config), 'TOLLGATE_CHAINS_FILE', 'stablecoins'),
  ]
}

/** Secrets of which a file of settings names the files. */
function examineListed(list: () => readonly string[], setting: string, guide: string): readonly Finding[] {
  try {
    return list().flatMap((file) => examineFile(file, setting))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('secrets', error.message, `docs/guides/${guide}.md has its form.`)]
  }
}

function examineFile(file: string | undefined, setting: string): readonly Finding[] {
  const mode = file === undefined ? undefined : openMode(file)
  if (mode === undefined) return []
  return [warn('secrets', `Others may read ${file} (mode ${mode}), by ${setting}.`, `chmod 600 ${file}`)]
}
