import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { type Static, Type } from 'typebox'

const Port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description })
const Url = (description: string) =>
  Type.Optional(Type.String({ pattern: '^https?://[^\\s/?#]+[^\\s?#]*$', description }))
const Seconds = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description })

/** Every setting there is. The description is the documentation, the default is the default. */
export const ConfigSchema = Type.Object({
  TOLLGATE_ENVIRONMENT: Type.Union([Type.Literal('sandbox'), Type.Literal('live')], {
    default: 'sandbox',
    description:
      'sandbox moves no real money and decides outcomes by magic e-mail addresses; live refuses sandbox defaults.',
  }),
  TOLLGATE_HOST: Type.String({ default: '127.0.0.1', description: 'Address the servers listen on.' }),
  TOLLGATE_API_PORT: Port(8080, 'Port of the API.'),
  TOLLGATE_CHECKOUT_PORT: Port(8081, 'Port of the hosted payment page.'),
  TOLLGATE_CONSOLE_PORT: Port(8082, 'Port of the operators’ console.'),
  TOLLGATE_SIMULATOR_PORT: Port(8083, 'Port of the sandbox’s bank simulator.'),
  TOLLGATE_METRICS_PORT: Port(9464, 'Port of the Prometheus metrics, apart from the API.'),
  TOLLGATE_DATA_DIR: Type.String({
    minLength: 1,
    default: '.tollgate',
    description: 'Folder of the embedded database, the master key and the demo merchant.',
  }),
  TOLLGATE_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://\\S+$',
      description: 'Your own PostgreSQL (15 or newer). Without it an embedded one is started.',
    }),
  ),
  TOLLGATE_DATABASE_POOL_MAX: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description: 'Database connections per process.',
  }),
  TOLLGATE_PUBLIC_API_URL: Url(
    'Address of the API as merchants see it. Default: http://localhost and the port.',
  ),
  TOLLGATE_PUBLIC_CHECKOUT_URL: Url('Address of the hosted payment page as customers see it.'),
  TOLLGATE_PUBLIC_SIMULATOR_URL: Url('Address of the bank simulator as customers see it.'),
  TOLLGATE_MASTER_KEY_FILE: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File with 32 bytes in base64 that all other keys derive from. Default: made in the data directory.',
    }),
  ),
  TOLLGATE_CALLBACK_INTERVAL_SECONDS: Seconds(
    120,
    1,
    86_400,
    'From the start of one callback attempt to the start of the next (specification 8: 120).',
  ),
  TOLLGATE_CALLBACK_TIMEOUT_SECONDS: Seconds(10, 1, 60, 'Total time a callback attempt may take.'),
  TOLLGATE_CALLBACK_ALLOW_PRIVATE: Type.Optional(
    Type.Boolean({
      description:
        'Whether callbacks may go to loopback and private addresses. Default: true in sandbox, false in live.',
    }),
  ),
  TOLLGATE_CALLBACK_ALLOW_CIDR: Type.String({
    default: '',
    description: 'Comma-separated address ranges that callbacks may reach all the same.',
  }),
  TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS: Seconds(
    300,
    1,
    86_400,
    'How far `timestamp` of a signed token request may be from now.',
  ),
  TOLLGATE_ADDRESS_RATE_PER_SECOND: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Requests per second from one address that are not authenticated.',
  }),
  TOLLGATE_TRUST_PROXY: Type.String({
    default: '',
    description: 'Comma-separated addresses or ranges of proxies whose X-Forwarded-For is believed.',
  }),
  TOLLGATE_BATCH_ROWS_MAX: Type.Integer({
    default: 128,
    minimum: 1,
    maximum: 1000,
    description: 'Most payments that share one round trip to the database.',
  }),
  TOLLGATE_BATCHES_IN_FLIGHT_MAX: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 16,
    description: 'Most round trips of one kind at the same time.',
  }),
  TOLLGATE_LOG_LEVEL: Type.Union(
    ['debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    {
      default: 'info',
      description: 'Least severe level that is logged.',
    },
  ),
  TOLLGATE_DRAIN_SECONDS: Seconds(
    30,
    1,
    600,
    'How long a stopping process waits for requests and callbacks under way.',
  ),
})

export type Settings = Readonly<Static<typeof ConfigSchema>>

/** The settings with the derived ones filled in. */
export interface Config extends Settings {
  readonly isLive: boolean
  readonly publicApiUrl: string
  readonly publicCheckoutUrl: string
  readonly publicSimulatorUrl: string
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

/** Reads the settings once, from the environment; `NAME_FILE` may hold the value of `NAME`. Throws ConfigError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(ConfigSchema.properties)) {
    const value = settingFrom(environment, name)
    if (value !== undefined && value !== '') given[name] = value
  }
  for (const name of Object.keys(environment)) warnOfUnknown(name)
  if (!validate(given)) throw new ConfigError(sentence(given))
  const config = derive(given)
  if (config.isLive) refuseSandboxDefaults(config)
  return config
}

function settingFrom(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const file = environment[`${name}_FILE`]
  if (file === undefined || Object.hasOwn(ConfigSchema.properties, `${name}_FILE`)) return environment[name]
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`)
  }
}

/** A mistyped name would silently leave the default in force. */
function warnOfUnknown(name: string): void {
  if (!name.startsWith('TOLLGATE_') || name.startsWith('TOLLGATE_TEST_')) return
  const known =
    Object.hasOwn(ConfigSchema.properties, name) ||
    Object.hasOwn(ConfigSchema.properties, name.replace(/_FILE$/, ''))
  if (!known) throw new ConfigError(`${name} is not a setting. \`npm run config\` lists them all.`)
}

function sentence(given: Readonly<Record<string, unknown>>): string {
  const error = validate.errors?.[0]
  const name = error?.instancePath.split('/')[1] ?? 'A setting'
  const rule =
    error?.keyword === 'const' || error?.keyword === 'anyOf'
      ? `must be one of ${allowedValues(name).join(', ')}`
      : (error?.message ?? 'is not valid')
  return `${name} ${rule}; it is ${JSON.stringify(given[name])}.`
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
