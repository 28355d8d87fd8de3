import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { systemCode } from './failure.ts'

/** Makes the links that the package's install script would have made. False when one is missing and cannot be made. */
export function linkLibraries(native: string): boolean {
  try {
    for (const { source, target } of requiredLinks(native)) {
      const link = join(native, '..', target)
      if (!existsSync(link)) makeLink(relative(dirname(link), join(native, '..', source)), link)
    }
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function requiredLinks(native: string): readonly { source: string; target: string }[] {
  const value: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(value)) throw new Error(`${native}/pg-symlinks.json is not a list`)
  return value.map((entry: unknown) => {
    if (typeof entry === 'object' && entry !== null && 'source' in entry && 'target' in entry) {
      return { source: String(entry.source), target: String(entry.target) }
    }
    throw new Error(`${native}/pg-symlinks.json has an entry without source and target`)
  })
}

function makeLink(text: string, link: string): void {
  try {
    symlinkSync(text, link)
  } catch (error) {
    // Another Tollgate that starts at the same time made it.
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
