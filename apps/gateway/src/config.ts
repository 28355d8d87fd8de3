import { ConfigError, type Environment, settingFrom } from '@tollgate/runtime/settings'
import ipaddr from 'ipaddr.js'
import { POSTGRES, REDIS, type Reading, SETTINGS, type Settings } from './settings.ts'

/** The servers of an installation, as their settings name them. */
export type ServerName = 'API' | 'OPERATOR' | 'METRICS' | 'CHECKOUT' | 'CONSOLE' | 'SIMULATOR'

export { ConfigError }

/** The settings with the derived ones filled in. */
export interface Config extends Settings {
  readonly isLive: boolean
  /** Where each server listens. */
  readonly hosts: Readonly<Record<ServerName, string>>
  readonly publicApiUrl: string
  readonly publicCheckoutUrl: string
  readonly publicSimulatorUrl: string
  readonly publicOperatorUrl: string
  readonly publicShopUrl: string
  /** Undefined in live until it is set: then operators have keys, and no passkeys. */
  readonly publicConsoleUrl: string | undefined
  /** Undefined without a provider of identities. */
  readonly oidc: OidcConfig | undefined
  readonly callbackAllowPrivate: boolean
  readonly callbackAllowCidrs: readonly string[]
  readonly trustProxy: readonly string[]
  /** Whether some acts of operators need a second one. */
  readonly needsSecondPerson: boolean
}

/** A provider of identities, by which operators sign in. */
interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly secretFile: string
  readonly scope: string
  readonly claim: { readonly name: string; readonly value: string } | undefined
  readonly name: string
}

/** Reads the settings once, from the environment; `NAME_FILE` may hold the value of `NAME`. Throws ConfigError. */
export function readConfig(environment: Environment): Config {
  for (const name of Object.keys(environment)) refuseUnknown(name)
  const config = derive(readSettings(environment))
  refuseUnusable(config)
  if (config.isLive) refuseSandboxDefaults(config)
  return config
}

function readSettings(environment: Environment): Settings {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const text = textOf(environment, name)
    if (text !== undefined && text !== '') values[name] = accepted(name, setting.read(text))
    else if ('default' in setting) values[name] = setting.default
  }
  if (!areSettings(values)) throw new Error('a setting without a value has no default')
  return values
}

/** Addresses that may hold a password are never repeated. */
const SECRET_SETTINGS = ['TOLLGATE_DATABASE_URL', 'TOLLGATE_MIGRATE_DATABASE_URL', 'TOLLGATE_REDIS_URL']

function accepted(name: string, reading: Reading<unknown>): unknown {
  if ('value' in reading) return reading.value
  const found = SECRET_SETTINGS.includes(name) ? '' : `; it is ${JSON.stringify(reading.found)}`
  throw new ConfigError(`${name} ${reading.rule}${found}.`)
}

/** Each value came from its own setting, so what can be missing is all there is to look at. */
function areSettings(values: Readonly<Record<string, unknown>>): values is Settings {
  return Object.entries(SETTINGS).every(([name, setting]) => !('default' in setting) || name in values)
}

const isSetting = (name: string): boolean => Object.hasOwn(SETTINGS, name)

/** A setting that is a file itself has no other to be read from. */
const textOf = (environment: Environment, name: string): string | undefined =>
  isSetting(`${name}_FILE`) ? environment[name] : settingFrom(environment, name)

/** A mistyped name would silently leave the default in force. */
function refuseUnknown(name: string): void {
  if (!name.startsWith('TOLLGATE_') || name.startsWith('TOLLGATE_TEST_')) return
  if (!isSetting(name) && !isSetting(name.replace(/_FILE$/, '')))
    throw new ConfigError(`${name} is not a setting. \`npm run config\` lists them all.`)
}

function derive(settings: Settings): Config {
  const isLive = settings.TOLLGATE_ENVIRONMENT === 'live'
  const local = (port: number): string => `http://localhost:${port}`
  return Object.freeze({
    ...settings,
    isLive,
    hosts: hostsOf(settings),
    publicApiUrl: trimSlash(settings.TOLLGATE_PUBLIC_API_URL ?? local(settings.TOLLGATE_API_PORT)),
    publicCheckoutUrl: trimSlash(
      settings.TOLLGATE_PUBLIC_CHECKOUT_URL ?? local(settings.TOLLGATE_CHECKOUT_PORT),
    ),
    publicSimulatorUrl: trimSlash(
      settings.TOLLGATE_PUBLIC_SIMULATOR_URL ?? local(settings.TOLLGATE_SIMULATOR_PORT),
    ),
    publicOperatorUrl: trimSlash(settings.TOLLGATE_PUBLIC_OPERATOR_URL ?? operatorUrlHere(settings)),
    publicShopUrl: local(settings.TOLLGATE_SHOP_PORT),
    publicConsoleUrl: consoleUrlOf(settings, isLive),
    oidc: oidcOf(settings),
    callbackAllowPrivate: settings.TOLLGATE_CALLBACK_ALLOW_PRIVATE ?? !isLive,
    callbackAllowCidrs: listOf(settings.TOLLGATE_CALLBACK_ALLOW_CIDR),
    trustProxy: listOf(settings.TOLLGATE_TRUST_PROXY),
    needsSecondPerson: (settings.TOLLGATE_SECOND_PERSON ?? (isLive ? 'on' : 'off')) === 'on',
  })
}

function hostsOf(settings: Settings): Config['hosts'] {
  const all = settings.TOLLGATE_HOST
  return {
    API: settings.TOLLGATE_API_HOST ?? all,
    OPERATOR: settings.TOLLGATE_OPERATOR_HOST ?? all,
    METRICS: settings.TOLLGATE_METRICS_HOST ?? all,
    CHECKOUT: settings.TOLLGATE_CHECKOUT_HOST ?? all,
    CONSOLE: settings.TOLLGATE_CONSOLE_HOST ?? all,
    SIMULATOR: settings.TOLLGATE_SIMULATOR_HOST ?? all,
  }
}

/** Commands ask there: an address of its own is not reached by the name localhost. */
function operatorUrlHere({ TOLLGATE_OPERATOR_HOST: host, TOLLGATE_OPERATOR_PORT: port }: Settings): string {
  const isAny = host === undefined || host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

const CONSOLE_PORT = 8082

function consoleUrlOf(settings: Settings, isLive: boolean): string | undefined {
  const { TOLLGATE_PUBLIC_CONSOLE_URL: url, TOLLGATE_CONSOLE_PORT: port } = settings
  if (url !== undefined) return trimSlash(url)
  // Who starts none here runs it elsewhere, at its usual port.
  return isLive ? undefined : `http://localhost:${port === 0 ? CONSOLE_PORT : port}`
}

/** All of them or none; throws ConfigError. */
function oidcOf(settings: Settings): OidcConfig | undefined {
  const { TOLLGATE_OIDC_ISSUER: issuer, TOLLGATE_OIDC_CLIENT_ID: clientId } = settings
  const { TOLLGATE_OIDC_CLIENT_SECRET_FILE: secretFile, TOLLGATE_OIDC_CLAIM: claim } = settings
  if (issuer === undefined) {
    const alone = ['CLIENT_ID', 'CLIENT_SECRET_FILE', 'CLAIM'] as const
    const named = alone.find((name) => settings[`TOLLGATE_OIDC_${name}`] !== undefined)
    if (named === undefined) return undefined
    throw new ConfigError(
      `TOLLGATE_OIDC_${named} needs TOLLGATE_OIDC_ISSUER: set it to the address of the provider, or unset both.`,
    )
  }
  if (clientId === undefined)
    throw new ConfigError(
      'TOLLGATE_OIDC_CLIENT_ID is missing: set it to what the provider of TOLLGATE_OIDC_ISSUER calls this gateway.',
    )
  if (secretFile === undefined)
    throw new ConfigError(
      'TOLLGATE_OIDC_CLIENT_SECRET_FILE is missing: set it to a file with the secret of TOLLGATE_OIDC_CLIENT_ID.',
    )
  return {
    issuer,
    clientId,
    secretFile,
    claim: claim === undefined ? undefined : claimOf(claim),
    scope: settings.TOLLGATE_OIDC_SCOPE,
    name: settings.TOLLGATE_OIDC_NAME,
  }
}

function claimOf(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=')
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Who signs in is decided by what comes from there, so nobody on the way may change it. */
function refuseOidc({ oidc, isLive, publicConsoleUrl }: Config): void {
  if (oidc === undefined) return
  const url = URL.parse(oidc.issuer)
  if (url === null || url.username !== '' || url.password !== '')
    throw new ConfigError(
      'TOLLGATE_OIDC_ISSUER must be an https address without user or password, such as https://login.example.',
    )
  if (url.protocol !== 'https:' && (isLive || !LOOPBACK.test(url.hostname)))
    throw new ConfigError(
      'TOLLGATE_OIDC_ISSUER must begin with https://; in sandbox, http is for this machine alone, such as http://localhost:9000.',
    )
  if (publicConsoleUrl === undefined)
    throw new ConfigError(
      'TOLLGATE_OIDC_ISSUER needs TOLLGATE_PUBLIC_CONSOLE_URL in live: the provider sends browsers back to it.',
    )
}

const trimSlash = (url: string): string => url.replace(/\/$/, '')
const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const ONE_HOST =
  'names several hosts, and the driver takes one: put a proxy that follows the primary before them (docs/failover.md), and name that.'

/** Whether a comma is between hosts: behind the user and the password, or in the parameter that names hosts. */
const namesSeveralHosts = (url: string): boolean => {
  const [authority = ''] = url.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/)
  return (
    authority.slice(authority.lastIndexOf('@') + 1).includes(',') || /[?&]host=[^&#]*(?:,|%2c)/i.test(url)
  )
}

function refuseDatabase(name: string, url = 'postgres://localhost'): void {
  if (namesSeveralHosts(url)) throw new ConfigError(`${name} ${ONE_HOST}`)
  if (!URL.canParse(url)) throw new ConfigError(`${name} ${POSTGRES.rule}.`)
}

/** What a pattern cannot see: addresses that look like some and are none. */
function refuseUnusable(config: Config): void {
  if (config.publicConsoleUrl !== undefined && !URL.canParse(config.publicConsoleUrl))
    throw new ConfigError('TOLLGATE_PUBLIC_CONSOLE_URL must be an http or https address.')
  refuseOidc(config)
  for (const name of ['TOLLGATE_DATABASE_URL', 'TOLLGATE_MIGRATE_DATABASE_URL'] as const)
    refuseDatabase(name, config[name])
  if (config.TOLLGATE_MIGRATE_DATABASE_URL !== undefined && config.TOLLGATE_DATABASE_URL === undefined)
    throw new ConfigError(
      'TOLLGATE_MIGRATE_DATABASE_URL needs TOLLGATE_DATABASE_URL: the embedded database has its own users.',
    )
  if (config.TOLLGATE_REDIS_URL !== undefined && !URL.canParse(config.TOLLGATE_REDIS_URL))
    throw new ConfigError(`TOLLGATE_REDIS_URL ${REDIS.rule}.`)
  refuseRanges('TOLLGATE_TRUST_PROXY', config.trustProxy, PROXY_RANGE_NAMES)
  refuseRanges('TOLLGATE_CALLBACK_ALLOW_CIDR', config.callbackAllowCidrs, [])
}

/** Names for ranges that the HTTP server knows. */
const PROXY_RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal']

function refuseRanges(name: string, ranges: readonly string[], known: readonly string[]): void {
  const wrong = ranges.find(
    (range) => !known.includes(range) && !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range),
  )
  if (wrong === undefined) return
  throw new ConfigError(
    `${name} must hold addresses or ranges such as 10.0.0.0/8; ${JSON.stringify(wrong)} is none.`,
  )
}

/** A range of length 0 is every address there is: a mistyped mask, or a check that was switched off. */
function refuseAllAddresses(name: string, ranges: readonly string[], consequence: string): void {
  const all = ranges.find((range) => /\/0+$/.test(range))
  if (all === undefined) return
  throw new ConfigError(
    `${name} must not hold ${all} in live: it means every address, so ${consequence}. Name the ranges that you mean.`,
  )
}

/**
 * Refuses a live start that would make its own master key or keep its data in a folder: both are meant for a first look,
 * and are lost together with the machine. Throws ConfigError.
 */
export function refuseUnguardedStart(config: Config): void {
  if (!config.isLive) return
  if (config.TOLLGATE_DATABASE_URL === undefined)
    throw new ConfigError(
      'TOLLGATE_DATABASE_URL must be set in live: the embedded database is meant for development. Set it to your own PostgreSQL.',
    )
  if (config.TOLLGATE_MASTER_KEY_FILE === undefined)
    throw new ConfigError(
      'TOLLGATE_MASTER_KEY_FILE must be set in live: a key made in the data directory is lost with it. Make one with `openssl rand -base64 32`, keep a copy apart from the database, and set the file.',
    )
}

/** Live moves real money: nothing that only makes sense in a sandbox may be left on by accident. */
function refuseSandboxDefaults(config: Config): void {
  if (config.callbackAllowPrivate) {
    throw new ConfigError(
      'TOLLGATE_CALLBACK_ALLOW_PRIVATE must not be true in live: callbacks could reach your own network.',
    )
  }
  refuseAllAddresses(
    'TOLLGATE_CALLBACK_ALLOW_CIDR',
    config.callbackAllowCidrs,
    'callbacks could reach your own network',
  )
  refuseAllAddresses(
    'TOLLGATE_TRUST_PROXY',
    config.trustProxy,
    'any client could choose the address that it is limited by',
  )
  if (!config.publicApiUrl.startsWith('https://')) {
    throw new ConfigError('TOLLGATE_PUBLIC_API_URL must be set to an https address in live.')
  }
  if (config.publicConsoleUrl?.startsWith('https://') === false) {
    throw new ConfigError('TOLLGATE_PUBLIC_CONSOLE_URL must be an https address in live.')
  }
  if (!config.publicCheckoutUrl.startsWith('https://')) {
    throw new ConfigError('TOLLGATE_PUBLIC_CHECKOUT_URL must be set to an https address in live.')
  }
}

/** One line per setting: name, default, meaning. What `npm run config` prints and the docs show. */
export function describeConfig(): readonly SettingDescription[] {
  return Object.entries(SETTINGS).map(([name, setting]) => ({
    name,
    default: 'default' in setting ? String(setting.default) : '',
    description: setting.description,
  }))
}

export interface SettingDescription {
  readonly name: string
  readonly default: string
  readonly description: string
}
