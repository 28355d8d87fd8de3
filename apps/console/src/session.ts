import { createHmac, timingSafeEqual } from 'node:crypto'
import { drawBytes } from '@tollgate/runtime'

// An operator's session: its secret is the operator API's, and lies in a cookie alone. The console keeps nothing.

export interface Cookies {
  read(header: string | undefined): string | undefined
  /** The value of `Set-Cookie`. Without an age, so that it ends with the browser. */
  write(secret: string): string
  clear(): string
}

const SECRET_PATTERN = /^[\w.-]{16,512}$/

/** `__Host-` keeps every other host and path from setting it; browsers take it by https alone. */
export function createCookies(isSecure: boolean): Cookies {
  const name = isSecure ? '__Host-tollgate' : 'tollgate'
  const rules = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read(header) {
      const values = (header ?? '').split(';').flatMap((part) => {
        const [key, value = ''] = part.trim().split('=', 2)
        return key === name && SECRET_PATTERN.test(value) ? [value] : []
      })
      // Two of one name: somebody has planted one.
      return values.length === 1 ? values[0] : undefined
    },
    write: (secret) => `${name}=${secret}${rules}`,
    clear: () => `${name}=; Max-Age=0${rules}`,
  }
}

/** Whether a text can be the value of the cookie; keys and sessions are. */
export const fitsCookie = (secret: string): boolean => SECRET_PATTERN.test(secret)

/** Somebody who was sent to the provider of identities. */
export interface Attempt {
  readonly browserSecret: string
  /** To sign in, or to link an account. */
  readonly purpose: 'in' | 'link'
  /** The screen that somebody wanted. */
  readonly next: string
}

/** Reads and writes it; undefined where there is none, or one that we did not write. */
interface AttemptCookie {
  read(header: string | undefined): Attempt | undefined
  write(attempt: Attempt): string
  clear(): string
}

const ATTEMPT_SECONDS = 600
const ATTEMPT_PATTERN = /^([\w-]{43})\.(in|link)\.([\w-]{1,2000})$/

/** `Lax`: it comes along when the provider sends the browser back. It opens nothing by itself, and lives for minutes. */
export function attemptCookie(publicUrl: string): AttemptCookie {
  const isSecure = publicUrl.startsWith('https://')
  const name = isSecure ? '__Host-tollgate-attempt' : 'tollgate-attempt'
  const rules = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(header: string | undefined): Attempt | undefined {
      const values = (header ?? '').split(';').flatMap((part) => {
        const [key, value = ''] = part.trim().split('=', 2)
        return key === name ? [value] : []
      })
      // Two of one name: somebody has planted one.
      const [, browserSecret, purpose, next] =
        (values.length === 1 && ATTEMPT_PATTERN.exec(values[0] ?? '')) || []
      if (browserSecret === undefined || next === undefined) return undefined
      return {
        browserSecret,
        purpose: purpose === 'link' ? 'link' : 'in',
        next: Buffer.from(next, 'base64url').toString(),
      }
    },
    write({ browserSecret, purpose, next }: Attempt): string {
      const path = Buffer.from(next.length > NEXT_CHARACTERS_MAX ? '/' : next).toString('base64url')
      return `${name}=${browserSecret}.${purpose}.${path}; Max-Age=${ATTEMPT_SECONDS}${rules}`
    },
    clear: (): string => `${name}=; Max-Age=0${rules}`,
  }
}

const NEXT_CHARACTERS_MAX = 1_000

const PURPOSE = 'tollgate console form token'
const TOKEN_BYTES = 16

/**
 * The token of a session's forms: it follows from the session, so nobody without its cookie can make it. Written differently
 * every time, because a secret that is packed together with a guess is found out by the length of the whole.
 */
export function formTokenOf(secret: string): string {
  const pad = drawBytes(TOKEN_BYTES)
  return Buffer.concat([pad, xor(pad, ownToken(secret))]).toString('base64url')
}

/** Whether a form came with the session's own token. */
export function isFormToken(secret: string, given: string): boolean {
  const bytes = Buffer.from(given, 'base64url')
  if (bytes.length !== 2 * TOKEN_BYTES) return false
  const token = xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES))
  return timingSafeEqual(token, ownToken(secret))
}

const ownToken = (secret: string): Buffer =>
  createHmac('sha256', secret).update(PURPOSE).digest().subarray(0, TOKEN_BYTES)

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)))
