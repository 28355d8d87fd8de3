import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule, { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** The parts of the browser's script, each after those that it needs. What they import, they find in one scope. */
export const SCRIPT_PARTS = [
  '../messages/interpolate.ts',
  '../formats/characters.ts',
  '@tollgate/payment-codes/iban',
  '../formats/iban.ts',
  'client/folding.ts',
  'client/caret.ts',
  'client/schedule.ts',
  'client/page.ts',
  'client/clock.ts',
  'client/filter.ts',
  'client/iban-field.ts',
  'client/copy.ts',
  'client/live.ts',
  'client/local-time.ts',
  'client/countdown.ts',
  'client/actions.ts',
  'client/main.ts',
] as const

/**
 * The browser's script: the parts one after the other, without their types, imports and comments. It is kept in `folder`, by default
 * beside Node's compiled code: what strips the types takes 25 MiB of memory for as long as the process runs.
 */
export function buildScript(folder = nodeModule.getCompileCacheDir()): string {
  const sources = SCRIPT_PARTS.map(sourceOf)
  const build = (): string => sources.map(toScript).join('')
  if (folder === undefined) return build()
  const hash = createHash('sha256').update(JSON.stringify([process.version, toScript.toString(), sources]))
  const file = join(folder, `page-${hash.digest('hex')}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const script = build()
    keep(folder, file, script)
    return script
  }
}

/** Another process may keep the same at the same time. A folder that cannot be written costs memory and nothing else. */
function keep(folder: string, file: string, script: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, script)
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // It is built again at the next start.
  }
}

/** A part of the script as it is written. */
export const sourceOf = (part: string): string => readFileSync(urlOf(part), 'utf8')

/** Where a part is: a file named from here, or an export of a package. */
export function urlOf(part: string): URL {
  return part.startsWith('@') ? new URL(import.meta.resolve(part)) : new URL(part, import.meta.url)
}

/** The parts of the stylesheet, in their order: a later rule wins over an equal one. */
export const STYLESHEET_PARTS = [
  'styles/base.css',
  'styles/frame.css',
  'styles/forms.css',
  'styles/picker.css',
  'styles/payment.css',
  'styles/life.css',
  'styles/media.css',
] as const

/** The stylesheet: the parts one after the other, without comments and indentation. */
export function buildStylesheet(): string {
  return STYLESHEET_PARTS.map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
    .join('')
    .replace(/\/\*[\s\S]*?\*\/\n?/g, '')
    .replace(/^\s+/gm, '')
}

function toScript(source: string): string {
  const lines = stripTypeScriptTypes(source)
    .replace(/^import\s[^']*'[^']*'$/gm, '')
    .replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, '')
    .replace(/^export /gm, '')
    .split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => `${line}\n`)
    .join('')
}
