import { dirname, resolve } from 'node:path'
import type { ErrorObject } from 'ajv'
import { type Static, Type } from 'typebox'
import { type Config, ConfigError } from '../config.ts'
import { readSettingsFile, readSharedSecret } from './settings-file.ts'

// The institutions that an installation reaches through adapters: one JSON file, which TOLLGATE_OPEN_RAILS_FILE names.

const SETTING = 'TOLLGATE_OPEN_RAILS_FILE'
const RAILS_MAX = 100
const URL_PATTERN = '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$'
const HOSTS_OF_THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

const oneOf = <Text extends string>(...texts: readonly Text[]) =>
  Type.Union(texts.map((text) => Type.Literal(text)))

const OpenRailSchema = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    keyId: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }),
    secretFile: Type.String({ minLength: 1 }),
    baseUrl: Type.String({ pattern: URL_PATTERN }),
    customerUrl: Type.String({ pattern: URL_PATTERN }),
    directions: Type.Array(oneOf('PAYIN', 'PAYOUT', 'TOPUP'), { minItems: 1, uniqueItems: true }),
    flows: Type.Array(oneOf('REDIRECT', 'REFERENCE'), { uniqueItems: true }),
  },
  { additionalProperties: false },
)
const OpenRailsSchema = Type.Array(OpenRailSchema, { maxItems: RAILS_MAX })
type OpenRailEntry = Static<typeof OpenRailSchema>

/** One institution as it is configured, with the secret that its file holds. */
interface OpenRailSettings extends Omit<OpenRailEntry, 'secretFile'> {
  readonly secret: Buffer
}

/** The institutions of the file; none without the setting. `codesTaken` are other rails'. Throws ConfigError, whose sentence names file and field. */
export function readOpenRails(
  config: Pick<Config, 'TOLLGATE_OPEN_RAILS_FILE' | 'isLive'>,
  codesTaken: readonly string[],
): readonly OpenRailSettings[] {
  const file = config.TOLLGATE_OPEN_RAILS_FILE
  if (file === undefined) return []
  const entries = parse(file)
  const codes = new Set(codesTaken)
  return entries.map((entry, index) => {
    const problem = problemOf(entry, codes, config.isLive)
    if (problem !== undefined) throw new ConfigError(`${SETTING}: [${index}].${problem}`)
    codes.add(entry.code)
    const { secretFile, ...settings } = entry
    return {
      ...settings,
      secret: readSharedSecret(resolve(dirname(file), secretFile), `${SETTING}: [${index}].secretFile`),
    }
  })
}

/** The files with the secrets that are shared with institutions. Throws ConfigError. */
export function openRailSecretFiles({
  TOLLGATE_OPEN_RAILS_FILE: file,
}: Pick<Config, 'TOLLGATE_OPEN_RAILS_FILE'>): readonly string[] {
  return file === undefined ? [] : parse(file).map(({ secretFile }) => resolve(dirname(file), secretFile))
}

const parse = (file: string): readonly OpenRailEntry[] =>
  readSettingsFile({ setting: SETTING, file, schema: OpenRailsSchema, entry: 'a rail', says })

function says({ keyword, params }: ErrorObject, place: string): string | undefined {
  switch (keyword) {
    case 'type':
      return place === ''
        ? 'it must be an array of rails.'
        : `${place} must be of type ${String(params['type'])}.`
    case 'const':
    case 'anyOf':
      return `${place} must be one of ${place.includes('flows') ? 'REDIRECT, REFERENCE' : 'PAYIN, PAYOUT, TOPUP'}.`
    case 'pattern':
      return place.endsWith('Url')
        ? `${place} must be an http or https address without user, query and fragment.`
        : undefined
    default:
      return undefined
  }
}

/** What the schema cannot see, as the end of a sentence that begins with the place of the entry. */
function problemOf(entry: OpenRailEntry, codes: ReadonlySet<string>, isLive: boolean): string | undefined {
  if (codes.has(entry.code)) return `code must be another one: there is a rail ${entry.code} already.`
  const takesMoneyIn = entry.directions.some((direction) => direction !== 'PAYOUT')
  if (takesMoneyIn && entry.flows.length === 0)
    return 'flows must say how customers pay: REDIRECT or REFERENCE.'
  for (const name of ['baseUrl', 'customerUrl'] as const) {
    if (!URL.canParse(entry[name])) return `${name} must be an http or https address.`
    if (isLive && !isPrivateToWire(new URL(entry[name]))) return `${name} must be an https address in live.`
  }
  return undefined
}

/** Names and account numbers travel there: encrypted, or without leaving the machine. */
export const isPrivateToWire = (url: URL): boolean =>
  url.protocol === 'https:' || HOSTS_OF_THIS_MACHINE.includes(url.hostname)
