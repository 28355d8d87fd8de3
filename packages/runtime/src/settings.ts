import { readFileSync } from 'node:fs'

/** A setting that cannot be used: one sentence that names the variable, says what is wrong and what to do. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The value of `name`, or what is in the file that `<name>_FILE` names. An empty value counts as missing, an empty
 * file does not. Throws ConfigError.
 */
export function settingFrom(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  const file = environment[`${name}_FILE`]
  if (file === undefined || file === '') return value === '' ? undefined : value
  if (value !== undefined && value !== '')
    throw new ConfigError(`${name} and ${name}_FILE are both set; set one of them.`)
  const text = readText(name, file).trim()
  // A secret that was not written must not look like one that nobody wants.
  if (text === '') throw new ConfigError(`${name}_FILE names ${file}, which is empty.`)
  return text
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`)
  }
}
