import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DEMO_FOLDER, DEMO_OPERATORS, demoKeyFile } from '../demo/operators.ts'
import type { Permission } from '../modules/operators/index.ts'
import { dataDirOf } from '../programs/installation.ts'
import { askServer, jsonContent, type Question } from './api.ts'
import { CommandFailure } from './failure.ts'
import type { OperatorCall, OperatorOptions } from './operator-call.ts'
import { keyMissing, readOperatorKey } from './operator-key.ts'
import type { Shell } from './shell.ts'

// The operator API, as commands use it: of the gateway that runs here, or of one far away.

/** Asks the operator API. Throws a sentence for every answer but a success. */
export type AskOperatorApi = (call: OperatorCall) => Promise<unknown>

/**
 * Finds the gateway and the operator's key. In a sandbox that runs here, an operator of the sandbox may do what needs no name
 * of one's own (`isByName` false).
 */
export async function openOperatorApi(
  shell: Shell,
  options: OperatorOptions,
  { permission, isByName }: { readonly permission: Permission; readonly isByName: boolean },
): Promise<AskOperatorApi> {
  const config = await shell.config()
  const url = requireSafeUrl(options.url ?? config.publicOperatorUrl)
  const key = await readKey(shell, config, { options, permission, isByName })
  const ask: AskOperatorApi = async (call) => {
    const text = await askServer(questionOf(url, key, call), SERVER)
    return call.isFile === true ? text : withDigits(text)
  }
  return (call) => (call.upTo === undefined ? ask(call) : askPages(ask, call, call.upTo))
}

const SERVER = {
  name: 'operator API',
  remedy: 'Start the gateway, or name its address with --url.',
}
const PAGE_LIMIT_MAX = 100

/** A list as one page of it is answered, with the items of as many pages as it takes. */
async function askPages(ask: AskOperatorApi, call: OperatorCall, upTo: number): Promise<unknown> {
  const data: unknown[] = []
  let page: object = {}
  let cursor: unknown
  do {
    const limit = Math.min(upTo - data.length, PAGE_LIMIT_MAX)
    const asked = { ...call.query, limit, ...(typeof cursor === 'string' && { cursor }) }
    const answer = await ask({ ...call, query: asked })
    if (typeof answer !== 'object' || answer === null) break
    page = answer
    data.push(...itemsOf(answer))
    cursor = Reflect.get(answer, 'nextCursor')
  } while (typeof cursor === 'string' && data.length < upTo)
  return { ...page, data }
}

function itemsOf(answer: object): readonly unknown[] {
  const items: unknown = Reflect.get(answer, 'data')
  return Array.isArray(items) ? items : []
}

/** What the API answers, with the digits of its numbers. */
function withDigits(text: string): unknown {
  if (text === '') return null
  return JSON.parse(text, (_name, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  )
}

function questionOf(url: string, key: string, call: OperatorCall): Question {
  const { method, path, query, body, file, fileName, isFile } = call
  const { isLong = file !== undefined || isFile } = call
  const asked = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  const search =
    asked.length === 0 ? '' : `?${new URLSearchParams(asked.map((each) => [...each])).toString()}`
  return {
    method,
    url: `${url}${path}${search}`,
    headers: { authorization: `Bearer ${key}` },
    ...(body !== undefined && { content: jsonContent(body) }),
    ...(file !== undefined && { content: { body: new Uint8Array(file), type: 'application/octet-stream' } }),
    ...(fileName !== undefined && { fileName }),
    timeoutMs: isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS,
  }
}

const TIMEOUT_MS = 30_000
/** A large file is read and taken over before it is answered. */
const LONG_TIMEOUT_MS = 300_000

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whoever reads the key may do what its operator may: it goes over a wire only when nobody can listen. */
function requireSafeUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new CommandFailure('USAGE', `--url must begin with https://; it is ${JSON.stringify(text)}.`)
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new CommandFailure(
      'USAGE',
      `${url.origin} is neither https nor on this machine, and your key would go there in the clear. Use https, or a tunnel to a port of this machine.`,
    )
  return text.replace(/\/+$/, '')
}

async function readKey(
  shell: Shell,
  config: Config,
  wish: {
    readonly options: OperatorOptions
    readonly permission: Permission
    readonly isByName: boolean
  },
): Promise<string> {
  const { options, permission, isByName } = wish
  const file =
    options.operatorKeyFile ??
    config.TOLLGATE_OPERATOR_KEY_FILE ??
    (isByName || options.url !== undefined ? undefined : await demoKey(config, permission))
  if (file === undefined) throw isByName ? keyMissing() : nobodyAsks(config, options)
  return readOperatorKey(shell, file)
}

/** A fresh clone has no sandbox yet, and whoever types the first command there lacks the gateway, not a key. */
function nobodyAsks(config: Config, { url }: OperatorOptions): CommandFailure {
  const dataDir = dataDirOf(config)
  const mayRunHere =
    config.isLive || config.TOLLGATE_DATABASE_URL !== undefined || existsSync(join(dataDir, DEMO_FOLDER))
  if (url !== undefined || mayRunHere) return keyMissing()
  return new CommandFailure(
    'UNREACHABLE',
    `No installation runs in ${dataDir}: start one with \`npm start\`, or name your gateway by --url and your key by --operator-key-file.`,
  )
}

/** The key of an operator of the sandbox who may do this, where there is one. */
async function demoKey(config: Config, permission: Permission): Promise<string | undefined> {
  if (config.isLive) return undefined
  const { mayDo } = await import('../modules/operators/index.ts')
  const folder = join(dataDirOf(config), DEMO_FOLDER)
  const operator = DEMO_OPERATORS.find((each) => mayDo(each, permission))
  if (operator === undefined || !existsSync(demoKeyFile(folder, operator.code))) return undefined
  return demoKeyFile(folder, operator.code)
}
