import { networkInterfaces } from 'node:os'
import { type ServerSettings, type SettingsReader, settingsOf } from '@tollgate/page-server'
import { ConfigError, type Environment } from '@tollgate/runtime/settings'
import { type Cells, readCells } from './cells.ts'

export interface Settings extends ServerSettings {
  /** Where operators find the console, without a slash at its end. */
  readonly publicUrl: string
  /** Where the operator API is, for this process. */
  readonly apiUrl: string
  /** Proxies whose X-Forwarded-For is believed: addresses, ranges, or names of ranges. */
  readonly trustProxy: readonly string[]
  /** Where there are several cells. */
  readonly cells?: Cells
}

const NAMES = [
  'CONSOLE_HOST',
  'CONSOLE_PORT',
  'CONSOLE_PUBLIC_URL',
  'CONSOLE_API_URL',
  'CONSOLE_CELLS',
  'CONSOLE_TRUST_PROXY',
  'CONSOLE_ENVIRONMENT',
  'CONSOLE_METRICS_HOST',
  'CONSOLE_METRICS_PORT',
] as const
type Reader = SettingsReader<(typeof NAMES)[number]>

const PORT_DEFAULT = 8082
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** Browsers lead such names to their own machine and nowhere else (RFC 6761); other programs may ask a name server. */
const BROWSERS_LOOPBACK = /^(?:[a-z\d-]+\.)+localhost$/

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  const settings = settingsOf(environment, 'CONSOLE', NAMES)
  const server = settings.server(PORT_DEFAULT)
  const publicUrl = publicUrlOf(settings) ?? `http://localhost:${server.port}`
  const cells = cellsOf(settings, publicUrl)
  return {
    ...server,
    publicUrl,
    apiUrl: apiUrlOf(settings),
    trustProxy: settings.proxies('CONSOLE_TRUST_PROXY', server.isLive),
    ...(cells !== undefined && { cells }),
  }
}

function publicUrlOf(settings: Reader): string | undefined {
  const text = settings.text('CONSOLE_PUBLIC_URL')
  return text === undefined ? undefined : safeOrigin('CONSOLE_PUBLIC_URL', text, isBrowsersHere)
}

function apiUrlOf(settings: Reader): string {
  const text = settings.text('CONSOLE_API_URL')
  if (text !== undefined) return safeOrigin('CONSOLE_API_URL', text, isHere)
  throw new ConfigError(
    'CONSOLE_API_URL is missing: set it to where this process reaches the operator API, such as http://127.0.0.1:8084.',
  )
}

function cellsOf(settings: Reader, publicUrl: string): Cells | undefined {
  const text = settings.text('CONSOLE_CELLS')
  if (text === undefined) return undefined
  const originOf = (address: string): string =>
    safeOrigin('An address in CONSOLE_CELLS', address, isBrowsersHere)
  return readCells(text, { publicUrl, originOf })
}

/** Loopback, or another address of this machine: what goes there leaves it by no wire. */
function isHere(hostname: string): boolean {
  if (LOOPBACK.test(hostname)) return true
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some(({ address }) => address === hostname.replace(/^\[|\]$/g, ''))
}

const isBrowsersHere = (hostname: string): boolean => BROWSERS_LOOPBACK.test(hostname) || isHere(hostname)

/** Nothing but where it is. */
const isPlain = ({ protocol, href, origin }: URL): boolean =>
  /^https?:$/.test(protocol) && href === `${origin}/`

/** Sessions go over these: https, or a port of this machine, where nobody can listen. */
function safeOrigin(name: string, text: string, isOwn: (hostname: string) => boolean): string {
  const url = URL.parse(text)
  // It may hold a password, so it is not repeated.
  if (url === null || !isPlain(url))
    throw new ConfigError(
      `${name} must be an http or https address without path, query or password, such as https://console.example.`,
    )
  if (url.protocol === 'http:' && !isOwn(url.hostname))
    throw new ConfigError(
      `${name} must begin with https:// unless it is on this machine: keys and sessions would travel in the clear.`,
    )
  return url.origin
}
