/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// The script of the reference, in the sandbox alone: requests a token signed with a key that stays in the browser, and sends
// what the forms say to the gateway that served the page.

let token: string | undefined

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Reads a PKCS#8 key that signs and cannot be read again. Throws an Error that says what is wrong with the file. */
async function keyOf(pem: string): Promise<CryptoKey> {
  if (!isSecureContext)
    throw new Error('Browsers sign only on https:// and on localhost. Open this page by one of these.')
  if (pem.includes('BEGIN RSA PRIVATE KEY'))
    throw new Error('This key has the older form PKCS#1. Convert it: openssl pkcs8 -topk8 -nocrypt -in KEY')
  const base64 = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem)?.[1]
  if (base64 === undefined)
    throw new Error('This file has no private key: it must contain BEGIN PRIVATE KEY.')
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  try {
    const der = Uint8Array.from(atob(base64.replace(/\s/g, '')), (letter) => letter.codePointAt(0) ?? 0)
    return await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  } catch {
    throw new Error('This is not an RSA private key.')
  }
}

async function signed(body: string, key: CryptoKey): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key, new TextEncoder().encode(body)),
  )
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}

function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

async function requestToken(form: HTMLFormElement): Promise<string> {
  const file = new FormData(form).get('key')
  if (!(file instanceof File) || file.size === 0) throw new Error('Choose the file of your private key.')
  const operations = fieldOf(form, 'operations')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const body = JSON.stringify({
    merchantCode: fieldOf(form, 'merchantCode').trim(),
    operations,
    validitySecs: 3600,
    // eslint-disable-next-line no-restricted-properties -- a browser has no other clock
    timestamp: Math.floor(Date.now() / 1000),
  })
  const signature = await signed(body, await keyOf(await file.text()))
  const headers = { 'X-API-Version': '2', 'Content-Type': 'application/json', 'X-SIGNATURE': signature }
  const response = await fetch('auth-tokens', { method: 'POST', headers, body })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null) throw new Error('The answer is not an object.')
  if ('token' in answer && typeof answer.token === 'string') {
    token = answer.token
    return `Token for one hour: ${operations.join(', ')}`
  }
  throw new Error(
    'message' in answer ? `${response.status}: ${String(answer.message)}` : `${response.status}`,
  )
}

/** JSON on several lines; digits and texts stay exactly as they came. */
function indented(json: string): string {
  let depth = 0
  // Empty objects and lists stay on one line.
  const parts = json.match(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  return parts
    .map((part) => {
      if (part === ':') return ': '
      const [opens, closes] = ['{['.includes(part), '}]'.includes(part)]
      depth += Number(opens) - Number(closes)
      const line = `\n${'  '.repeat(depth)}`
      if (closes) return `${line}${part}`
      return opens || part === ',' ? `${part}${line}` : part
    })
    .join('')
}

const inputsOf = (form: ParentNode): readonly HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[data-in]'),
]

function addressOf(path: string, inputs: readonly HTMLInputElement[]): string {
  const given = inputs.filter((input) => input.dataset['in'] === 'query' && input.value !== '')
  const query = new URLSearchParams(given.map(({ name, value }) => [name, value])).toString()
  const filledIn = (_: string, name: string): string =>
    encodeURIComponent(inputs.find((input) => input.name === name)?.value ?? '')
  return `${path.slice(1).replace(/\{(\w+)\}/g, filledIn)}${query === '' ? '' : `?${query}`}`
}

async function send(form: HTMLFormElement): Promise<{ readonly status: string; readonly text: string }> {
  if (token === undefined) throw new Error('Request a token first, at the top of the page.')
  const { method = 'GET', path = '' } = form.dataset
  const inputs = inputsOf(form)
  const body = form.querySelector('textarea')?.value
  const headers = { 'X-API-Version': '2', Authorization: `Bearer ${token}` }
  const startMs = performance.now()
  const response = await fetch(addressOf(path, inputs), {
    method,
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'Content-Type': 'application/json' }, body }),
  })
  const text = await response.text()
  const ms = Math.round(performance.now() - startMs)
  if (method === 'POST' && response.status === 201) takeOver(inputs)
  const requestId = response.headers.get('x-request-id') ?? '?'
  return { status: `${response.status} in ${ms} ms, request ${requestId}`, text: indented(text) }
}

/** What was created is what the other forms read. */
function takeOver(inputs: readonly HTMLInputElement[]): void {
  for (const { name, value } of inputs) {
    for (const other of inputsOf(document)) {
      if (other.name === name && other.form?.dataset['method'] !== 'POST') other.value = value
    }
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-token]')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const output = form.querySelector('output')
    const say = (text: string): void => {
      if (output !== null) output.textContent = text
    }
    requestToken(form).then(say, (error: unknown) => say(said(error)))
  })
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-send]')) {
  form.hidden = false
  // An id is taken for ever, so each page begins with new ones.
  const suffix = crypto.randomUUID().slice(0, 8)
  for (const input of inputsOf(form)) {
    if (form.dataset['method'] === 'POST' && input.dataset['in'] === 'path' && input.name.startsWith('id'))
      input.value = `TRY-${suffix}`
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const [status, result] = [form.querySelector('[role=status]'), form.querySelector('pre')]
    if (status === null || result === null) return
    status.textContent = 'Sending…'
    send(form).then(
      (answer) => {
        status.textContent = answer.status
        result.textContent = answer.text
        result.hidden = answer.text === ''
      },
      (error: unknown) => {
        status.textContent = said(error)
      },
    )
  })
}
