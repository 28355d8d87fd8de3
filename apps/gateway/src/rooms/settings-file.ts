import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { ConfigError } from '../config.ts'

// Files of JSON that a setting names: what is wrong with one is a sentence that names the setting, and the field in it.

interface SettingsFile<Schema extends TSchema> {
  /** The name of the setting. */
  readonly setting: string
  readonly file: string
  readonly schema: Schema
  /** What is wrong, for the first field that is; undefined: something is, and nobody knows what. */
  readonly sentence: (error: ErrorObject | undefined) => string
}

/** What the file holds, as the schema says. Throws ConfigError. */
export function readSettingsFile<Schema extends TSchema>({
  setting,
  file,
  schema,
  sentence,
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
  if (!validate(given)) throw new ConfigError(`${setting}: ${sentence(validate.errors?.[0])}`)
  return given
}

/** `/0/fetch/1` is `[0].fetch[1]`. */
export const placeOf = (path: string): string => path.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.')
