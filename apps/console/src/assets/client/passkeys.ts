/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { every } from './main.ts'

// Passkeys: a form of the server says what is asked of the device, and takes the answer along. Nothing is fetched.

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The operator API made it, and the server has read it by its schema. */
const isCreation = (_options: unknown, kind: string): _options is PublicKeyCredentialCreationOptionsJSON =>
  kind === 'create'
const isRequest = (_options: unknown, kind: string): _options is PublicKeyCredentialRequestOptionsJSON =>
  kind === 'get'

const described = (
  list: readonly PublicKeyCredentialDescriptorJSON[] = [],
): PublicKeyCredentialDescriptor[] => list.map(({ id }) => ({ type: 'public-key', id: bytesOf(id) }))

async function askDevice(kind: string, text: string): Promise<Credential | null> {
  const options: unknown = JSON.parse(text)
  if (isRequest(options, kind)) {
    const { challenge, rpId, timeout, allowCredentials } = options
    const publicKey: PublicKeyCredentialRequestOptions = {
      challenge: bytesOf(challenge),
      userVerification: 'required',
      allowCredentials: described(allowCredentials),
      ...(rpId !== undefined && { rpId }),
      ...(timeout !== undefined && { timeout }),
    }
    return navigator.credentials.get({ publicKey })
  }
  if (!isCreation(options, kind)) return null
  const { challenge, rp, user, pubKeyCredParams, excludeCredentials } = options
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: bytesOf(challenge),
    rp,
    user: { ...user, id: bytesOf(user.id) },
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    excludeCredentials: described(excludeCredentials),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    ...(options.timeout !== undefined && { timeout: options.timeout }),
  }
  return navigator.credentials.create({ publicKey })
}

function answerText(credential: Credential | null): string {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The device gave no passkey.')
  const { id, response } = credential
  const clientDataJSON = textOf(response.clientDataJSON)
  if (response instanceof AuthenticatorAttestationResponse)
    return JSON.stringify({
      id,
      response: { clientDataJSON, attestationObject: textOf(response.attestationObject) },
    })
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error('The device gave no signature.')
  const [authenticatorData, signature] = [textOf(response.authenticatorData), textOf(response.signature)]
  return JSON.stringify({ id, response: { clientDataJSON, authenticatorData, signature } })
}

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Not done: it was cancelled, or took too long.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'Passkeys do not work at this address.',
}

/** A form that waits for a touch: it asks at once where it says so, and again by its button. */
function offerPasskey(form: HTMLFormElement): void {
  const { passkey = '', options = '', now } = form.dataset
  const button = form.querySelector<HTMLButtonElement>('button[data-touch]')
  const answer = form.querySelector<HTMLInputElement>('input[data-answer]')
  const problem = form.querySelector<HTMLElement>('[data-problem]')
  if (button === null || answer === null || problem === null) return
  const say = (text: string): void => {
    problem.textContent = text
    problem.hidden = text === ''
  }
  let isAsking = false
  const ask = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    say('')
    try {
      answer.value = answerText(await askDevice(passkey, options))
      form.requestSubmit()
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      const more =
        name === 'NotAllowedError' && passkey === 'get' ? ' Or this device has no passkey for it.' : ''
      say((PROBLEMS[name] ?? message) + more)
    }
    isAsking = false
  }
  button.hidden = false
  if (typeof PublicKeyCredential === 'undefined') {
    button.disabled = true
    say('This browser has no passkeys.')
    return
  }
  button.addEventListener('click', () => void ask())
  if (now !== undefined) void ask()
}

/** An invitation stands behind the #, which no server sees; it leaves the address bar and the history at once. */
function readInvitation(): void {
  const field = document.querySelector<HTMLInputElement>('input[data-invitation]')
  if (field === null) return
  const secret = decodeURIComponent(location.hash.slice(1)).trim()
  const isThere = /^[\w-]{16,512}$/.test(secret)
  if (isThere) {
    field.value = secret
    history.replaceState(null, '', location.pathname)
  }
  for (const each of every('[data-invited]'))
    each.hidden = (each.dataset['invited'] === 'yes') !== (field.value !== '')
}

for (const each of every('[data-script]')) each.hidden = false
for (const each of every('[data-without]')) each.hidden = true
for (const form of every<HTMLFormElement>('form[data-passkey]')) offerPasskey(form)
readInvitation()
addEventListener('hashchange', readInvitation)
