import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule, { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** The parts of the stylesheet, in their order: a later rule wins over an equal one. */
const STYLESHEET_PARTS = [
  'tokens.css',
  'frame.css',
  'controls.css',
  'lists.css',
  'home.css',
  'payment.css',
  'desk.css',
  'bank.css',
  'merchants.css',
  'audit.css',
  'door.css',
  'people.css',
  'catalogue.css',
  'dialogs.css',
  'media.css',
] as const

/** The stylesheet: the parts one after the other, without comments, indentation and line ends. */
export function buildStylesheet(): string {
  return STYLESHEET_PARTS.map((part) => readFileSync(new URL(`styles/${part}`, import.meta.url), 'utf8'))
    .join('')
    .replace(/\/\*[\s\S]*?\*\/\n?/g, '')
    .replace(/\n\s*/g, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replace(/: /g, ':')
}

const SCRIPT_PARTS = ['client/main.ts', 'client/keys.ts', 'client/live.ts', 'client/passkeys.ts'] as const

/**
 * The browser's script without its types and comments. It is kept beside Node's compiled code: what strips the types takes
 * 25 MiB of memory for as long as the process runs.
 */
export function buildScript(folder = nodeModule.getCompileCacheDir()): string {
  const source = SCRIPT_PARTS.map((part) => readFileSync(new URL(part, import.meta.url), 'utf8'))
    .join('')
    // One file: what a part has from another one is there.
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')
  if (folder === undefined) return toScript(source)
  const hash = createHash('sha256').update(JSON.stringify([process.version, toScript.toString(), source]))
  const file = join(folder, `console-${hash.digest('hex')}.js`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const script = toScript(source)
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

function toScript(source: string): string {
  return (
    stripTypeScriptTypes(source)
      .replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('//'))
      .map((line) => `${line}\n`)
      .join('')
      // Where a line cannot end a statement, its end says nothing.
      .replace(/([{(,])\n/g, '$1')
      .replace(/\n(?=[}\])])/g, '')
      // No text of the script has such a sign between spaces.
      .replace(/ (=>|[!=]==|&&|=) /g, '$1')
  )
}
