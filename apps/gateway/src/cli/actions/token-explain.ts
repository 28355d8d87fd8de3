import { createMerchantService, MerchantProblem } from '../../modules/merchants/index.ts'
import { createTokenAdministration, type ReadToken, readToken } from '../../modules/tokens/index.ts'
import { CommandFailure } from '../failure.ts'
import { textOrInput } from '../files.ts'
import { findDatabaseUrl, withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'
import { duration, moment, pairs, table } from '../text.ts'
import { type Opening, openedRoutes, readRoutes } from '../token-routes.ts'

/** What is said of a text that is no token. */
const notAToken = (): CommandFailure =>
  new CommandFailure(
    'USAGE',
    'This is not a token of Tollgate: three parts joined by dots, as /auth-tokens answers them, were expected.',
  )

/** `tollgate token explain`. */
export async function explainToken(shell: Shell, given: string): Promise<Report> {
  const text = await textOrInput(shell, given.replace(/^Bearer +/i, ''), 'a token')
  const token = readToken(text)
  if (token === undefined) throw notAToken()
  const nowSeconds = shell.clock.nowMs() / 1000
  const standing = await judgeStanding(shell, text, token)
  const { claims } = token
  const entries = explainEntries(claims.operations)
  return {
    json: {
      ...claims,
      kid: token.kid ?? null,
      audience: token.audience ?? null,
      issuedAt: new Date(claims.iat * 1000),
      expiresAt: new Date(claims.exp * 1000),
      secondsLeft: Math.max(0, Math.floor(claims.exp - nowSeconds)),
      ...standing,
      entries: entries.map(({ entry, openings, problem }) => ({
        entry,
        routes: openings.map(({ route, ids, isComplete }) => ({ ...route, ids, isComplete })),
        ...(problem !== undefined && { problem }),
      })),
    },
    text: [describeToken(token, standing, nowSeconds), entryTable(entries)].join('\n\n'),
  }
}

/** What the running installation says of the token; all undefined when none runs. */
interface Standing {
  readonly signature: 'VALID' | 'UNKNOWN_KEY' | 'INVALID' | 'NOT_CHECKED'
  readonly environment?: string
  readonly merchantStatus?: string
  readonly revoked?: boolean
}

async function judgeStanding(shell: Shell, text: string, { claims }: ReadToken): Promise<Standing> {
  if ((await findDatabaseUrl(await shell.config())) === undefined) return { signature: 'NOT_CHECKED' }
  return withInstallation(shell, async (installation) => {
    const tokens = createTokenAdministration(installation)
    const environment = installation.config.TOLLGATE_ENVIRONMENT
    const signature = await tokens.judgeSignature(text)
    try {
      const { merchant } = await createMerchantService(installation).show(claims.sub)
      const revoked = await tokens.isRevoked(merchant, claims)
      return { signature, environment, merchantStatus: merchant.status, revoked }
    } catch (error) {
      if (error instanceof MerchantProblem) return { signature, environment, merchantStatus: 'UNKNOWN' }
      throw error
    }
  })
}

const SIGNATURES: Readonly<Record<Standing['signature'], string>> = {
  VALID: 'valid: this installation signed it',
  UNKNOWN_KEY: 'of another installation: the key that it names is none of this one',
  INVALID: 'wrong: the token was altered',
  NOT_CHECKED: 'not checked: no installation runs here',
}

function describeToken({ kid, audience, claims }: ReadToken, standing: Standing, nowSeconds: number): string {
  const left = claims.exp - nowSeconds
  const { money, idPayment } = claims
  return pairs([
    ['Opens', verdict(standing, audience, left)],
    ['Merchant', claims.sub],
    ['Signature', `${SIGNATURES[standing.signature]} (key ${kid ?? 'not named'})`],
    ['Environment', audience],
    ['Issued', moment(new Date(claims.iat * 1000))],
    [
      'Expires',
      `${moment(new Date(claims.exp * 1000))}, ${left > 0 ? `in ${duration(left)}` : `${duration(-left)} ago`}`,
    ],
    ['Money', money === undefined ? 'any' : `exactly ${money.amount} ${money.currencyCode}`],
    ['Payment', idPayment],
    ['Token id', claims.jti],
  ])
}

/** Why the gateway would turn the token away, if it would: in the order in which it looks. */
function verdict(standing: Standing, audience: string | undefined, secondsLeft: number): string {
  if (standing.signature === 'INVALID' || standing.signature === 'UNKNOWN_KEY')
    return 'nothing: its signature does not hold'
  if (standing.environment !== undefined && audience !== `tollgate-${standing.environment}`)
    return `nothing: it is not for ${standing.environment}`
  if (secondsLeft <= 0) return 'nothing: it has expired'
  if (standing.revoked === true) return 'nothing: it was revoked'
  if (standing.merchantStatus !== undefined && standing.merchantStatus !== 'ACTIVE')
    return `nothing: the merchant is ${standing.merchantStatus}`
  return standing.signature === 'VALID'
    ? 'what is listed below'
    : 'what is listed below, if its signature holds'
}

interface ExplainedEntry {
  readonly entry: string
  readonly openings: readonly Opening[]
  readonly problem?: string
  /** False where the list of routes was left out of the installation. */
  readonly isTried: boolean
}

function explainEntries(operations: readonly string[]): readonly ExplainedEntry[] {
  const routes = readRoutes()
  return operations.map((entry) => ({
    entry,
    isTried: routes !== undefined,
    ...openedRoutes(entry, routes ?? []),
  }))
}

function entryTable(entries: readonly ExplainedEntry[]): string {
  const rows = entries.flatMap(({ entry, openings, problem, isTried }) => {
    if (problem !== undefined) return [[entry, '', problem]]
    if (!isTried) return [[entry, '', 'not tried: docs/openapi.json is not here']]
    if (openings.length === 0) return [[entry, '', 'opens no route of this version']]
    return openings.map((opening, index) => [
      index === 0 ? entry : '',
      `${opening.route.method} ${opening.route.path}`,
      `${opening.route.summary}${idsText(opening)}`,
    ])
  })
  return table(['ENTRY', 'ROUTE', 'MEANING'], rows, 'It has no operations, so it opens nothing.')
}

const EXAMPLES_MAX = 3

function idsText({ route, ids, isComplete }: Opening): string {
  if (!route.path.includes('{')) return ''
  if (ids === 'ANY') return ', of any id'
  if (isComplete) return `, of ${ids.join(' and ')} only`
  return `, of some ids, such as ${ids.slice(0, EXAMPLES_MAX).join(', ')}`
}
