import type { ErrorDescription } from './error-description.ts'
import { ERROR_CATALOGUE, type ErrorCode } from './errors.ts'

/** What each status of an error means (specification section 7). */
const STATUS_MEANINGS: Readonly<Record<ErrorDescription['status'], string>> = {
  400: 'the input is not valid against the interface definition',
  401: 'not authenticated',
  403: 'the token lacks permission',
  404: 'wrong version or unknown operation',
  406: 'the input fails business validation',
  409: 'the id was already accepted',
  410: 'there is no such entity',
  429: 'rate limit exceeded; not processed',
  500: 'server error; the outcome is not known',
}

/** The specification knows 409 for these only. The others, which came later, are about a state. */
const ID_CONFLICTS: ReadonlySet<ErrorCode> = new Set(['ENTITY_DUPLICATED', 'PAYOUT_ID_LOST'])

/** What the status of a code means. */
export function errorMeaning(code: ErrorCode): string {
  const { status } = ERROR_CATALOGUE[code]
  return status === 409 && !ID_CONFLICTS.has(code)
    ? 'the current state does not allow it'
    : STATUS_MEANINGS[status]
}

/** The page of a code in Markdown: what it means, why it happens, what to do. Every error answer names it in `docUrl`. */
export function errorPage(code: ErrorCode): string {
  const { status, message, cause, remedy } = ERROR_CATALOGUE[code]
  return `# ${code}

**HTTP ${String(status)}**: ${errorMeaning(code)}.

> ${message}

## Why it happens

${cause}

## What to do

${remedy}
`
}
