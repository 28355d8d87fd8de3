import { networkInterfaces } from 'node:os'
import { type ServerSettings, type SettingsReader, settingsOf } from '@tollgate/page-server'
import { ConfigError, type Environment } from '@tollgate/runtime/settings'

export interface Settings extends ServerSettings {
  /** Where operators find the console, without a slash at its end. */
  readonly publicUrl: string
  /** Where the operator API is, for this process. */
  readonly apiUrl: string
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
type Reader = SettingsReader<(typeof NAMES)[number]>

const PORT_DEFAULT = 8082
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  const settings = settingsOf(environment, 'CONSOLE', NAMES)
  const server = settings.server(PORT_DEFAULT)
  return {
    ...server,
    publicUrl: safeUrl(settings, 'CONSOLE_PUBLIC_URL') ?? `http://localhost:${server.port}`,
    apiUrl: apiUrlOf(settings),
  }
}

function apiUrlOf(settings: Reader): string {
  const url = safeUrl(settings, 'CONSOLE_API_URL')
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
function safeUrl(settings: Reader, name: 'CONSOLE_PUBLIC_URL' | 'CONSOLE_API_URL'): string | undefined {
  const text = settings.text(name)
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
