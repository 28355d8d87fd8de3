import { type ServerSettings, type SettingsReader, settingsOf } from '@tollgate/page-server'
import { ConfigError, type Environment } from '@tollgate/runtime/settings'

export interface Settings extends ServerSettings {
  /** Where customers find the page, without a slash at its end. */
  readonly publicUrl: string
  /** Where the gateway's API is, for this process. */
  readonly apiUrl: string
  /** Seals sessions; at least 32 bytes. All processes of one page need the same. */
  readonly secret: Buffer
  readonly serviceKey: string | undefined
  /** Proxies whose X-Forwarded-For is believed: addresses, ranges, or names of ranges. */
  readonly trustProxy: readonly string[]
  /** Addresses of payments begin with it: the letter of the gateway's cell, where there are several. */
  readonly cell: string | undefined
  readonly addressRatePerSecond: number
  /** How long a stopping page waits for requests under way. */
  readonly drainSeconds: number
}

const NAMES = [
  'CHECKOUT_HOST',
  'CHECKOUT_PORT',
  'CHECKOUT_METRICS_HOST',
  'CHECKOUT_METRICS_PORT',
  'CHECKOUT_PUBLIC_URL',
  'CHECKOUT_API_URL',
  'CHECKOUT_SECRET',
  'CHECKOUT_SERVICE_KEY',
  'CHECKOUT_ENVIRONMENT',
  'CHECKOUT_CELL',
  'CHECKOUT_TRUST_PROXY',
  'CHECKOUT_ADDRESS_RATE_PER_SECOND',
  'CHECKOUT_DRAIN_SECONDS',
] as const
type Reader = SettingsReader<(typeof NAMES)[number]>

const PORT_DEFAULT = 8081
const SECRET_BYTES_MIN = 32
const SERVICE_KEY_PATTERN = /^[\x21-\x7e]{16,256}$/
export const ADDRESS_RATE_DEFAULT = 100
const ADDRESS_RATE_MAX = 1_000_000
export const DRAIN_SECONDS_DEFAULT = 10
const DRAIN_SECONDS_MAX = 600

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  const settings = settingsOf(environment, 'CHECKOUT', NAMES)
  const server = settings.server(PORT_DEFAULT)
  const rates = [1, ADDRESS_RATE_MAX, ADDRESS_RATE_DEFAULT] as const
  const drains = [1, DRAIN_SECONDS_MAX, DRAIN_SECONDS_DEFAULT] as const
  return {
    ...server,
    publicUrl: publicUrlOf(settings, server),
    apiUrl: apiUrlOf(settings),
    secret: secretOf(settings),
    serviceKey: serviceKeyOf(settings),
    cell: cellOf(settings),
    trustProxy: settings.proxies('CHECKOUT_TRUST_PROXY', server.isLive),
    addressRatePerSecond: settings.wholeNumber('CHECKOUT_ADDRESS_RATE_PER_SECOND', rates),
    drainSeconds: settings.wholeNumber('CHECKOUT_DRAIN_SECONDS', drains),
  }
}

function cellOf(settings: Reader): string | undefined {
  const cell = settings.text('CHECKOUT_CELL')
  if (cell === undefined || /^[A-HJKMNP-TV-Z]$/.test(cell)) return cell
  throw new ConfigError('CHECKOUT_CELL must be the one capital letter that TOLLGATE_CELL of its gateway is.')
}

function publicUrlOf(settings: Reader, { isLive, port }: ServerSettings): string {
  const url = urlOf(settings, 'CHECKOUT_PUBLIC_URL') ?? `http://localhost:${port}`
  if (isLive && !url.startsWith('https://'))
    throw new ConfigError(
      'CHECKOUT_PUBLIC_URL must be an https address in live: set it to where customers find the page.',
    )
  return url
}

function apiUrlOf(settings: Reader): string {
  const url = urlOf(settings, 'CHECKOUT_API_URL')
  if (url !== undefined) return url
  throw new ConfigError(
    'CHECKOUT_API_URL is missing: set it to where this process reaches the API, such as http://127.0.0.1:8080.',
  )
}

function urlOf(settings: Reader, name: 'CHECKOUT_PUBLIC_URL' | 'CHECKOUT_API_URL'): string | undefined {
  const text = settings.text(name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  const isNameless = url?.username === '' && url.password === ''
  if (isPlain && isNameless && url.pathname === '/') return url.origin
  // It may hold a password, so it is not repeated.
  throw new ConfigError(
    `${name} must be an http or https address without path, query or password, such as https://pay.example.`,
  )
}

function secretOf(settings: Reader): Buffer {
  const text = settings.text('CHECKOUT_SECRET')
  if (text === undefined)
    throw new ConfigError(
      'CHECKOUT_SECRET is missing: set it to what `tollgate checkout --settings` prints where the master key is.',
    )
  const secret = Buffer.from(text, 'base64')
  // A lax reading would take a damaged text for another secret.
  if (secret.length >= SECRET_BYTES_MIN && secret.toString('base64') === text) return secret
  throw new ConfigError(
    `CHECKOUT_SECRET must be ${SECRET_BYTES_MIN} bytes or more in base64, the same for all processes.`,
  )
}

function serviceKeyOf(settings: Reader): string | undefined {
  const key = settings.text('CHECKOUT_SERVICE_KEY')
  if (key === undefined || SERVICE_KEY_PATTERN.test(key)) return key
  throw new ConfigError(
    'CHECKOUT_SERVICE_KEY must be 16 characters or more without spaces: set it to what `tollgate checkout --settings` prints.',
  )
}
