import { decodeSecret, SECRET_BYTES_MIN } from '@tollgate/rail-protocol'
import { ConfigError, type Environment, settingFrom } from '@tollgate/runtime/settings'
import type { GatewayAddress } from './notifier.ts'
import type { SimulatorOptions } from './simulator.ts'

export { ConfigError }

type Settings = Omit<SimulatorOptions, 'log' | 'clock' | 'pauseMs'>

const PORT_DEFAULT = 8083
const PORT_MAX = 65_535
const RAIL_CODE_PATTERN = /^[a-z0-9-]{1,64}$/

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  return {
    host: settingFrom(environment, 'SIMULATOR_HOST') ?? '127.0.0.1',
    port: portOf(environment),
    dataDir: required(environment, 'SIMULATOR_DATA_DIR'),
    secret: secretOf(environment),
    keyId: settingFrom(environment, 'SIMULATOR_KEY_ID') ?? 'sandbox',
    adminKey: required(environment, 'SIMULATOR_ADMIN_KEY'),
    gateway: gatewayOf(environment),
  }
}

function required(environment: Environment, name: string): string {
  const value = settingFrom(environment, name)
  if (value === undefined) throw new ConfigError(`${name} is missing.`)
  return value
}

function secretOf(environment: Environment): Buffer {
  const text = required(environment, 'SIMULATOR_SECRET')
  const secret = decodeSecret(text)
  if (secret !== undefined) return secret
  throw new ConfigError(`SIMULATOR_SECRET must be ${SECRET_BYTES_MIN} bytes or more in base64.`)
}

function portOf(environment: Environment): number {
  const text = settingFrom(environment, 'SIMULATOR_PORT')
  if (text === undefined) return PORT_DEFAULT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= PORT_MAX) return port
  throw new ConfigError(
    `SIMULATOR_PORT must be a whole number up to ${PORT_MAX}; it is ${JSON.stringify(text)}.`,
  )
}

function gatewayOf(environment: Environment): GatewayAddress | undefined {
  const url = settingFrom(environment, 'SIMULATOR_GATEWAY_URL')
  if (url === undefined) return undefined
  const railCode = settingFrom(environment, 'SIMULATOR_RAIL_CODE') ?? 'simulator'
  const { protocol } = URL.parse(url) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ConfigError('SIMULATOR_GATEWAY_URL must be an http or https address.')
  if (!RAIL_CODE_PATTERN.test(railCode))
    throw new ConfigError('SIMULATOR_RAIL_CODE must be the code of a rail, such as sandbox.')
  return { url: url.replace(/\/+$/, ''), railCode }
}
