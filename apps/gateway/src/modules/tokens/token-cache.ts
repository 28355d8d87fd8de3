import type { TokenClaims } from './model.ts'
import type { Scope } from './operations.ts'

/** A token whose signature holds: what it says, and what it permits. */
export interface VerifiedToken {
  readonly claims: TokenClaims
  readonly scope: Scope
}

/** Remembers verified tokens by their text. */
export interface TokenCache {
  find(text: string): VerifiedToken | undefined
  keep(text: string, token: VerifiedToken): void
  clear(): void
}

export const TOKENS_CACHED_MAX = 20_000
/** A token may have 14 000 characters; 20 000 of those, and what they permit, would be half a gigabyte. */
export const CHARACTERS_CACHED_MAX = 20_000_000

/** The token that was kept first goes first, once there are too many or they are too long together. */
export function createTokenCache(): TokenCache {
  const tokens = new Map<string, VerifiedToken>()
  let characters = 0

  function drop(text: string): void {
    if (tokens.delete(text)) characters -= text.length
  }

  return {
    find: (text) => tokens.get(text),
    keep(text, token) {
      drop(text)
      tokens.set(text, token)
      characters += text.length
      for (const oldest of tokens.keys()) {
        if (tokens.size <= TOKENS_CACHED_MAX && characters <= CHARACTERS_CACHED_MAX) return
        drop(oldest)
      }
    },
    clear() {
      tokens.clear()
      characters = 0
    },
  }
}
