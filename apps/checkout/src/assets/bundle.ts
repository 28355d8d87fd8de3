import { readFileSync } from 'node:fs'
import { bundleScript } from '@tollgate/page-server'

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

/** The browser's script; kept in `folder`, if not where it is usually kept. */
export const buildScript = (folder?: string): string =>
  bundleScript({ name: 'page', sources: SCRIPT_PARTS.map(sourceOf), folder })

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
