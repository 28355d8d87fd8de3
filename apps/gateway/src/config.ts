import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import ipaddr from 'ipaddr.js'
import {
  ConfigSchema,
  DATABASE_URL_PATTERN,
  REDIS_URL_PATTERN,
  type Settings,
  URL_PATTERN,
} from './config-schema.ts'

/** The settings with the derived ones filled in. */
export interface Config extends Settings {
  readonly isLive: boolean
  readonly publicApiUrl: string
  readonly publicCheckoutUrl: string
  readonly publicSimulatorUrl: string
  readonly publicOperatorUrl: string
  readonly callbackAllowPrivate: boolean
  readonly callbackAllowCidrs: readonly string[]
  readonly trustProxy: readonly string[]
}

/** A setting that cannot be used: one sentence that names the variable and what to do. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const validate = new Ajv({ useDefaults: true, coerceTypes: true, allErrors: false }).compile<Settings>(
  ConfigSchema,
)

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings once, from the environment; `NAME_FILE` may hold the value of `NAME`. Throws ConfigError. */
export function readConfig(environment: Environment): Config {
  for (const name of Object.keys(environment)) refuseUnknown(name)
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(ConfigSchema.properties)) {
    const value = settingFrom(environment, name)
    if (value !== undefined && value !== '') given[name] = value
  }
  if (!validate(given)) throw new ConfigError(sentence(given))
  const config = derive(given)
  refuseUnusable(config)
  if (config.isLive) refuseSandboxDefaults(config)
  return config
}

const isSetting = (name: string): boolean => Object.hasOwn(ConfigSchema.properties, name)

function settingFrom(environment: Environment, name: string): string | undefined {
  const fileName = `${name}_FILE`
  const file = environment[fileName]
  const value = environment[name]
  if (isSetting(fileName) || file === undefined || file === '') return value
  if (value !== undefined && value !== '')
    throw new ConfigError(`${name} and ${fileName} are both set; set one of them.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${fileName} names ${file}, which cannot be read.`)
  }
}

/** A mistyped name would silently leave the default in force. */
function refuseUnknown(name: string): void {
  if (!name.startsWith('TOLLGATE_') || name.startsWith('TOLLGATE_TEST_')) return
  if (!isSetting(name) && !isSetting(name.replace(/_FILE$/, '')))
    throw new ConfigError(`${name} is not a setting. \`npm run config\` lists them all.`)
}

const PATTERN_RULES: Readonly<Record<string, string>> = {
  [URL_PATTERN]: 'must be an http or https address without query, such as https://pay.example',
  [DATABASE_URL_PATTERN]: 'must be a PostgreSQL address, such as postgres://user:password@host:5432/database',
  [REDIS_URL_PATTERN]: 'must be a Redis address, such as redis://user:password@host:6379/0',
}

/** Addresses that may hold a password are never repeated. */
const SECRET_SETTINGS = ['TOLLGATE_DATABASE_URL', 'TOLLGATE_REDIS_URL']

/** The rule and the value, but not of an address that holds a password. */
function sentence(given: Readonly<Record<string, unknown>>): string {
  const error = validate.errors?.[0]
  const name = error?.instancePath.split('/')[1] ?? 'A setting'
  return `${name} ${ruleOf(error, name)}${SECRET_SETTINGS.includes(name) ? '' : `; it is ${JSON.stringify(given[name])}`}.`
}

function ruleOf(error: ErrorObject | undefined, name: string): string {
  if (error === undefined) return 'is not valid'
  switch (error.keyword) {
    case 'const':
    case 'anyOf':
      return `must be one of ${allowedValues(name).join(', ')}`
    case 'type':
      return error.params['type'] === 'boolean' ? 'must be true or false' : 'must be a whole number'
    case 'minimum':
      return `must be at least ${String(error.params['limit'])}`
    case 'maximum':
      return `must be at most ${String(error.params['limit'])}`
    case 'pattern':
      return PATTERN_RULES[String(error.params['pattern'])] ?? 'is not valid'
    default:
      return error.message ?? 'is not valid'
  }
}

function allowedValues(name: string): readonly string[] {
  const schema: unknown = Object.entries(ConfigSchema.properties).find(([key]) => key === name)?.[1]
  if (typeof schema !== 'object' || schema === null || !('anyOf' in schema) || !Array.isArray(schema.anyOf))
    return []
  return schema.anyOf.map((option: { const?: unknown }) => String(option.const))
}

function derive(settings: Settings): Config {
  const isLive = settings.TOLLGATE_ENVIRONMENT === 'live'
  const local = (port: number): string => `http://localhost:${port}`
  return Object.freeze({
    ...settings,
    isLive,
    publicApiUrl: trimSlash(settings.TOLLGATE_PUBLIC_API_URL ?? local(settings.TOLLGATE_API_PORT)),
    publicCheckoutUrl: trimSlash(
      settings.TOLLGATE_PUBLIC_CHECKOUT_URL ?? local(settings.TOLLGATE_CHECKOUT_PORT),
    ),
    publicSimulatorUrl: trimSlash(
      settings.TOLLGATE_PUBLIC_SIMULATOR_URL ?? local(settings.TOLLGATE_SIMULATOR_PORT),
    ),
    publicOperatorUrl: trimSlash(
      settings.TOLLGATE_PUBLIC_OPERATOR_URL ?? local(settings.TOLLGATE_OPERATOR_PORT),
    ),
    callbackAllowPrivate: settings.TOLLGATE_CALLBACK_ALLOW_PRIVATE ?? !isLive,
    callbackAllowCidrs: listOf(settings.TOLLGATE_CALLBACK_ALLOW_CIDR),
    trustProxy: listOf(settings.TOLLGATE_TRUST_PROXY),
  })
}

const trimSlash = (url: string): string => url.replace(/\/$/, '')
const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** What a pattern cannot see: addresses that look like some and are none. */
function refuseUnusable(config: Config): void {
  if (config.TOLLGATE_DATABASE_URL !== undefined && !URL.canParse(config.TOLLGATE_DATABASE_URL))
    throw new ConfigError(`TOLLGATE_DATABASE_URL ${String(PATTERN_RULES[DATABASE_URL_PATTERN])}.`)
  if (config.TOLLGATE_REDIS_URL !== undefined && !URL.canParse(config.TOLLGATE_REDIS_URL))
    throw new ConfigError(`TOLLGATE_REDIS_URL ${String(PATTERN_RULES[REDIS_URL_PATTERN])}.`)
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

/** Live moves real money: nothing that only makes sense in a sandbox may be left on by accident. */
function refuseSandboxDefaults(config: Config): void {
  if (config.callbackAllowPrivate) {
    throw new ConfigError(
      'TOLLGATE_CALLBACK_ALLOW_PRIVATE must not be true in live: callbacks could reach your own network.',
    )
  }
  if (!config.publicApiUrl.startsWith('https://')) {
    throw new ConfigError('TOLLGATE_PUBLIC_API_URL must be set to an https address in live.')
  }
  if (!config.publicCheckoutUrl.startsWith('https://')) {
    throw new ConfigError('TOLLGATE_PUBLIC_CHECKOUT_URL must be set to an https address in live.')
  }
}

/** One line per setting: name, default, meaning. What `npm run config` prints and the docs show. */
export function describeConfig(): readonly SettingDescription[] {
  return Object.entries(ConfigSchema.properties).map(([name, schema]) => ({
    name,
    default: 'default' in schema ? String(schema.default) : '',
    description: 'description' in schema ? String(schema.description) : '',
  }))
}

export interface SettingDescription {
  readonly name: string
  readonly default: string
  readonly description: string
}
