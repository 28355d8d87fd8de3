/** The longest URL we store or call, in characters, as given and as serialised. */
export const TARGET_CHARACTERS_MAX = 2048

/** A URL that is well formed (call its `.href`, never the text as given), or what is wrong with it. */
export type TargetUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string }

// A URL parser drops tabs and line ends and reads a backslash as a slash, so that `java\nscript:` and
// `http:\\host` mean something else than what a person or another parser reads. None has a place in a URL.
const CHARACTERS_REFUSED = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\s\\]/u
// The slashes are written out, and something other than a further slash follows them.
const START_REQUIRED = /^https?:\/\/([^/?#]+)/iu

/**
 * Judges the syntax of a URL that we are to call or to send a customer to: absolute `http:` or `https:` with a
 * host, without user information, at most 2048 characters, and without a fragment unless `allowsFragment`: a browser
 * uses one, a server never sees it. It says nothing about where the URL leads; see `judgeTargetPolicy`. The host comes back in its ASCII form (IDN as punycode, numbers as dotted
 * decimals).
 */
export function parseTargetUrl(text: string, { allowsFragment = false } = {}): TargetUrl {
  if (text.length > TARGET_CHARACTERS_MAX) return refuse('is longer than 2048 characters')
  if (CHARACTERS_REFUSED.test(text)) {
    return refuse('contains a space, a backslash, or a control or invisible character')
  }
  const authority = START_REQUIRED.exec(text)?.[1]
  if (authority === undefined) return refuse('must start with http:// or https:// and a host')
  if (authority.includes('@')) return refuse('must not contain a user name or password')
  if (!allowsFragment && text.includes('#')) return refuse('must not contain a fragment')
  return parsed(text)
}

function parsed(text: string): TargetUrl {
  if (!URL.canParse(text)) return refuse('is not a valid URL')
  const url = new URL(text)
  if (url.hostname === '' || url.port === '0') return refuse('is not a valid URL')
  // Percent-encoding makes a text longer.
  if (url.href.length > TARGET_CHARACTERS_MAX) return refuse('is longer than 2048 characters')
  return { ok: true, url }
}

function refuse(problem: string): TargetUrl {
  return { ok: false, problem }
}
