import { ERROR_CATALOGUE } from '@tollgate/contract'

const STATUS_MEANING: Readonly<Record<number, string>> = {
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

/** A page for every code of the catalogue: what it means, why it happens, what to do. */
export function errorPages(): readonly { readonly code: string; readonly text: string }[] {
  return Object.entries(ERROR_CATALOGUE).map(([code, description]) => ({
    code,
    text: [
      `# ${code}`,
      `**HTTP ${String(description.status)}**: ${STATUS_MEANING[description.status] ?? 'error'}.`,
      `> ${description.message}`,
      '## Why it happens',
      description.cause,
      '## What to do',
      description.remedy,
      '',
    ]
      .join('\n\n')
      .replace(/\n+$/, '\n'),
  }))
}
