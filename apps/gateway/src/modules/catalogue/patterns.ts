import { RE2JS } from 're2js'

/** Tells whether the whole text matches. */
type TextTest = (text: string) => boolean

/** Patterns of one snapshot: each is compiled once, however many fields have it. */
export interface Patterns {
  /** Undefined for a pattern that cannot be compiled. */
  find(pattern: string): TextTest | undefined
}

/**
 * Compiles patterns with an engine whose time is linear in the text, whatever the pattern: it comes from the
 * configuration, the text from a stranger.
 */
export function createPatterns(): Patterns {
  const compiled = new Map<string, TextTest | undefined>()
  return {
    find(pattern) {
      if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern))
      return compiled.get(pattern)
    },
  }
}

function compile(pattern: string): TextTest | undefined {
  try {
    const expression = RE2JS.compile(pattern)
    return (text) => expression.matches(text)
  } catch {
    return undefined
  }
}
