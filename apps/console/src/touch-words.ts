import type { Touchable } from './operator-api.ts'

// What a touch is for, in words. They are made from the request that the operator API binds the touch to, so they are true whatever
// a form says.

type Words = (...names: readonly string[]) => string

/** Names in a path are `*`. */
const WORDS: readonly (readonly [request: string, words: Words])[] = [
  ['POST /operator/payouts/*/*/!approve', (merchant, id) => `approve payout ${id} of ${merchant}`],
  ['POST /operator/payouts/*/*/!reject', (merchant, id) => `reject payout ${id} of ${merchant}`],
  ['POST /operator/payments/*/*/*/!release', (_, merchant, id) => `release ${id} of ${merchant}`],
  ['POST /operator/payments/*/*/*/!cancel', (_, merchant, id) => `cancel ${id} of ${merchant}`],
  ['POST /operator/reviews/*/*/*/!decide', (_, merchant, id) => `decide the outcome of ${id} of ${merchant}`],
  ['POST /operator/confirmations/*/!confirm', (id) => `confirm proposal ${id}`],
  ['POST /operator/confirmations/*/!refuse', (id) => `refuse proposal ${id}`],
  ['POST /operator/payout-files/*/!by-hand', (id) => `carry payout file ${id} by hand`],
  ['POST /operator/restore-gap/!waive', () => 'go on without the statement of an account'],
  ['POST /operator/restore-gap/!propose', () => 'propose to close the restore gap'],
  ['POST /operator/restore-gap/!close', () => 'close the restore gap'],
  ['POST /operator/operators', () => 'create an operator'],
  ['POST /operator/operators/*/!enable', (code) => `enable ${code}`],
  ['PUT /operator/operators/*/roles', (code) => `set the roles of ${code}`],
  ['POST /operator/operators/*/keys', (code) => `create a key for ${code}`],
  ['POST /operator/operators/*/keys/*/!second', (code, key) => `add the second half of ${key} of ${code}`],
  ['DELETE /operator/operators/*/keys/*', (code, key) => `remove ${key} of ${code}`],
  ['POST /operator/merchants/*/people', (merchant) => `invite a person of ${merchant}`],
  ['POST /operator/merchants/*/people/*/!invite', (_, code) => `invite ${code} again`],
  ['POST /operator/merchants/*/people/*/!enable', (_, code) => `enable ${code}`],
  ['PUT /operator/merchants/*/people/*/role', (_, code) => `set the role of ${code}`],
  ['POST /operator/merchants/*/keys', (merchant) => `add a signing key of ${merchant}`],
  ['POST /operator/merchants/*/keys/*/!confirm', (merchant, key) => `confirm ${key} of ${merchant}`],
  ['DELETE /operator/merchants/*/keys/*', (merchant, key) => `remove ${key} of ${merchant}`],
  ['POST /operator/invitations', () => 'invite an operator'],
  ['POST /operator/passkeys/!begin', () => 'register another passkey'],
  ['POST /operator/passkeys/*/!confirm', (id) => `confirm passkey ${id}`],
  ['POST /operator/identities/*/!confirm', (id) => `confirm linked account ${id}`],
  ['DELETE /operator/identities/*', (id) => `remove linked account ${id}`],
  ['DELETE /operator/passkeys/*', (id) => `remove passkey ${id}`],
]

/** The rest of "Touch your passkey to …". */
export function touchWords({ method, path }: Touchable): string {
  const request = `${method} ${path}`.split('/')
  for (const [pattern, words] of WORDS) {
    const parts = pattern.split('/')
    const fits =
      parts.length === request.length && parts.every((part, at) => part === '*' || part === request[at])
    if (fits) return words(...request.filter((_, at) => parts[at] === '*').map(decoded))
  }
  return `do ${method} ${path}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
