import { sign } from 'node:crypto'
import type { RawResponse } from '@tollgate/sdk'
import type { Gateway } from './gateway.ts'

/** `X-SIGNATURE` over exactly these bytes. */
export function signatureOver(bytes: string | Uint8Array, privateKey: string): string {
  return sign('sha256', Buffer.from(bytes), privateKey).toString('base64')
}

interface TokenCall {
  readonly path?: '/auth-tokens' | '/auth-tokens-by-action'
  readonly body: string | Uint8Array
  readonly signature?: string
}

/** Sends a token request to the byte. */
export function askToken(
  gateway: Gateway,
  { path = '/auth-tokens', body, signature }: TokenCall,
): Promise<RawResponse> {
  return gateway.call({
    method: 'POST',
    path,
    rawBody: body,
    ...(signature !== undefined && { headers: { 'X-SIGNATURE': signature } }),
  })
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The token of an answer. */
export function tokenOf(response: RawResponse): string {
  const body: { token?: unknown } = JSON.parse(response.text)
  if (typeof body.token !== 'string') throw new Error(`no token: ${response.status} ${response.text}`)
  return body.token
}

/** What a token claims; nothing is verified. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
