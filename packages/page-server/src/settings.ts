import { ConfigError, type Environment, settingFrom } from '@tollgate/runtime/settings'
import { proxiesIn } from './addresses.ts'

/** What every server of pages is told. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Of the Prometheus metrics; 0 opens none. */
  readonly metricsHost: string
  readonly metricsPort: number
  readonly isLive: boolean
}

const PORT_MAX = 65_535
const HOST_DEFAULT = '127.0.0.1'

/** Settings by their names. All methods throw ConfigError, which names the setting. */
export interface SettingsReader<Name extends string> {
  /** Undefined where it is missing or empty. */
  text(name: Name): string | undefined
  wholeNumber(name: Name, range: readonly [min: number, max: number, preset: number]): number
  /** Proxies whose X-Forwarded-For is believed: addresses, ranges, or names of ranges. Live refuses a range of all addresses. */
  proxies(name: Name, isLive: boolean): readonly string[]
  /** PREFIX_HOST, _PORT, _METRICS_HOST, _METRICS_PORT and _ENVIRONMENT. */
  server(portPreset: number): ServerSettings
}

const SERVER_SETTINGS = ['HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'ENVIRONMENT'] as const
type ServerSetting<Prefix extends string> = `${Prefix}_${(typeof SERVER_SETTINGS)[number]}`

/**
 * Reads settings that begin with `prefix`. Any other name that does so is refused at once: a mistyped one would silently leave
 * the default in force.
 */
export function settingsOf<Prefix extends string, Name extends string>(
  environment: Environment,
  prefix: Prefix,
  names: readonly (Name | ServerSetting<Prefix>)[],
): SettingsReader<Name | ServerSetting<Prefix>> {
  refuseUnknown(environment, prefix, names)
  const text = (name: Name | ServerSetting<Prefix>): string | undefined => settingFrom(environment, name)
  const wholeNumber: SettingsReader<Name | ServerSetting<Prefix>>['wholeNumber'] = (
    name,
    [min, max, preset],
  ) => {
    const given = text(name)
    if (given === undefined) return preset
    const value = /^\d{1,7}$/.test(given) ? Number(given) : Number.NaN
    if (value >= min && value <= max) return value
    throw new ConfigError(
      `${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(given)}.`,
    )
  }
  return {
    text,
    wholeNumber,
    proxies: (name, isLive) => proxiesIn(name, text(name), isLive),
    server(portPreset) {
      const port = wholeNumber(`${prefix}_PORT`, [0, PORT_MAX, portPreset])
      const metricsPort = wholeNumber(`${prefix}_METRICS_PORT`, [0, PORT_MAX, 0])
      if (port !== 0 && metricsPort === port)
        throw new ConfigError(
          `${prefix}_METRICS_PORT is ${port}, like ${prefix}_PORT: every server needs a port of its own.`,
        )
      const host = text(`${prefix}_HOST`) ?? HOST_DEFAULT
      const environmentName = text(`${prefix}_ENVIRONMENT`) ?? 'sandbox'
      if (environmentName !== 'sandbox' && environmentName !== 'live')
        throw new ConfigError(
          `${prefix}_ENVIRONMENT must be sandbox or live; it is ${JSON.stringify(environmentName)}.`,
        )
      return {
        host,
        port,
        metricsHost: text(`${prefix}_METRICS_HOST`) ?? host,
        metricsPort,
        isLive: environmentName === 'live',
      }
    },
  }
}

function refuseUnknown(environment: Environment, prefix: string, names: readonly string[]): void {
  const wrong = Object.keys(environment).find(
    (name) => name.startsWith(`${prefix}_`) && !names.includes(name.replace(/_FILE$/, '')),
  )
  if (wrong !== undefined)
    throw new ConfigError(
      `${wrong} is not a setting. There are: ${names.join(', ')}; each also as NAME_FILE.`,
    )
}
