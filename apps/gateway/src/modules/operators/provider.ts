import { readFileSync } from 'node:fs'
import { ConfigError } from '@tollgate/runtime/settings'
import type * as Library from 'openid-client'

// The provider of identities, asked by the library. It is loaded when somebody first signs in there.

/** What was configured of the provider. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly secretFile: string
  readonly scope: string
  /** What an id_token must say for anybody to sign in; undefined where every account of the provider may. */
  readonly claim: { readonly name: string; readonly value: string } | undefined
  /** How the console calls it. */
  readonly name: string
}

/** What nobody but the browser that began may know: all of it follows from the secret that this browser keeps. */
export interface AttemptSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What the provider sent the browser back with. */
export interface ProviderAnswer {
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** An account of the provider. Names and addresses in the id_token are not looked at: they change hands. */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
}

/** Who it is, or why it cannot be said, for the log. */
type ProviderVerdict =
  | { readonly isRight: true; readonly account: ProviderAccount }
  | { readonly isRight: false; readonly reason: string }

export interface Provider {
  readonly name: string
  /** Where the browser is sent. Throws ProviderAway. */
  authorizationUrl(secrets: AttemptSecrets): Promise<string>
  /** Exchanges the code and checks what comes: issuer, audience, signature, nonce, times, the claim. Throws ProviderAway. */
  check(answer: ProviderAnswer, secrets: AttemptSecrets): Promise<ProviderVerdict>
}

/** The provider does not answer, or not as one. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

const TIMEOUT_SECONDS = 5
const CLOCK_TOLERANCE_SECONDS = 30
/** Where it is found is asked again after so long, so that a provider may move what it serves. */
const KNOWN_MS = 3_600_000
const SUBJECT_CHARACTERS_MAX = 255

/** The address of the console to which the provider sends browsers back; it is registered there. */
export const redirectUriOf = (consoleUrl: string): string => `${consoleUrl}/sign-in/company`

interface ProviderDeps {
  readonly settings: ProviderSettings
  readonly redirectUri: string
  readonly nowMs: () => number
}

/** Throws ConfigError when the file of the client's secret cannot be read. */
export function createProvider({ settings, redirectUri, nowMs }: ProviderDeps): Provider {
  const secret = readSecret(settings.secretFile)
  let known: { readonly atMs: number; readonly client: Promise<Library.Configuration> } | undefined
  async function client(): Promise<Library.Configuration> {
    if (known === undefined || nowMs() - known.atMs > KNOWN_MS)
      known = { atMs: nowMs(), client: discover(settings, secret) }
    try {
      return await known.client
    } catch (error) {
      known = undefined
      throw new ProviderAway(reasonOf(error), { cause: error })
    }
  }
  return {
    name: settings.name,
    async authorizationUrl({ state, nonce, verifier }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      const url = buildAuthorizationUrl(await client(), {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async check(answer, secrets) {
      try {
        return await accountOf(await client(), settings, addressOf(redirectUri, answer, secrets), secrets)
      } catch (error) {
        if (isAway(error)) throw new ProviderAway(reasonOf(error), { cause: error })
        return { isRight: false, reason: reasonOf(error) }
      }
    },
  }
}

/** Throws ConfigError. */
function readSecret(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(
      `TOLLGATE_OIDC_CLIENT_SECRET_FILE cannot be read: put the client’s secret into ${file}.`,
    )
  }
  if (text === '')
    throw new ConfigError(`TOLLGATE_OIDC_CLIENT_SECRET_FILE is empty: put the client’s secret into ${file}.`)
  return text
}

/** The issuer of the document must be the one that was asked for. */
async function discover(
  { issuer, clientId }: ProviderSettings,
  secret: string,
): Promise<Library.Configuration> {
  const library = await import('openid-client')
  const basic = library.ClientSecretBasic(secret)
  const post = library.ClientSecretPost(secret)
  return library.discovery(
    new URL(issuer),
    clientId,
    { client_secret: secret, [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const authenticate = methods.includes('client_secret_basic') ? basic : post
      return authenticate(server, ...rest)
    },
    {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // The id_token is checked by its signature as well, not only by where it came from.
        library.enableNonRepudiationChecks,
        // The settings allow http on this machine alone.
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so only to make it stand out
        ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
      ],
    },
  )
}

/** As the browser was sent back; `iss` tells a provider from another one whose code was put in. */
function addressOf(
  redirectUri: string,
  { code, iss, error }: ProviderAnswer,
  { state }: AttemptSecrets,
): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, iss, error, state }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

async function accountOf(
  client: Library.Configuration,
  { claim }: ProviderSettings,
  address: URL,
  { state, nonce, verifier }: AttemptSecrets,
): Promise<ProviderVerdict> {
  const { authorizationCodeGrant } = await import('openid-client')
  const tokens = await authorizationCodeGrant(client, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) return { isRight: false, reason: 'There is no id_token.' }
  if (claims.sub.length > SUBJECT_CHARACTERS_MAX)
    return { isRight: false, reason: 'The subject is too long.' }
  if (claim !== undefined && !says(claims[claim.name], claim.value))
    return { isRight: false, reason: `The claim ${claim.name} is not ${claim.value}.` }
  return { isRight: true, account: { issuer: client.serverMetadata().issuer, subject: claims.sub } }
}

/** The value itself, or a list with it. */
const says = (found: unknown, value: string): boolean =>
  Array.isArray(found) ? found.includes(value) : found === value

const SERVER_ERROR = 500

/** No connection, no answer in time, or a fault of the provider's own: it says nothing about who came. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ProviderAway || error.message === 'fetch failed') return true
  if ('code' in error && error.code === 'OAUTH_TIMEOUT') return true
  return error.cause instanceof Response && error.cause.status >= SERVER_ERROR
}

/** The library's sentence, and what is behind it; neither has a token or a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown fault'
  const code = 'error' in error && typeof error.error === 'string' ? ` (${error.error})` : ''
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${code}${cause}`
}
