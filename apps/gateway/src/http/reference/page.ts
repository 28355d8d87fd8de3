import { ERROR_CATALOGUE } from '@tollgate/contract/words'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { Json } from '../openapi-shapes.ts'
import {
  type Answer,
  type Chapter,
  type Content,
  chaptersOf,
  type Operation,
  type Parameter,
} from './document.ts'
import { inline, membersOf, type Resolve, resolverOf, typeOf } from './schema-view.ts'

/** What pages of the API are made of. */
interface Frame {
  readonly title: string
  /** The folder of the API above the page, such as `..`. */
  readonly root: string
  readonly isLive: boolean
  readonly main: Html
  /** Whether the page sends requests. */
  readonly hasScript?: boolean
}

/** A whole page. */
export function frame({ title, root, isLive, main, hasScript = false }: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${root}/docs/reference.css">
${hasScript && html`<script type="module" src="${root}/docs/reference.js"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="${root}/">Tollgate</a> <span class="mode ${isLive ? 'live' : 'sandbox'}">${isLive ? 'Live' : 'Sandbox: no real money'}</span>
<nav aria-label="Pages"><a href="${root}/docs">API reference</a> <a href="${root}/openapi.json">OpenAPI</a></nav></header>
<main id="main">${main}</main>
</body>
</html>
`.text
}

interface ReferenceInput {
  readonly document: Json
  readonly publicUrl: string
  readonly isLive: boolean
}

/** The reference of all operations. In the sandbox, with forms that send them. */
export function referencePage({ document, publicUrl, isLive }: ReferenceInput): string {
  const chapters = chaptersOf(document)
  const context: Context = { resolve: resolverOf(document), publicUrl, canSend: !isLive }
  const main = html`<nav class="contents" aria-label="Operations">${chapters.map(
    ({ name, operations }) =>
      html`<h2>${name}</h2><ul>${operations.map((each) => html`<li><a href="#${each.id}">${each.summary}</a></li>`)}</ul>`,
  )}<h2>Errors</h2><ul><li><a href="#errors">All error codes</a></li></ul></nav>
<div class="reference"><h1>Tollgate API</h1>
<p>Base address: <code>${publicUrl}</code>. Each request carries <code>X-API-Version: 2</code>; all but those for tokens carry <code>Authorization: Bearer</code> and a token. Bodies are JSON, and amounts are JSON numbers. The same requests for <a href="./docs/postman.json">Postman</a> and <a href="./docs/bruno.json">Bruno</a>.</p>
${context.canSend ? tokenForm : html`<p>This gateway moves real money, so this page sends nothing. A sandbox has the same page with forms.</p>`}
${chapters.map((chapter) => chapterOf(chapter, context))}
${errorList()}</div>`
  return frame({ title: 'Tollgate API reference', root: '.', isLive, main, hasScript: context.canSend })
}

interface Context {
  readonly resolve: Resolve
  readonly publicUrl: string
  readonly canSend: boolean
}

const tokenForm = html`<form class="token" id="token" data-token hidden>
<h2>Try it: request a token</h2>
<p>The page signs the request in your browser. The key file is read here and sent nowhere. <code>npm start</code> writes the key of the merchant DEMO to <code>.tollgate/demo/</code>.</p>
<label>Merchant code <input name="merchantCode" value="DEMO" autocomplete="off" required></label>
<label>Private key (PEM) <input name="key" type="file" accept=".pem,.key" required></label>
<label>Operations, one per line <textarea name="operations" rows="3" spellcheck="false">GET /.*
POST /.*
PATCH /.*</textarea></label>
<button>Request a token</button> <output role="status"></output>
</form>
<noscript><p>Without JavaScript this page shows the API and sends nothing.</p></noscript>`

function chapterOf({ name, description, operations }: Chapter, context: Context): Html {
  return html`<section><h2>${name}</h2><p>${inline(description)}</p>${operations.map((each) => operationOf(each, context))}</section>`
}

function operationOf(operation: Operation, context: Context): Html {
  const { id, method, path, summary, description, parameters, body, answers } = operation
  const shown = parameters.filter(({ name }) => name !== VERSION_HEADER)
  return html`<article id="${id}"><h3>${summary}</h3>
<p class="address"><span class="method">${method}</span> <code>${path}</code></p>
${description !== '' && html`<p>${inline(description)}</p>`}
${shown.length > 0 && html`<h4>Parameters</h4><dl class="members">${shown.map((each) => parameterOf(each, context))}</dl>`}
${body !== undefined && html`<h4>Body</h4>${membersOf(body.schema, context.resolve)}`}
<h4>Example</h4><pre tabindex="0">${curlOf(operation, context)}</pre>
${context.canSend && formOf(operation)}
<h4>Answers</h4>${answers.map((answer) => answerOf(answer, context))}
</article>`
}

const VERSION_HEADER = 'X-API-Version'

function parameterOf(
  { name, in: place, isRequired, description, schema }: Parameter,
  { resolve }: Context,
): Html {
  return html`<div><dt><code>${name}</code> <span class="type">${place}, ${typeOf(schema, resolve)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</dt><dd>${description !== '' && html`<p>${inline(description)}</p>`}</dd></div>`
}

function answerOf({ status, description, content }: Answer, { resolve }: Context): Html {
  const title = html`<strong>${status}</strong> ${description}`
  if (content === undefined) return html`<p class="answer">${title}</p>`
  return html`<details class="answer"><summary>${title}</summary>${exampleOf(content)}${membersOf(content.schema, resolve)}</details>`
}

const exampleOf = ({ example }: Content): Html | undefined =>
  example === undefined ? undefined : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`

/** The request as a command. */
function curlOf({ method, path, parameters, body, needsToken }: Operation, { publicUrl }: Context): string {
  const example = body === undefined ? undefined : JSON.stringify(body.example ?? {}, null, 2)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${publicUrl}${filled(path, parameters)}'`,
    `-H 'X-API-Version: 2'`,
    ...(needsToken ? [`-H "Authorization: Bearer $TOKEN"`] : [`-H "X-SIGNATURE: $SIGNATURE"`]),
    ...(example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${example}'`]),
  ].join(' \\\n  ')
}

function filled(path: string, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const example = parameters.find((each) => each.name === name)?.example ?? ''
    return example === '' ? whole : example
  })
}

/** Sends the operation; shown by the script, which also makes ids that are new. */
function formOf({ id, method, path, parameters, body, needsToken }: Operation): Html | undefined {
  if (!needsToken) return undefined
  const inputs = parameters.filter((each) => each.in === 'path' || each.in === 'query')
  return html`<form class="try"${attributes({ 'data-send': true, 'data-method': method, 'data-path': path, hidden: true, 'aria-label': `Try ${id}` })}>
${inputs.map((each) => html`<label>${each.name} <input${attributes({ name: each.name, 'data-in': each.in, value: each.in === 'path' ? each.example : '', required: each.in === 'path', autocomplete: 'off' })}></label>`)}
${body !== undefined && html`<label>Body <textarea name="body" rows="8" spellcheck="false">${JSON.stringify(body.example ?? {}, null, 2)}</textarea></label>`}
<button>Send</button><div role="status"></div><pre tabindex="0" hidden></pre></form>`
}

function errorList(): Html {
  return html`<section id="errors"><h2>Errors</h2><p>Each error answer has a <code>code</code>, and a <code>docUrl</code> that says why it happens and what to do.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${Object.entries(
    ERROR_CATALOGUE,
  ).map(
    ([code, { status, message }]) =>
      html`<tr><td><a class="alone" href="./errors/${code}">${code}</a></td><td>${status}</td><td>${inline(message)}</td></tr>`,
  )}</tbody></table></section>`
}
