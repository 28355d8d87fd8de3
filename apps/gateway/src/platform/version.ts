import { readFileSync } from 'node:fs'

/** The gateway's version, from its package.json. */
export const VERSION = readVersion()

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version)
  throw new Error('package.json has no version')
}
