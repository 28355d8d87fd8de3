import { readFileSync } from 'node:fs'
import { bundleScript } from '@tollgate/page-server'

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
  'cells.css',
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

const CELL_SCRIPT_PARTS = ['merge', 'answers', 'parts', 'waiting', 'payments'] as const

/** The browser's script; kept in `folder`, if not where it is usually kept. */
export const buildScript = (folder?: string): string =>
  bundleScript({ name: 'console', sources: SCRIPT_PARTS.map(sourceOf), folder, tighten })

/** The script of the screens that ask all cells. It runs beside the other one, in a scope of its own. */
export const buildCellScript = (folder?: string): string =>
  bundleScript({
    name: 'cells',
    sources: CELL_SCRIPT_PARTS.map((part) => sourceOf(`client/cells/${part}.ts`)),
    folder,
    tighten,
    hasScope: true,
  })

const sourceOf = (part: string): string => readFileSync(new URL(part, import.meta.url), 'utf8')

const tighten = (script: string): string =>
  script
    // Where a line cannot end a statement, its end says nothing.
    .replace(/([{(,])\n/g, '$1')
    .replace(/\n(?=[}\])])/g, '')
    // Where types were; no text of the script has two spaces.
    .replace(/ {2,}/g, ' ')
    // No text of the script has such a sign between spaces.
    .replace(/ (=>|[!=]==|&&|=) /g, '$1')
