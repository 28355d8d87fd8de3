import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { diagnose } from '../../modules/tokens/index.ts'
import { minifyJson, parseJson } from '../../platform/json/index.ts'
import { readDemoMerchant } from '../demo-merchant.ts'
import { CommandFailure, EXIT_CODES } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { readPrivateKey, readPublicKey } from '../rsa-keys.ts'
import type { Report, Shell } from '../shell.ts'
import { pairs } from '../text.ts'

interface Wish {
  readonly privateKeyFile?: string
  readonly verify?: string
  readonly publicKeyFile?: string
}

/** `tollgate sign`. */
export async function signBody(shell: Shell, file: string, wish: Wish): Promise<Report> {
  if (wish.publicKeyFile !== undefined && wish.verify === undefined)
    throw new CommandFailure(
      'USAGE',
      '--public-key-file is for --verify <signature>; signing takes --private-key-file.',
    )
  const key =
    wish.publicKeyFile === undefined
      ? readPrivateKey(wish.privateKeyFile ?? (await demoKeyFile(shell, wish)))
      : readPublicKey(wish.publicKeyFile)
  const body = await readFileOrInput(shell, file)
  if (body.length === 0) throw new CommandFailure('USAGE', 'The body is empty, so there is nothing to sign.')
  return wish.verify === undefined ? signed(body, key) : checked(body, key, wish.verify)
}

async function demoKeyFile(shell: Shell, wish: Wish): Promise<string> {
  const demo = readDemoMerchant(await shell.config())
  if (demo !== undefined) return demo.privateKeyFile
  throw new CommandFailure(
    'USAGE',
    wish.verify === undefined
      ? 'There is no demo merchant here. Name the private key with --private-key-file.'
      : 'There is no demo merchant here. Name the public key with --public-key-file.',
  )
}

function signed(body: Buffer, privateKey: KeyObject): Report {
  const minified = minifyJson(body)
  const signature = sign('RSA-SHA256', minified, privateKey).toString('base64')
  const sha256 = createHash('sha256').update(minified).digest('hex')
  const header = `X-SIGNATURE: ${signature}`
  const text = Buffer.from(minified).toString('utf8')
  return {
    json: { minified: text, bytes: minified.length, sha256, signature, header },
    // The bytes stand alone on their line, as they are: what is copied from here is what was signed.
    text: [
      text,
      '',
      pairs([
        [
          'Bytes',
          `${minified.length}${minified.length === body.length ? '' : ` (of ${body.length} before minifying)`}`,
        ],
        ['SHA-256', sha256],
        ['Signature', signature],
        ['For curl', `-H '${header}'`],
      ]),
    ].join('\n'),
    notes: bodyProblems(body),
  }
}

/** What the gateway would have against the body, whatever its signature. */
function bodyProblems(body: Buffer): readonly string[] {
  const outcome = parseJson(body)
  return outcome.ok
    ? []
    : [
        `The gateway would answer 400 to this body: ${outcome.problem.message} (at character ${outcome.problem.offset})`,
      ]
}

function checked(body: Buffer, key: KeyObject, signature: string): Report {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const verdict = diagnose(body, publicKey, signature.trim().replace(/^X-SIGNATURE: */i, ''))
  return {
    json: { valid: verdict.isAccepted, matches: verdict.form ?? null, message: verdict.message },
    text: verdict.message,
    notes: bodyProblems(body),
    exitCode: verdict.isAccepted ? EXIT_CODES.OK : EXIT_CODES.CREDENTIALS,
  }
}
