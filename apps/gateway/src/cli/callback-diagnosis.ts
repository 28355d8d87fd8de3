import { createHmac, timingSafeEqual, verify } from 'node:crypto'
import { publicKeyOf } from './callback-signature.ts'
import { CommandFailure } from './failure.ts'

// What is right or wrong with a callback that somebody recorded, and what to do about it.

/** A request as it came: its headers by their names in small letters, and its bytes. */
interface RecordedCallback {
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** What the signature says. */
type Verdict =
  | { readonly isValid: true; readonly key: string; readonly ageSeconds: number }
  | { readonly isValid: false; readonly why: string; readonly fix: string }

/** Receivers refuse what is older: anybody may have kept it. */
export const TOLERANCE_SECONDS = 300

const PUBLIC_KEY = /^whpk_[A-Za-z0-9+/]{43}=$/
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/
const BLANK_LINE = /\r?\n\r?\n/
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Throws a sentence for a text that is no public key of callbacks. */
export function publicKey(text: string): string {
  if (PUBLIC_KEY.test(text)) return text
  throw new CommandFailure('USAGE', '--key must be one of callbackPublicKeys of merchant information: whpk_…')
}

/** Throws a sentence for a file that has no shared secret. */
export function sharedSecret(text: string): string {
  const secret = text.trim()
  if (SECRET.test(secret)) return secret
  throw new CommandFailure('USAGE', 'The file of --secret-file must have a shared secret in it: whsec_…')
}

/** Reads headers, a blank line and the body; a first line such as `POST /callbacks HTTP/1.1` may be there. Throws a sentence. */
export function readRecorded(bytes: Buffer): RecordedCallback {
  // One character for each byte, so that places in the text are places in the bytes.
  const text = bytes.toString('latin1')
  const end = BLANK_LINE.exec(text)
  if (end === null)
    throw new CommandFailure(
      'USAGE',
      'There is no blank line between headers and body: record the whole request, headers first.',
    )
  const headers = new Map<string, string>()
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z0-9-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers.set(name.toLowerCase(), value)
  }
  return { headers, body: bytes.subarray(end.index + end[0].length) }
}

/** Judges a callback by the keys of its merchant. */
export function judgeCallback(
  { headers, body }: RecordedCallback,
  keys: readonly string[],
  nowMs: number,
): Verdict {
  const missing = HEADERS.filter((name) => (headers.get(name) ?? '') === '')
  if (missing.length > 0)
    return wrong(
      `It has no ${missing.join(', no ')}.`,
      'A proxy may drop headers: record the request where it arrives first. What has none is not from Tollgate.',
    )
  const [id = '', timestamp = '', signatures = ''] = HEADERS.map((name) => headers.get(name))
  if (!/^\d{1,12}$/.test(timestamp))
    return wrong(
      `Its webhook-timestamp is ${timestamp}, and no number of seconds.`,
      'It is not from Tollgate.',
    )
  const fits = (bytes: Buffer): string | undefined => {
    const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytes])
    return keys.find((key) => signaturesFor(key, signatures).some((each) => isBy(key, content, each)))
  }
  const key = fits(body)
  if (key !== undefined)
    return { isValid: true, key, ageSeconds: Math.round(nowMs / 1000 - Number(timestamp)) }
  return whyNot(body, fits) ?? ofOtherKeys(keys, signatures)
}

const wrong = (why: string, fix: string): Verdict => ({ isValid: false, why, fix })

/** What frameworks do to a body on its way. */
const CHANGES: readonly (readonly [says: string, undo: (body: Buffer) => Buffer | undefined])[] = [
  [
    'with a line break at its end',
    (body) => Buffer.from(body.toString('latin1').replace(/[\r\n]+$/, ''), 'latin1'),
  ],
  ['written anew from parsed JSON', rewritten],
]

function rewritten(body: Buffer): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))))
  } catch {
    return undefined
  }
}

function whyNot(body: Buffer, fits: (bytes: Buffer) => string | undefined): Verdict | undefined {
  for (const [says, undo] of CHANGES) {
    const before = undo(body)
    if (before !== undefined && fits(before) !== undefined)
      return wrong(
        `The signature is right, but the body was changed after it: it is ${says}.`,
        'Verify the bytes as they arrived, before anything parses them.',
      )
  }
  return undefined
}

function ofOtherKeys(keys: readonly string[], signatures: string): Verdict {
  if (keys.every((key) => signaturesFor(key, signatures).length === 0)) {
    const kinds = signatures.split(' ').map((each) => each.split(',')[0] ?? '')
    return wrong(
      `Its signatures are ${[...new Set(kinds)].join(' and ')}; these keys check ${[...new Set(keys.map(kindOf))].join(' and ')}.`,
      'v1a needs a public key (whpk_…), v1 a shared secret (whsec_…).',
    )
  }
  return wrong(
    `No signature fits ${keys.length === 1 ? 'this key' : `any of these ${keys.length} keys`}.`,
    'Take the keys that merchant information has now: they are another merchant’s, or from before a rotation. If they are right, the id, the time or the body was changed.',
  )
}

const kindOf = (key: string): 'v1a' | 'v1' => (key.startsWith('whpk_') ? 'v1a' : 'v1')
const SIGNATURES_MAX = 10

const signaturesFor = (key: string, header: string): readonly Buffer[] =>
  header
    .split(' ')
    .slice(0, SIGNATURES_MAX)
    .filter((each) => each.startsWith(`${kindOf(key)},`))
    .map((each) => Buffer.from(each.slice(each.indexOf(',') + 1), 'base64'))

function isBy(key: string, content: Buffer, signature: Buffer): boolean {
  if (kindOf(key) === 'v1a') return verify(null, content, publicKeyOf(key), signature)
  const secret = Buffer.from(key.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', secret).update(content).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}
