import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { adminKeyFile, ownUrl } from '../../programs/simulator.ts'
import { askServer, jsonContent, parsed } from '../api.ts'
import { CommandFailure } from '../failure.ts'
import type { Report, Shell } from '../shell.ts'
import { pairs, table } from '../text.ts'

interface MoodWish {
  readonly mood: string | undefined
  readonly payment?: string
  readonly every?: number
  readonly delayMs?: number
  readonly autoMs?: number
}

/** `tollgate simulator mood`. */
export async function mood(shell: Shell, wish: MoodWish): Promise<Report> {
  const { mood: name, payment, ...details } = wish
  const hasDetails = Object.keys(details).length > 0
  if (name === undefined) {
    if (hasDetails) throw new CommandFailure('USAGE', 'Name a mood: the options say more about it.')
    if (payment === undefined) return describeMood(await ask(shell, 'GET', '/mood'))
    return describeMood(member(await ask(shell, 'GET', `/payments/${payment}`), 'mood'))
  }
  if (payment !== undefined && details.every !== undefined)
    throw new CommandFailure('USAGE', 'Give --every or --payment, not both.')
  const path = payment === undefined ? '/mood' : `/payments/${payment}/mood`
  return describeMood(await ask(shell, 'PUT', path, { mood: name, ...details }))
}

function describeMood(answer: unknown): Report {
  const milliseconds = (name: string): string | undefined => {
    const text = textOf(answer, name)
    return text === '' ? undefined : `${text} ms`
  }
  return {
    json: answer,
    text: pairs([
      ['Mood', textOf(answer, 'mood')],
      ['Every', textOf(answer, 'every') || undefined],
      ['Delay', milliseconds('delayMs')],
      ['Customers pay after', milliseconds('autoMs')],
    ]),
  }
}

/** `tollgate simulator list`. */
export async function listSimulated(shell: Shell, limit: number): Promise<Report> {
  const data = member(await ask(shell, 'GET', `/payments?limit=${limit}`), 'data')
  const payments: readonly unknown[] = Array.isArray(data) ? data : []
  return {
    json: payments,
    text: table(
      ['REFERENCE', 'DIRECTION', 'MERCHANT', 'MONEY', 'STATUS', 'MOOD'],
      payments.map((payment) => [
        textOf(payment, 'reference'),
        textOf(payment, 'direction'),
        textOf(payment, 'merchantCode'),
        moneyOf(payment),
        textOf(payment, 'status'),
        textOf(member(payment, 'mood'), 'mood'),
      ]),
      'No payments.',
    ),
  }
}

/** `tollgate simulator log`. */
export async function log(shell: Shell): Promise<Report> {
  const lines = (await answerTo(shell, { method: 'GET', path: '/log' }))
    .split('\n')
    .filter((line) => line !== '')
  const movements = lines.map(parsed)
  return {
    json: movements,
    text: table(
      ['AT', 'REFERENCE', 'MERCHANT', 'DIRECTION', 'WHAT', 'MONEY'],
      movements.map((movement) => [
        textOf(movement, 'at'),
        textOf(movement, 'reference'),
        textOf(movement, 'merchantCode'),
        textOf(movement, 'direction'),
        textOf(movement, 'kind'),
        moneyOf(movement),
      ]),
      'No money has moved.',
    ),
  }
}

/** `tollgate simulator approve`, `decline` and `bounce`. */
export async function choose(
  shell: Shell,
  { choice, reference }: { readonly choice: 'approve' | 'decline' | 'bounce'; readonly reference: string },
): Promise<Report> {
  const payment = await ask(shell, 'POST', `/payments/${reference}/${choice}`)
  return { json: payment, text: `${reference} is ${textOf(payment, 'status')}.` }
}

function moneyOf(holder: unknown): string {
  const money = member(holder, 'received') ?? member(holder, 'money')
  return `${textOf(money, 'amount')} ${textOf(money, 'currencyCode')}`
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = Reflect.get(value, name)
  return found
}

/** Empty where there is none. */
function textOf(value: unknown, name: string): string {
  const found = member(value, name)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

async function ask(shell: Shell, method: string, path: string, body?: object): Promise<unknown> {
  return parsed(await answerTo(shell, { method, path, ...(body !== undefined && { body }) }))
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const SERVER = {
  name: 'bank simulator',
  remedy: 'It runs beside a sandbox that `npm start` started.',
}

async function answerTo(shell: Shell, { method, path, body }: Asked): Promise<string> {
  const config = await shell.config()
  const question = {
    method,
    url: `${ownUrl(config.hosts.SIMULATOR, config.TOLLGATE_SIMULATOR_PORT)}/admin${path}`,
    headers: { authorization: `Bearer ${adminKeyOf(config)}` },
    ...(body !== undefined && { content: jsonContent(body) }),
  }
  return askServer(question, SERVER)
}

function adminKeyOf(config: Config): string {
  const file = adminKeyFile(config)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new CommandFailure(
    'UNREACHABLE',
    `There is no ${file}: no bank simulator has run here. Start a sandbox with \`npm start\`, or set TOLLGATE_DATA_DIR.`,
  )
}
