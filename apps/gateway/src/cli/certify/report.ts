import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { Case } from './case.ts'
import { Fault } from './fault.ts'

/** How a case ended. */
type Result =
  | { readonly result: 'PASSED' }
  | { readonly result: 'FAILED'; readonly seen: string; readonly expected: string; readonly fix: string }
  | { readonly result: 'NOT_RUN' }

/** A case with its result. */
export type Played = Pick<Case, 'name' | 'done' | 'right' | 'why'> & Result

/** The whole run. */
export interface Certificate {
  readonly shop: string
  readonly merchantCode: string
  readonly startedAt: string
  readonly passed: number
  readonly total: number
  readonly cases: readonly Played[]
}

/** A case as it ended: with the fault, or undefined. */
export function played(it: Case, end: Fault | 'PASSED' | 'NOT_RUN'): Played {
  const { name, done, right, why, fix } = it
  const known = { name, done, right, why }
  if (!(end instanceof Fault)) return { ...known, result: end }
  return { ...known, result: 'FAILED', seen: end.seen, expected: end.expected, fix: end.fix ?? fix }
}

/** One line for a case. */
export const lineOf = (it: Played): string =>
  `${WORDS[it.result].padEnd(8)}${it.name.padEnd(17)}${sentenceOf(it)}`

const WORDS = { PASSED: 'ok', FAILED: 'FAILED', NOT_RUN: 'not run' } as const

/** What was seen, what was expected, and what to do. */
function sentenceOf(it: Played): string {
  if (it.result !== 'FAILED') return it.right
  return `${it.seen.charAt(0).toUpperCase()}${it.seen.slice(1)}; expected: ${it.expected}. ${it.fix}`
}

/** How many passed, in a sentence. */
export const sumOf = ({ passed, total }: Certificate): string => `${passed} of ${total} cases passed.`

const STYLE = html`<style>body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
details{border:1px solid #8888;border-inline-start-width:.5rem;border-radius:.5rem;padding:.5rem 1rem;margin-block:.75rem}
summary{font-weight:600;cursor:pointer}.PASSED{border-inline-start-color:#1a7f37}.FAILED{border-inline-start-color:#cf222e}
dl{margin:.25rem 0}dt{opacity:.75}dd{margin:0 0 .25rem}</style>`

const failuresFirst = (cases: readonly Played[]): readonly Played[] =>
  cases.toSorted((one, other) => Number(other.result === 'FAILED') - Number(one.result === 'FAILED'))

/** The report as a page of its own, which loads nothing. */
export function pageOf(certificate: Certificate): string {
  const { shop, merchantCode, startedAt, cases } = certificate
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${sumOf(certificate)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
${STYLE}</head><body><main><h1>${sumOf(certificate)}</h1>
<p>Shop ${shop}, merchant ${merchantCode}, ${startedAt}.</p>
${failuresFirst(cases).map(detailsOf)}</main></body></html>
`.text
}

function detailsOf(it: Played): Html {
  const rows =
    it.result === 'FAILED'
      ? [row('Seen', it.seen), row('Expected', it.expected), row('What to do', it.fix)]
      : []
  const known = [row('What is done', it.done), row('What a correct shop does', it.right), row('Why', it.why)]
  return html`<details class="${it.result}"${attributes({ open: it.result === 'FAILED' })}>
<summary>${WORDS[it.result]}: ${it.name}</summary><dl>${rows}${known}</dl></details>
`
}

const row = (name: string, text: string): Html => html`<dt>${name}</dt><dd>${text}</dd>`
