import { errorMeaning, errorPage } from '@tollgate/contract'
import { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from '@tollgate/contract/words'

/** A page for every code of the catalogue, and the list of all. */
export function errorPages(): readonly { readonly name: string; readonly text: string }[] {
  const codes = Object.keys(ERROR_CATALOGUE).filter(isErrorCode)
  return [
    ...codes.map((code) => ({ name: code, text: errorPage(code) })),
    { name: 'README', text: listPage(codes) },
  ]
}

function listPage(codes: readonly ErrorCode[]): string {
  const statusOf = (code: ErrorCode): string => `${ERROR_CATALOGUE[code].status} ${errorMeaning(code)}`
  const rows = [...new Set(codes.map(statusOf))].map((status) => {
    const ofStatus = codes.filter((code) => statusOf(code) === status)
    return `| ${status} | ${ofStatus.map((code) => `[${code}](${code}.md)`).join(' · ')} |`
  })
  return `# Error codes

One page per code, with its cause and its remedy. This list and the pages are made from the one catalogue in
\`packages/contract/src/errors.ts\`; every error answer names its page in \`docUrl\`. How to work with errors is in [the
guide](../guides/errors.md).

All errors but 406 are one object: \`code\`, \`message\`, \`requestId\`, \`timestamp\`, \`docUrl\`, and for 400 \`violations\`. A
406 is an array of reasons.

| Status | Codes |
| --- | --- |
${rows.join('\n')}
`
}
