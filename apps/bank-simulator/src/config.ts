import { readFileSync } from 'node:fs'
import { SECRET_BYTES_MIN } from '@tollgate/rail-protocol'
import type { GatewayAddress } from './notifier.ts'
import type { SimulatorOptions } from './simulator.ts'

/** A setting that cannot be used: one sentence that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>
export type Settings = Omit<SimulatorOptions, 'log' | 'clock' | 'pauseMs'>

const PORT_DEFAULT = 8083
const PORT_MAX = 65_535
const RAIL_CODE_PATTERN = /^[a-z0-9-]{1,64}$/

/** Reads the settings once, from the environment. README.md of this app has the list. Throws ConfigError. */
export function readConfig(environment: Environment): Settings {
  return {
    host: setting(environment, 'SIMULATOR_HOST') ?? '127.0.0.1',
    port: portOf(environment),
    dataDir: required(environment, 'SIMULATOR_DATA_DIR'),
    secret: secretOf(environment),
    keyId: setting(environment, 'SIMULATOR_KEY_ID') ?? 'sandbox',
    adminKey: required(environment, 'SIMULATOR_ADMIN_KEY'),
    gateway: gatewayOf(environment),
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
  } catch (error) {
    throw new ConfigError(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : ''}.`)
  }
}

function required(environment: Environment, name: string): string {
  const value = setting(environment, name)
  if (value === undefined) throw new ConfigError(`${name} is missing.`)
  return value
}

function secretOf(environment: Environment): Buffer {
  const text = required(environment, 'SIMULATOR_SECRET')
  const secret = Buffer.from(text, 'base64')
  // A lax reading would take a damaged text for another secret.
  if (secret.length >= SECRET_BYTES_MIN && secret.toString('base64') === text) return secret
  throw new ConfigError(`SIMULATOR_SECRET must be ${SECRET_BYTES_MIN} bytes or more in base64.`)
}

function portOf(environment: Environment): number {
  const text = setting(environment, 'SIMULATOR_PORT')
  if (text === undefined) return PORT_DEFAULT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= PORT_MAX) return port
  throw new ConfigError(
    `SIMULATOR_PORT must be a whole number up to ${PORT_MAX}; it is ${JSON.stringify(text)}.`,
  )
}

function gatewayOf(environment: Environment): GatewayAddress | undefined {
  const url = setting(environment, 'SIMULATOR_GATEWAY_URL')
  if (url === undefined) return undefined
  const railCode = setting(environment, 'SIMULATOR_RAIL_CODE') ?? 'simulator'
  const { protocol } = URL.parse(url) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ConfigError('SIMULATOR_GATEWAY_URL must be an http or https address.')
  if (!RAIL_CODE_PATTERN.test(railCode))
    throw new ConfigError('SIMULATOR_RAIL_CODE must be the code of a rail, such as sandbox.')
  return { url: url.replace(/\/+$/, ''), railCode }
}
