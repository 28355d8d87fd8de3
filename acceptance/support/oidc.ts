import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { TestLife } from '@tollgate/testkit'
import { Provider } from 'oidc-provider'

// A provider of identities on loopback, and a browser that signs in there without showing anything.

export const CLIENT_ID = 'tollgate'
export const CLIENT_SECRET = 'a secret of the test that is long enough'

interface TestProvider {
  readonly issuer: string
  /** What was asked of the address of authorization, newest last. */
  readonly asked: readonly URL[]
  /** What becomes of the id_tokens that it sends from now on; undefined leaves them as they are. */
  forge(forgery: Forgery | undefined): void
  /** It takes no connections, or takes them again. */
  goAway(isAway: boolean): void
}

type Words = Readonly<Record<string, unknown>>

/** Changes an id_token before it is sent. */
export interface Forgery {
  readonly header?: Words
  readonly claims?: Words
  /** How it is signed in the end; by default with the provider’s key. */
  readonly sign?: (content: string) => string
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
/** Signs as RS256 does. */
export const signedBy =
  (key = newKey()) =>
  (content: string): string =>
    createSign('sha256').update(content).sign(key, 'base64url')

const encode = (words: unknown): string => Buffer.from(JSON.stringify(words)).toString('base64url')
const decode = (text = ''): Words => ({ ...Object(JSON.parse(Buffer.from(text, 'base64url').toString())) })

/** Whoever types a name there is who they say; nobody is asked for consent. */
export async function startProvider(
  { after }: Pick<TestLife, 'after'>,
  redirectUri: string,
): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://localhost:${address.port}`
  const key = newKey()
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] },
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub', 'groups'] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, groups: sub.startsWith('stranger') ? ['visitors'] : ['payments'] }),
    }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  })
  const asked: URL[] = []
  let forgery: Forgery | undefined
  let isAway = false
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (isAway) {
      request.socket.destroy()
      return
    }
    if (url.pathname === '/auth') asked.push(url)
    if (url.pathname === '/token' && forgery !== undefined)
      rewrite(response, { sign: signedBy(key), ...forgery })
    void answer(request, response)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer,
    asked,
    forge(wanted) {
      forgery = wanted
    },
    goAway(wanted) {
      isAway = wanted
      server.closeAllConnections()
    },
  }
}

const KEY_ID = 'of-the-test'

/** Puts another id_token into the answer, when it ends. */
function rewrite(
  response: ServerResponse,
  { header, claims, sign }: Forgery & Required<Pick<Forgery, 'sign'>>,
): void {
  const end = response.end.bind(response)
  response.end = (body: unknown) => {
    const sent: Words = { ...Object(JSON.parse(String(body))) }
    const [head, said] = String(sent['id_token']).split('.')
    const content = `${encode({ ...decode(head), ...header })}.${encode({ ...decode(said), ...claims })}`
    const text = JSON.stringify({ ...sent, id_token: `${content}.${sign(content)}` })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }
}

/** One request of a browser with these cookies, which the answer may change. */
async function ask(
  url: URL,
  form: URLSearchParams | undefined,
  cookies: Map<string, string>,
): Promise<Response> {
  const answer = await fetch(url, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form !== undefined && { body: form }),
  })
  for (const cookie of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=', 2) ?? []
    cookies.set(name, value)
  }
  return answer
}

/** Signs in at the provider as this account, and gives what the provider sends the browser back with. */
export async function authorize(authorizationUrl: string, account: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(authorizationUrl)
  let form: URLSearchParams | undefined
  let url = new URL(authorizationUrl)
  for (let step = 0; step < 12; step += 1) {
    const answer = await ask(url, form, cookies)
    const location = answer.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      form = undefined
      if (url.origin !== origin) return url.searchParams
    } else if (answer.ok && form === undefined) {
      form = new URLSearchParams({ prompt: 'login', login: account, password: 'any' })
    } else throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
  }
  throw new Error('the provider did not send the browser back')
}
