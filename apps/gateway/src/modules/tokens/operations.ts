import assert from 'node:assert/strict'
import type { TokenAction } from '@tollgate/contract/words'
import { createBoundedMap } from '@tollgate/runtime'
import { RE2JSSyntaxException, RE2Set } from 're2js'

/** The one payment to which a token is limited. */
interface PaymentName {
  readonly kind: (typeof PAYMENT_KINDS)[number]
  readonly id: string
}

/** What a token permits. */
export interface Scope {
  /**
   * Whether an entry permits the method on the path. The path is the canonical one: the route's template
   * filled with validated parameters, without the query, never the text of the URL.
   */
  allows(method: string, canonicalPath: string): boolean
  /**
   * The payment to which the token is limited: every entry names this one payment as a literal, or is one
   * that the hosted page needs beside it (payment options, merchant information). Otherwise undefined.
   */
  readonly singlePaymentId: PaymentName | undefined
  /** Whether all that the token permits is to read this one payin: it is safe to share with a browser. */
  readonly readsOnePayin: boolean
}

/** Why an entry is refused; `index` is its place in the list, from 0. */
interface OperationProblem {
  readonly index: number
  readonly message: string
}

/** The outcome of compileOperations. */
type OperationsOutcome =
  | { readonly ok: true; readonly scope: Scope }
  | { readonly ok: false; readonly problems: readonly OperationProblem[] }

const ENTRIES_MAX = 50
const ENTRY_CHARACTERS_MAX = 300
/**
 * Characters of all patterns of a token that need the engine. Its work grows with them: 50 hostile patterns
 * of 300 characters would hold every other merchant up for a tenth of a second.
 */
const PATTERN_CHARACTERS_MAX = 3000
const CANONICAL_PATH_CHARACTERS_MAX = 8192
/** The longest path has two ids of 250 characters: the engine is spared what names nothing, since its work grows with that, too. */
const PATTERN_PATH_CHARACTERS_MAX = 600
const COMPILED_SETS_MAX = 128
/** Memory in which the engine may remember states of one compiled set; beyond it, it forgets and works on. */
const COMPILED_SET_BYTES_MAX = 512 * 1024

const ENTRY = /^(GET|POST|PUT|PATCH|DELETE) (.+)$/
const PRINTABLE = /^[\x21-\x7e]+$/
const CANONICAL_PATH = /^\/[\x21-\x7e]*$/
const PAYMENT_KINDS = ['payins', 'payouts', 'topups'] as const
const ID_PAYMENT = /^[A-Za-z0-9_-]{1,250}$/
const PAYMENT_PATH = /^\/(payins|payouts|topups)\/([A-Za-z0-9_-]{1,250})(?:\/.*)?$/
const OPTIONS_PATH = /^\/(payins|payouts|topups)\/!availablePaymentOptions$/
// One token of a path: an escape, a class, the opening of a group, or a single character. The alternatives
// begin differently, so it never goes back over the text.
const TOKEN =
  /\\(?:[^A-Za-z0-9]|[dDwWsS])|\[(?:[^[\]\\]|\\(?:[^A-Za-z0-9]|[dDwWsS]))+\]|\((?:\?:|(?!\?))|[^\\[(]/y
const LITERAL_TOKEN = /^(?:\\[^A-Za-z0-9]|[^\\[(.*+?|)^$])$/
const EMPTY_NEGATION = '[^]'

/** An entry that passed the grammar. `literal` or `prefix` is there when no engine is needed to match it. */
interface Operation {
  readonly index: number
  readonly method: string
  readonly path: string
  readonly shape: Shape
}

type Shape =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'pattern' }

/**
 * Compiles the `operations` of a token (specification 5.2). An entry is `METHOD PATH`; the path is a regular
 * expression that must match the whole canonical path, of the kinds that can be matched in linear time:
 * literals, `.`, classes, groups, `|`, `*`, `+`, `?`, the anchors `^` and `$`, and escapes of punctuation or
 * `\d \w \s` and their opposites. Counted repetition, `(?` but for `(?:`, and back references are refused.
 * The path may begin with a group, a class, `.` or `^` as well as with `/`.
 *
 * Bad entries are an outcome with one problem for each, never an exception.
 */
export function compileOperations(entries: readonly string[]): OperationsOutcome {
  if (entries.length === 0) return refused(0, 'At least one operation is needed.')
  if (entries.length > ENTRIES_MAX)
    return refused(ENTRIES_MAX, `At most ${ENTRIES_MAX} operations are possible.`)
  const operations: Operation[] = []
  const problems: OperationProblem[] = []
  entries.forEach((entry, index) => {
    const result = parseEntry(entry, index)
    if (typeof result === 'string') problems.push({ index, message: result })
    else operations.push(result)
  })
  problems.push(...patternProblems(operations))
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, scope: createScope(operations) }
}

function refused(index: number, message: string): OperationsOutcome {
  return { ok: false, problems: [{ index, message }] }
}

/** The entry by its parts, or a sentence that says what is wrong with it. */
function parseEntry(entry: string, index: number): Operation | string {
  if (entry.length > ENTRY_CHARACTERS_MAX)
    return `An operation has at most ${ENTRY_CHARACTERS_MAX} characters.`
  const [, method, path] = ENTRY.exec(entry) ?? []
  if (method === undefined || path === undefined) {
    return 'An operation is GET, POST, PUT, PATCH or DELETE, one space, and a path.'
  }
  if (!PRINTABLE.test(path)) return 'A path holds printable ASCII characters only, and no space.'
  const inner = withoutAnchors(path)
  const shape = parsePath(inner)
  if (typeof shape === 'string') return shape
  if (!mayBeginAPath(shape, inner)) return 'A path begins with "/", "(", "[", "." or "^/".'
  return { index, method, path: inner, shape }
}

/** A path is matched in full all the same; without them, a literal or a prefix is told apart from a pattern. */
function withoutAnchors(path: string): string {
  const start = path.startsWith('^') ? path.slice(1) : path
  const backslashes = /(\\*)\$$/.exec(start)?.[1]
  return backslashes === undefined || backslashes.length % 2 === 1 ? start : start.slice(0, -1)
}

/** Every canonical path begins with a slash: an entry that cannot is a mistake, and permits nothing. */
function mayBeginAPath(shape: Shape, path: string): boolean {
  if (shape.kind !== 'pattern' && shape.text !== '') return shape.text.startsWith('/')
  return path !== '' && /^(?:\\?\/|[(.[])/.test(path)
}

/** Checks the path against the subset, token by token; the shape, or a sentence that says what is wrong. */
function parsePath(path: string): Shape | string {
  if (/[{}]/.test(path)) return 'Repetition by count, { }, is not possible in a path.'
  let text = ''
  let signAt: number | undefined
  for (let at = 0; at < path.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(path)?.[0]
    if (token === undefined || token === EMPTY_NEGATION) return tokenProblem(path.charAt(at))
    if (!LITERAL_TOKEN.test(token)) signAt ??= at
    if (signAt === undefined) text += token.slice(-1)
  }
  return shapeOf(text, signAt === undefined ? '' : path.slice(signAt))
}

/** `text` is the literal beginning of a path, `rest` what follows from its first sign on. */
function shapeOf(text: string, rest: string): Shape {
  if (rest === '') return { kind: 'literal', text }
  return rest === '.*' ? { kind: 'prefix', text } : { kind: 'pattern' }
}

function tokenProblem(character: string): string {
  if (character === '\\') return 'A "\\" stands before punctuation or one of d, D, w, W, s, S.'
  if (character === '[') return 'A class, [ ], is not closed, is empty, or holds a "[" without "\\".'
  return 'A group that begins with "(?" is not possible in a path, but for "(?:".'
}

/** What the engine has against the patterns. */
function patternProblems(operations: readonly Operation[]): OperationProblem[] {
  const patterns = operations.filter((operation) => operation.shape.kind === 'pattern')
  let characters = 0
  for (const { index, path } of patterns) {
    characters += path.length
    if (characters > PATTERN_CHARACTERS_MAX) {
      return [{ index, message: `Patterns have at most ${PATTERN_CHARACTERS_MAX} characters together.` }]
    }
  }
  return patterns.flatMap(({ index, path }) => {
    const message = syntaxProblem(path)
    return message === undefined ? [] : [{ index, message }]
  })
}

function syntaxProblem(pattern: string): string | undefined {
  try {
    new RE2Set(RE2Set.ANCHOR_BOTH).add(pattern)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return `The path is not a regular expression: ${error.error}.`
    throw error
  }
}

/** The entries of one method, by what it takes to match them. */
interface Rules {
  readonly literals: Set<string>
  readonly prefixes: string[]
  readonly patterns: string[]
}

function createScope(operations: readonly Operation[]): Scope {
  const rulesByMethod = new Map<string, Rules>()
  for (const { method, path, shape } of operations) {
    const rules = rulesByMethod.get(method) ?? { literals: new Set(), prefixes: [], patterns: [] }
    rulesByMethod.set(method, rules)
    if (shape.kind === 'literal') rules.literals.add(shape.text)
    else if (shape.kind === 'prefix') rules.prefixes.push(shape.text)
    else rules.patterns.push(path)
  }
  // Compiled here already, so that a token is never issued that could not be matched.
  for (const { patterns } of rulesByMethod.values()) if (patterns.length > 0) compiledSet(patterns)
  const singlePaymentId = findSinglePayment(operations)
  return {
    allows: (method, canonicalPath) => permits(rulesByMethod.get(method), canonicalPath),
    singlePaymentId,
    readsOnePayin: singlePaymentId !== undefined && isReadOf(singlePaymentId, operations),
  }
}

function permits(rules: Rules | undefined, path: string): boolean {
  if (rules === undefined || path.length > CANONICAL_PATH_CHARACTERS_MAX || !CANONICAL_PATH.test(path))
    return false
  if (rules.literals.has(path) || rules.prefixes.some((prefix) => path.startsWith(prefix))) return true
  if (rules.patterns.length === 0 || path.length > PATTERN_PATH_CHARACTERS_MAX) return false
  return compiledSet(rules.patterns).match(path).length > 0
}

// Scopes share what is compiled and hold none of it, so that this bound is the bound of the memory too.
const compiledSets = createBoundedMap<string, RE2Set>(COMPILED_SETS_MAX)

/** The patterns as one automaton that reads a path once, from the least recently used cache or compiled. */
function compiledSet(patterns: readonly string[]): RE2Set {
  const key = patterns.join('\n')
  const known = compiledSets.get(key)
  if (known !== undefined) return known
  // Matched in full as if ^(?:PATTERN)$. No flags: the engine's look-behind is not linear and stays off.
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, 0, COMPILED_SET_BYTES_MAX)
  for (const pattern of patterns) set.add(pattern)
  set.compile()
  compiledSets.set(key, set)
  return set
}

function findSinglePayment(operations: readonly Operation[]): PaymentName | undefined {
  let single: PaymentName | undefined
  for (const operation of operations) {
    if (operation.shape.kind !== 'literal') return undefined
    const path = operation.shape.text
    if (isBesidePayment(operation.method, path)) continue
    const named = paymentOf(path)
    if (named === undefined) return undefined
    single ??= named
    if (named.kind !== single.kind || named.id !== single.id) return undefined
  }
  return single
}

/** The operations that the hosted page needs and that name no payment (specification 4.9). */
function isBesidePayment(method: string, path: string): boolean {
  return method === 'GET' ? path === '/merchant-info' : method === 'POST' && OPTIONS_PATH.test(path)
}

/** As PAYIN_INFO has it (specification 5.2). */
function isReadOf({ kind, id }: PaymentName, operations: readonly Operation[]): boolean {
  const path = `/${kind}/${id}`
  const isRead = ({ method, shape }: Operation): boolean =>
    method === 'GET' && shape.kind === 'literal' && shape.text === path
  return kind === 'payins' && operations.every(isRead)
}

function paymentOf(path: string): PaymentName | undefined {
  const [, segment, id] = PAYMENT_PATH.exec(path) ?? []
  const kind = PAYMENT_KINDS.find((candidate) => candidate === segment)
  return kind === undefined || id === undefined ? undefined : { kind, id }
}

const KIND_OF_ACTION = {
  PAYIN_CREATE: 'payins',
  PAYIN_INFO: 'payins',
  PAYIN_CANCEL: 'payins',
  PAYIN_REFUND: 'payins',
  PAYOUT_CREATE: 'payouts',
  PAYOUT_INFO: 'payouts',
  TOPUP_CREATE: 'topups',
  TOPUP_INFO: 'topups',
} as const satisfies Record<TokenAction, PaymentName['kind']>

/**
 * The operations that an action stands for (specification 5.2): a CREATE may ask for options, create and read
 * the one payment, an INFO may read it, PAYIN_CANCEL may cancel and read it, PAYIN_REFUND
 * may refund it, and read it and its refunds. An id has no character that means anything in a pattern, and the
 * longest fits an entry.
 *
 * @throws AssertionError when `idPayment` is not 1 to 250 of `[A-Za-z0-9_-]`, which its reader has to check.
 */
export function operationsForAction(action: TokenAction, idPayment: string): readonly string[] {
  assert(ID_PAYMENT.test(idPayment), 'the payment id of an action is not one')
  const kind = KIND_OF_ACTION[action]
  const read = `GET /${kind}/${idPayment}`
  if (action.endsWith('_INFO')) return [read]
  if (action === 'PAYIN_CANCEL') return [`POST /${kind}/${idPayment}/!cancel`, read]
  const refunds = `/${kind}/${idPayment}/refunds`
  if (action === 'PAYIN_REFUND') return [`POST ${refunds}/.*`, `GET ${refunds}`, `GET ${refunds}/.*`, read]
  return [`POST /${kind}/!availablePaymentOptions`, `POST /${kind}/${idPayment}`, read]
}
