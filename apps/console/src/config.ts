import { networkInterfaces } from 'node:os'
import { ConfigError, type Environment, settingFrom } from '@tollgate/runtime/settings'

export { ConfigError }

export interface Settings {
  readonly host: string
  readonly port: number
  /** Of the Prometheus metrics; 0 opens none. */
  readonly metricsHost: string
  readonly metricsPort: number
  /** Where operators find the console, without a slash at its end. */
  readonly publicUrl: string
  /** Where the operator API is, for this process. */
  readonly apiUrl: string
  readonly isLive: boolean
}

const NAMES = [
  'CONSOLE_HOST',
  'CONSOLE_PORT',
  'CONSOLE_PUBLIC_URL',
  'CONSOLE_API_URL',
  'CONSOLE_ENVIRONMENT',
  'CONSOLE_METRICS_HOST',
  'CONSOLE_METRICS_PORT',
] as const
type Name = (typeof NAMES)[number]

const HOST_DEFAULT = '127.0.0.1'
const PORT_DEFAULT = 8082
const PORT_MAX = 65_535
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  refuseUnknown(environment)
  const port = portOf(environment, 'CONSOLE_PORT', PORT_DEFAULT)
  const metricsPort = portOf(environment, 'CONSOLE_METRICS_PORT', 0)
  if (port !== 0 && metricsPort === port)
    throw new ConfigError(
      `CONSOLE_METRICS_PORT is ${port}, like CONSOLE_PORT: every server needs a port of its own.`,
    )
  const host = setting(environment, 'CONSOLE_HOST') ?? HOST_DEFAULT
  return {
    host,
    port,
    metricsHost: setting(environment, 'CONSOLE_METRICS_HOST') ?? host,
    metricsPort,
    publicUrl: safeUrl(environment, 'CONSOLE_PUBLIC_URL') ?? `http://localhost:${port}`,
    apiUrl: apiUrlOf(environment),
    isLive: environmentOf(environment) === 'live',
  }
}

/** A mistyped name would silently leave the default in force. */
function refuseUnknown(environment: Environment): void {
  const known: readonly string[] = NAMES
  const wrong = Object.keys(environment).find(
    (name) => name.startsWith('CONSOLE_') && !known.includes(name.replace(/_FILE$/, '')),
  )
  if (wrong !== undefined)
    throw new ConfigError(
      `${wrong} is not a setting. There are: ${NAMES.join(', ')}; each also as NAME_FILE.`,
    )
}

const setting = (environment: Environment, name: Name): string | undefined => settingFrom(environment, name)

function environmentOf(environment: Environment): 'live' | 'sandbox' {
  const text = setting(environment, 'CONSOLE_ENVIRONMENT') ?? 'sandbox'
  if (text === 'live' || text === 'sandbox') return text
  throw new ConfigError(`CONSOLE_ENVIRONMENT must be sandbox or live; it is ${JSON.stringify(text)}.`)
}

function portOf(environment: Environment, name: Name, preset: number): number {
  const text = setting(environment, name) ?? String(preset)
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new ConfigError(
    `${name} must be a whole number from 0 to ${PORT_MAX}; it is ${JSON.stringify(text)}.`,
  )
}

function apiUrlOf(environment: Environment): string {
  const url = safeUrl(environment, 'CONSOLE_API_URL')
  if (url !== undefined) return url
  throw new ConfigError(
    'CONSOLE_API_URL is missing: set it to where this process reaches the operator API, such as http://127.0.0.1:8084.',
  )
}

/** Loopback, or another address of this machine: what goes there leaves it by no wire. */
function isHere(hostname: string): boolean {
  if (LOOPBACK.test(hostname)) return true
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some(({ address }) => address === hostname.replace(/^\[|\]$/g, ''))
}

/** Nothing but where it is. */
const isPlain = ({ protocol, href, origin }: URL): boolean =>
  /^https?:$/.test(protocol) && href === `${origin}/`

/** Sessions go over these: https, or a port of this machine, where nobody can listen. */
function safeUrl(environment: Environment, name: Name): string | undefined {
  const text = setting(environment, name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  // It may hold a password, so it is not repeated.
  if (url === null || !isPlain(url))
    throw new ConfigError(
      `${name} must be an http or https address without path, query or password, such as https://console.example.`,
    )
  if (url.protocol === 'http:' && !isHere(url.hostname))
    throw new ConfigError(
      `${name} must begin with https:// unless it is on this machine: keys and sessions would travel in the clear.`,
    )
  return url.origin
}
