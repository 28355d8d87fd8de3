import { existsSync, readFileSync } from 'node:fs'
import { decodeSecret, SECRET_BYTES_MIN } from '@tollgate/rail-protocol'
import { Ajv, type ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { ConfigError } from '../config.ts'

// Files of JSON that a setting names: what is wrong with one is a sentence that names the setting, and the field in it.

interface SettingsFile<Schema extends TSchema> {
  /** The name of the setting. */
  readonly setting: string
  readonly file: string
  readonly schema: Schema
  /** What an entry of the list is, such as `a channel`. */
  readonly entry: string
  /** What is wrong with a field, where its schema says more than these words do; undefined: nothing more. */
  readonly says?: (error: ErrorObject, place: string) => string | undefined
}

/** What the file holds, as the schema says. Throws ConfigError. */
export function readSettingsFile<Schema extends TSchema>({
  setting,
  file,
  schema,
  ...words
}: SettingsFile<Schema>): Static<Schema> {
  if (!existsSync(file)) throw new ConfigError(`${setting} names ${file}, which does not exist.`)
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read'
    throw new ConfigError(`${setting} names ${file}, which is no JSON: ${why}.`)
  }
  // Here, and not when the program is loaded: most installations have no such file.
  const validate = new Ajv({ allErrors: false }).compile<Static<Schema>>(schema)
  if (!validate(given)) throw new ConfigError(`${setting}: ${sentence(validate.errors?.[0], words)}`)
  return given
}

/** Names the field and never its value, which may be a secret. */
function sentence(
  error: ErrorObject | undefined,
  { entry, says }: Pick<SettingsFile<TSchema>, 'entry' | 'says'>,
): string {
  if (error === undefined) return 'it is not valid.'
  const place = placeOf(error.instancePath)
  const said = says?.(error, place)
  if (said !== undefined) return said
  const inside = place === '' ? '' : `${place}.`
  if (error.keyword === 'required') return `${inside}${String(error.params['missingProperty'])} is missing.`
  if (error.keyword === 'additionalProperties')
    return `${inside}${String(error.params['additionalProperty'])} is not a setting of ${entry}.`
  if (error.keyword === 'pattern') return `${place} has characters that are not allowed.`
  return `${place === '' ? 'the file' : place} ${error.message ?? 'is not valid'}.`
}

/** `/0/fetch/1` is `[0].fetch[1]`. */
const placeOf = (path: string): string => path.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.')

/** A secret that is shared with somebody, as its file has it. `place` names it, as in `SETTING: [0].secretFile`. Throws ConfigError. */
export function readSharedSecret(file: string, place: string): Buffer {
  if (!existsSync(file)) throw new ConfigError(`${place} names ${file}, which does not exist.`)
  const text = readFileSync(file, 'utf8').trim()
  const secret = decodeSecret(text)
  if (secret !== undefined) return secret
  throw new ConfigError(
    `${place} names ${file}, which must hold at least ${SECRET_BYTES_MIN} bytes in base64, as \`openssl rand -base64 32\` makes.`,
  )
}
