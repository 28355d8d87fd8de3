import { readFileSync } from 'node:fs'

/** A setting that cannot be used: one sentence that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Settings {
  readonly host: string
  readonly port: number
  /** Where customers find the page, without a slash at its end. */
  readonly publicUrl: string
  /** Where the gateway's API is, for this process. */
  readonly apiUrl: string
  /** Seals sessions; at least 32 bytes. All processes of one page need the same. */
  readonly secret: Buffer
  readonly serviceKey: string | undefined
  readonly isLive: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const PORT_DEFAULT = 8081
const PORT_MAX = 65_535
const SECRET_BYTES_MIN = 32

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  const isLive = environmentOf(environment) === 'live'
  const port = portOf(environment)
  const publicUrl = urlOf(environment, 'CHECKOUT_PUBLIC_URL') ?? `http://localhost:${port}`
  if (isLive && !publicUrl.startsWith('https://'))
    throw new ConfigError('CHECKOUT_PUBLIC_URL must be an https address in live.')
  const apiUrl = urlOf(environment, 'CHECKOUT_API_URL')
  if (apiUrl === undefined) throw new ConfigError('CHECKOUT_API_URL is missing.')
  return {
    host: setting(environment, 'CHECKOUT_HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    apiUrl,
    secret: secretOf(environment),
    serviceKey: setting(environment, 'CHECKOUT_SERVICE_KEY'),
    isLive,
  }
}

/** The value of `NAME`, or what is in the file that `NAME_FILE` names. Empty counts as missing. */
function setting(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  if (value !== undefined && value !== '') return value
  const file = environment[`${name}_FILE`]
  if (file === undefined || file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`)
  }
}

function environmentOf(environment: Environment): 'sandbox' | 'live' {
  const text = setting(environment, 'CHECKOUT_ENVIRONMENT') ?? 'sandbox'
  if (text === 'sandbox' || text === 'live') return text
  throw new ConfigError('CHECKOUT_ENVIRONMENT must be sandbox or live.')
}

function portOf(environment: Environment): number {
  const text = setting(environment, 'CHECKOUT_PORT')
  if (text === undefined) return PORT_DEFAULT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= PORT_MAX) return port
  throw new ConfigError(`CHECKOUT_PORT must be a whole number up to ${PORT_MAX}.`)
}

function urlOf(environment: Environment, name: string): string | undefined {
  const text = setting(environment, name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isPlain || url.pathname !== '/')
    throw new ConfigError(`${name} must be an http or https address without a path.`)
  return url.origin
}

function secretOf(environment: Environment): Buffer {
  const text = setting(environment, 'CHECKOUT_SECRET')
  if (text === undefined) throw new ConfigError('CHECKOUT_SECRET is missing.')
  const secret = Buffer.from(text, 'base64')
  // A lax reading would take a damaged text for another secret.
  if (secret.length >= SECRET_BYTES_MIN && secret.toString('base64') === text) return secret
  throw new ConfigError(`CHECKOUT_SECRET must be ${SECRET_BYTES_MIN} bytes or more in base64.`)
}
