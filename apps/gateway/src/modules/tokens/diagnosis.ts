import { constants, createHash, type KeyObject, verify } from 'node:crypto'
import { minifyJson } from '../../platform/json/index.ts'

/** What a signature turned out to cover. */
interface Diagnosis {
  readonly isAccepted: boolean
  /** Which form of the body was signed; undefined when none of those that we know. */
  readonly form: string | undefined
  readonly message: string
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const BASE64_URL = /^[A-Za-z0-9_-]+={0,2}$/
const HEX = /^([0-9a-f]{2})+$/i

/** Says what was signed: first the two forms that the gateway accepts, then the mistakes that are made most. */
export function diagnose(body: Buffer, publicKey: KeyObject, text: string): Diagnosis {
  const signature = Buffer.from(text, 'base64')
  const isCanonical = BASE64.test(text) && signature.toString('base64') === text
  if (isCanonical) {
    for (const [form, bytes] of [
      ['RAW', body],
      ['MINIFIED', minifyJson(body)],
    ] as const) {
      if (verify('RSA-SHA256', bytes, publicKey, signature))
        return { isAccepted: true, form, message: `The signature is valid: it covers ${ACCEPTED[form]}.` }
    }
  }
  const mistake =
    findSpelling(body, publicKey, text) ??
    findForm(body, publicKey, signature) ??
    findScheme(body, publicKey, signature)
  if (mistake !== undefined)
    return {
      isAccepted: false,
      form: mistake.form,
      message: `The signature does not hold: ${mistake.message}`,
    }
  return { isAccepted: false, form: undefined, message: unknownMessage(publicKey, signature) }
}

const ACCEPTED = { RAW: 'the body as it is', MINIFIED: 'the minified body' } as const

interface Mistake {
  readonly form: string
  readonly message: string
}

/** Signed rightly, written wrongly. */
function findSpelling(body: Buffer, publicKey: KeyObject, text: string): Mistake | undefined {
  const spellings = [
    ['HEX', HEX, 'hex', 'it is written in hexadecimal. Write it in base64.'],
    ['BASE64URL', BASE64_URL, 'base64url', 'it is written in base64url. Write it in base64, with + and /.'],
    ['BASE64_LINES', /\s/, 'base64', 'its base64 has spaces or line breaks. Write it in one piece.'],
    [
      'BASE64_PADDING',
      BASE64,
      'base64',
      'its base64 lacks its padding, or has bits to spare. Write it as the encoder gave it.',
    ],
  ] as const
  for (const [form, pattern, encoding, message] of spellings) {
    if (!pattern.test(text)) continue
    const bytes = Buffer.from(text, encoding)
    if ([body, minifyJson(body)].some((content) => verify('RSA-SHA256', content, publicKey, bytes)))
      return { form, message }
  }
  return undefined
}

/** Signed in the right way, but over other bytes than those of the body. */
function findForm(body: Buffer, publicKey: KeyObject, signature: Buffer): Mistake | undefined {
  const found = formsOf(body).find(([, , bytes]) => verify('RSA-SHA256', bytes, publicKey, signature))
  return found && { form: found[0], message: found[1] }
}

type Form = readonly [form: string, message: string, bytes: Uint8Array]

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

function formsOf(body: Buffer): readonly Form[] {
  const text = body.toString('utf8').replace(/^\ufeff/, '')
  const minified = Buffer.from(minifyJson(Buffer.from(text)))
  const sent = 'Sign the bytes that you send.'
  return [
    ...(body.subarray(0, BOM.length).equals(BOM) ? unmarkedForms(Buffer.from(text), minified) : []),
    [
      'CRLF',
      `it covers the body with Windows line ends (CRLF). ${sent}`,
      Buffer.from(text.replace(/\r?\n/g, '\r\n')),
    ],
    ['LF', `it covers the body with Unix line ends (LF). ${sent}`, Buffer.from(text.replace(/\r\n/g, '\n'))],
    ['TRIMMED', `it covers the body without the blanks around it. ${sent}`, Buffer.from(text.trim())],
    [
      'FINAL_NEWLINE',
      `it covers the body and one more line end. ${sent}`,
      Buffer.from(`${text.trimEnd()}\n`),
    ],
    ['BOM', `it covers the body with a byte order mark. ${sent}`, Buffer.concat([BOM, Buffer.from(text)])],
    [
      'BOM_MINIFIED',
      'it covers the minified body with a byte order mark. Leave the mark out.',
      Buffer.concat([BOM, minified]),
    ],
    ['UTF16', `it covers the body in UTF-16. ${sent}`, Buffer.from(text, 'utf16le')],
    ['LATIN1', `it covers the body in Latin-1, not UTF-8. ${sent}`, Buffer.from(text, 'latin1')],
    ...rewrittenForms(text),
    ...digestForms(body, minified),
  ]
}

/** For a body that begins with a byte order mark, which the gateway refuses in any case. */
function unmarkedForms(unmarked: Buffer, minified: Buffer): readonly Form[] {
  const message = 'without its byte order mark. Leave the mark out of what you send.'
  return [
    ['WITHOUT_BOM', `it covers the body ${message}`, unmarked],
    ['WITHOUT_BOM_MINIFIED', `it covers the minified body ${message}`, minified],
  ]
}

/** A JSON writer changes numbers, escapes and order: the gateway never parses and writes again. */
function rewrittenForms(text: string): readonly Form[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const compact = JSON.stringify(value)
  const why = 'Sign the text that you send, not one that was written anew.'
  const ascii = compact.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [
    ['REWRITTEN', `it covers the body parsed and written again. ${why}`, Buffer.from(compact)],
    [
      'REWRITTEN_INDENTED',
      `it covers the body written again with indentation. ${why}`,
      Buffer.from(JSON.stringify(value, undefined, 2)),
    ],
    ['REWRITTEN_ASCII', `it covers the body written again with \\u escapes. ${why}`, Buffer.from(ascii)],
    [
      'REWRITTEN_SLASHES',
      `it covers the body written again with \\/ for each slash. ${why}`,
      Buffer.from(compact.replaceAll('/', '\\/')),
    ],
    [
      'REWRITTEN_SPACED',
      `it covers the body written again with a blank after each comma and colon. ${why}`,
      Buffer.from(spaced(value)),
    ],
  ]
}

/** JSON as Python writes it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
  return `{${members.join(', ')}}`
}

/** The library hashes by itself: who hashes first has hashed twice. */
function digestForms(body: Buffer, minified: Buffer): readonly Form[] {
  return [body, minified].flatMap((content): readonly Form[] => {
    const digest = createHash('sha256').update(content).digest()
    const message =
      'it covers the SHA-256 of the body, so the body was hashed twice. Hand the body itself to the signer.'
    return [
      ['HASHED_TWICE', message, digest],
      ['HASHED_TWICE', message, Buffer.from(digest.toString('hex'))],
      ['HASHED_TWICE', message, Buffer.from(digest.toString('base64'))],
    ]
  })
}

/** Signed over the right bytes, by another algorithm. */
function findScheme(body: Buffer, publicKey: KeyObject, signature: Buffer): Mistake | undefined {
  const contents = [body, minifyJson(body)]
  for (const hash of ['SHA1', 'SHA384', 'SHA512'] as const) {
    if (contents.some((content) => verify(`RSA-${hash}`, content, publicKey, signature)))
      return { form: hash, message: `it was made with ${hash}. Use SHA-256.` }
  }
  const pss = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING }
  if (contents.some((content) => verify('SHA256', content, pss, signature)))
    return { form: 'PSS', message: 'it was made with PSS padding. Use PKCS#1 v1.5 (SHA256withRSA).' }
  return undefined
}

function unknownMessage(publicKey: KeyObject, signature: Buffer): string {
  const bytes = Math.ceil((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8)
  if (signature.length !== bytes)
    return `This is no signature of this key: it has ${signature.length} bytes, and this key makes ${bytes}.`
  return 'The signature matches this body in no form that we know: it is of another key pair or another body (a timestamp that was taken anew, for example).'
}
