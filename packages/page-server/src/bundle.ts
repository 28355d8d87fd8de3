import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import nodeModule, { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

interface ScriptOptions {
  /** With which the file that is kept begins. */
  readonly name: string
  /** Parts of the script as they are written, each after those that it needs. What they import, they find in one scope. */
  readonly sources: readonly string[]
  /** Where it is kept; by default beside Node's compiled code. */
  readonly folder?: string | undefined
  /** What else may be left out. */
  readonly tighten?: (script: string) => string
  /** Its names are its own: another script runs on the same page. */
  readonly hasScope?: boolean
}

/**
 * A script for browsers: the parts one after the other, without their types, imports and comments. It is kept: what strips the types
 * takes 25 MiB of memory for as long as the process runs.
 */
export function bundleScript({
  name,
  sources,
  folder = nodeModule.getCompileCacheDir(),
  tighten = (script) => script,
  hasScope = false,
}: ScriptOptions): string {
  const build = (): string => {
    const script = tighten(sources.map(toScript).join(''))
    return hasScope ? `(()=>{${script}})()` : script
  }
  if (folder === undefined) return build()
  const how = [process.version, toScript.toString(), tighten.toString(), hasScope, sources]
  const hash = createHash('sha256').update(JSON.stringify(how))
  const file = join(folder, `${name}-${hash.digest('hex')}.js`)
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
