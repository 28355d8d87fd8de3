import { errorMeaning } from '@tollgate/contract'
import { ERROR_CATALOGUE, type ErrorCode } from '@tollgate/contract/words'
import { html } from '@tollgate/runtime/html'
import { frame } from './page.ts'
import { inline } from './schema-view.ts'

/** What answers here, for machines. */
export interface Landing {
  readonly name: 'Tollgate'
  readonly version: string
  readonly interfaceVersion: string
  readonly mode: 'SANDBOX' | 'LIVE'
  readonly reference: string
  readonly openapi: string
}

/** The first page of the API, for people. */
export function landingPage({ version, interfaceVersion, mode }: Landing): string {
  const isLive = mode === 'LIVE'
  const main = html`<div class="reference"><h1>This is a Tollgate payment gateway</h1>
<p>Version ${version}, interface ${interfaceVersion}. It accepts payments, pays out, and settles with merchants.</p>
<ul>
<li><a href="./docs">API reference</a>: every operation with examples${!isLive && ', and a form that sends it'}</li>
<li><a href="./openapi.json">OpenAPI document</a>: for generators and clients</li>
<li><a href="./docs#errors">Error codes</a>: why each happens, and what to do</li>
</ul>
${!isLive && html`<p>Your first payment takes five minutes: see <code>docs/guides/first-payment.md</code> in the repository.</p>`}</div>`
  return frame({ title: 'Tollgate API', root: '.', isLive, main })
}

/** What a language model that writes a client should read. */
export function llmsText({
  publicUrl,
  isLive,
}: {
  readonly publicUrl: string
  readonly isLive: boolean
}): string {
  return `# Tollgate payment gateway

> Incoming payments, payouts, top-ups, settlements and signed callbacks.${isLive ? '' : ' This is a sandbox: no real money moves.'}

Each request carries \`X-API-Version: 2\`. Tokens come from \`POST /auth-tokens\`, signed in \`X-SIGNATURE\` with the merchant's RSA key
over the minified body. Amounts are JSON numbers: keep their digits exact. Your own id makes a create safe to repeat: after
a lost answer or a 500 send the same request again. Callbacks carry only \`idEntity\`: verify their signature, then read the payment.

- [OpenAPI document](${publicUrl}/openapi.json): every operation, schema and example
- [API reference](${publicUrl}/docs): the same as a page
- Errors: each has a \`code\`; ${publicUrl}/errors/CODE says why it happens and what to do
`
}

/** The page of an error code, for people. */
export function errorHtml(code: ErrorCode, isLive: boolean): string {
  const { status, message, cause, remedy } = ERROR_CATALOGUE[code]
  const main = html`<div class="reference"><h1><code>${code}</code></h1>
<p><strong>HTTP ${status}</strong>: ${errorMeaning(code)}.</p>
<blockquote>${inline(message)}</blockquote>
<h2>Why it happens</h2><p>${inline(cause)}</p>
<h2>What to do</h2><p>${inline(remedy)}</p>
<p><a class="alone" href="../docs#errors">All error codes</a></p></div>`
  return frame({ title: `${code} – Tollgate API`, root: '..', isLive, main })
}
