import { type KeyObject, sign } from 'node:crypto'
import { isPositive, parseAmount, rawAmount } from '@tollgate/money'
import { askServer, parsed } from '../api.ts'
import { readDemoMerchant } from '../demo-merchant.ts'
import { CommandFailure } from '../failure.ts'
import { readPrivateKey } from '../rsa-keys.ts'
import type { Report, Shell } from '../shell.ts'

/** In whose name something is asked, and where. */
export interface MerchantWish {
  readonly merchant?: string
  readonly privateKeyFile?: string
  readonly apiUrl?: string
}

interface Wish extends MerchantWish {
  readonly action?: string
  readonly id?: string
  readonly operation?: readonly string[]
  readonly validity?: number
  readonly amount?: string
  readonly currency?: string
}

/** Who is asked by merchants. */
export const API = { name: 'API', remedy: 'Start the gateway, or name its address with --api-url.' }

/** `tollgate token create`: what a merchant's server does, step by step. */
export async function create(shell: Shell, wish: Wish): Promise<Report> {
  const { token } = await createToken(shell, wish)
  return { json: { token }, text: token }
}

/** A token of the API, requested as a merchant's server does. Throws CommandFailure. */
export async function createToken(shell: Shell, wish: Wish): Promise<{ readonly token: string }> {
  const subject = subjectOf(wish)
  const money = moneyOf(wish)
  const { merchantCode, privateKey, apiUrl } = await callerFor(shell, wish)
  const body = Buffer.from(
    JSON.stringify({
      merchantCode,
      ...subject.body,
      ...(wish.validity !== undefined && { validitySecs: wish.validity }),
      ...(money !== undefined && { money }),
      timestamp: Math.floor(shell.clock.nowMs() / 1000),
    }),
  )
  const signature = sign('RSA-SHA256', body, privateKey).toString('base64')
  const question = {
    method: 'POST',
    url: `${apiUrl}${subject.path}`,
    headers: { 'x-signature': signature },
    content: { type: 'application/json', body },
  }
  const answer = parsed(await askServer(question, API))
  if (
    typeof answer !== 'object' ||
    answer === null ||
    !('token' in answer) ||
    typeof answer.token !== 'string'
  )
    throw new CommandFailure('SERVER', `${apiUrl} answered without a token. Is it the API of Tollgate?`)
  return { token: answer.token }
}

interface Subject {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

function subjectOf({ action, id, operation }: Wish): Subject {
  if (action !== undefined && operation !== undefined)
    throw new CommandFailure('USAGE', 'Give --action with --id, or --operation; not both.')
  if (operation !== undefined) {
    if (id !== undefined)
      throw new CommandFailure(
        'USAGE',
        '--id belongs to --action; an --operation names its payment in the path.',
      )
    return { path: '/auth-tokens', body: { operations: operation } }
  }
  if (action === undefined) {
    throw new CommandFailure(
      'USAGE',
      "Say what the token is for: --action PAYIN_CREATE --id <id>, or --operation 'POST /payins/.*'.",
    )
  }
  if (id === undefined) throw new CommandFailure('USAGE', '--action needs --id, the id of the payment.')
  return { path: '/auth-tokens-by-action', body: { action, idPayment: id } }
}

function moneyOf({ amount, currency }: Wish): Record<string, unknown> | undefined {
  if (amount === undefined && currency === undefined) return undefined
  if (amount === undefined || currency === undefined)
    throw new CommandFailure('USAGE', '--amount and --currency belong together.')
  const parsed = parseAmount(amount)
  if (parsed === undefined || !isPositive(parsed))
    throw new CommandFailure(
      'USAGE',
      `--amount must be more than zero, such as 149.90; it is ${JSON.stringify(amount)}.`,
    )
  return { amount: rawAmount(parsed), currencyCode: currency }
}

interface Caller {
  readonly merchantCode: string
  readonly privateKey: KeyObject
  readonly apiUrl: string
}

/** The merchant in whose name something is asked: the one that is named, or the sandbox's. Throws CommandFailure. */
export async function callerFor(shell: Shell, wish: MerchantWish): Promise<Caller> {
  const config = await shell.config()
  const demo = readDemoMerchant(config)
  const merchantCode = wish.merchant ?? demo?.merchantCode
  if (merchantCode === undefined) {
    throw new CommandFailure(
      'USAGE',
      'There is no demo merchant here. Give --merchant and --private-key-file, or start a sandbox with `npm start`.',
    )
  }
  const isDemo = merchantCode === demo?.merchantCode
  const privateKeyFile = wish.privateKeyFile ?? (isDemo ? demo.privateKeyFile : undefined)
  if (privateKeyFile === undefined)
    throw new CommandFailure('USAGE', `--merchant ${merchantCode} needs --private-key-file.`)
  return {
    merchantCode,
    privateKey: readPrivateKey(privateKeyFile),
    apiUrl: wish.apiUrl ?? (isDemo ? demo.apiUrl : config.publicApiUrl),
  }
}
