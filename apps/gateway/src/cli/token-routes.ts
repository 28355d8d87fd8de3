import { existsSync, readFileSync } from 'node:fs'
import { compileOperations } from '../modules/tokens/index.ts'

/** An operation of the API, as docs/openapi.json has it. */
interface Route {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  readonly summary: string
}

/** What an entry of a token opens of a route: everything, or the ids that were found. */
export interface Opening {
  readonly route: Route
  readonly ids: 'ANY' | readonly string[]
  /** False where other ids may match, too. */
  readonly isComplete: boolean
}

const DOCUMENT = new URL('../../../../docs/openapi.json', import.meta.url)

/** The routes of the API; undefined where the document was left out of the installation. */
export function readRoutes(): readonly Route[] | undefined {
  if (!existsSync(DOCUMENT)) return undefined
  const document: unknown = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  return membersOf(member(document, 'paths')).flatMap(([path, item]) =>
    membersOf(item)
      // A token is not what opens the door to tokens.
      .filter(() => !path.startsWith('/auth-tokens'))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        summary: textMember(operation, 'summary'),
      })),
  )
}

function textMember(value: unknown, name: string): string {
  const text = member(value, name)
  return typeof text === 'string' ? text : ''
}

function member(value: unknown, name: string): unknown {
  return membersOf(value).find(([key]) => key === name)?.[1]
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Ids of different kinds that nobody has: a pattern that takes them all takes any. */
const STRANGERS = ['0', '7031', 'a', 'q_Zx', 'Tg-9_stranger-0K'] as const

/**
 * The routes that an entry opens, tried out rather than read: a pattern is asked about strangers' ids and about ids made
 * from its own words. `problem` says why an entry is none.
 */
export function openedRoutes(
  entry: string,
  routes: readonly Route[],
): { readonly openings: readonly Opening[]; readonly problem?: string } {
  const outcome = compileOperations([entry])
  if (!outcome.ok) return { openings: [], problem: outcome.problems[0]?.message ?? 'It is not valid.' }
  const { scope } = outcome
  const isLiteral = !SIGN.test(entry)
  const openings = routes.flatMap((route): Opening[] => {
    const opens = (id: string): boolean => scope.allows(route.method, route.path.replace(/\{[^}]+\}/g, id))
    if (!route.path.includes('{')) return opens('') ? [{ route, ids: 'ANY', isComplete: true }] : []
    if (STRANGERS.every(opens)) return [{ route, ids: 'ANY', isComplete: true }]
    const ids = [...new Set([...wordsOf(entry), ...STRANGERS])].filter(opens)
    return ids.length === 0 ? [] : [{ route, ids, isComplete: isLiteral }]
  })
  return { openings }
}

/** What makes a path a pattern, where no backslash stands before it. */
const SIGN = /(?<!\\)[.*+?|()[\]^$]|\\[A-Za-z]/

/** Ids that the entry may have in mind: its words, and longer ones that begin with them. */
function wordsOf(entry: string): readonly string[] {
  const words = entry.replace(/\\(.)/g, '$1').match(/[A-Za-z0-9_-]+/g) ?? []
  return words.flatMap((word) => [word, `${word}1`, `${word}x1`])
}
