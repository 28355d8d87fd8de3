import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN_ACTIONS } from '@tollgate/contract/words'
import fc from 'fast-check'
import { compileOperations, operationsForAction, type Scope } from '../operations.ts'

function scopeOf(...entries: string[]): Scope {
  const outcome = compileOperations(entries)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.scope
}

function problemsOf(...entries: string[]): readonly { index: number; message: string }[] {
  const outcome = compileOperations(entries)
  assert.ok(!outcome.ok, 'the entries were accepted')
  return outcome.problems
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,250}$/)

/** Every route of the specification with an id, and some that only look like one. */
function pathsOf(id: string): string[] {
  const kinds = ['payins', 'payouts', 'topups'].flatMap((kind) => [
    `/${kind}/${id}`,
    `/${kind}/${id}/`,
    `/${kind}/${id}/accounts`,
    `/${kind}/${id}/!setExternalReference`,
    `/${kind}/${id}/!cancel`,
    `/${kind}/!availablePaymentOptions`,
    `/${kind}/`,
    `/${kind}`,
  ])
  const lists = [
    '/balances',
    '/merchant-info',
    '/currencies',
    '/segments',
    '/payment-operators',
    '/payment-methods',
  ]
  return [...kinds, ...lists, '/settlements', `/settlements/${id}`, `/customers/${id}`, '/', id, '']
}

const ANCHORING: readonly (readonly [entry: string, method: string, path: string, allowed: boolean])[] = [
  ['GET /payins/1', 'GET', '/payins/1', true],
  ['GET /payins/1', 'GET', '/payins/123', false],
  ['GET /payins/1', 'GET', '/payins/1/accounts', false],
  ['GET /payins/1', 'GET', '/x/payins/1', false],
  ['GET /payins/1', 'POST', '/payins/1', false],
  ['GET /payins/1', 'HEAD', '/payins/1', false],
  ['GET /payins/1', 'get', '/payins/1', false],
  ['GET /payins/1', 'GET', '/PAYINS/1', false],
  ['GET /payins/[0-9]', 'GET', '/payins/1', true],
  ['GET /payins/[0-9]', 'GET', '/payins/12', false],
  ['GET /payins/[0-9]', 'GET', '/x/payins/1', false],
  ['GET /payins/a|/payouts/b', 'GET', '/payins/a', true],
  ['GET /payins/a|/payouts/b', 'GET', '/payouts/b', true],
  ['GET /payins/a|/payouts/b', 'GET', '/payins/ab', false],
  ['GET /payins/a|/payouts/b', 'GET', '/payins/a/accounts', false],
  ['GET /payins/a|/payouts/b', 'GET', '/x/payouts/b', false],
  ['GET /payins/a|/payouts/b', 'POST', '/payouts/b', false],
  ['GET /payins/a|ab', 'GET', '/payins/ab', false],
  ['GET /payins/(a|ab)', 'GET', '/payins/ab', true],
  ['GET /payins/a$', 'GET', '/payins/a', true],
  ['GET /payins/a$', 'GET', '/payins/ab', false],
  ['GET /payins/.*', 'GET', '/payins/x', true],
  ['GET /payins/.*', 'GET', '/payins/x/accounts', true],
  ['GET /payins/.*', 'GET', '/payins/', true],
  ['GET /payins/.*', 'GET', '/payins', false],
  ['GET /payins/.*', 'GET', '/payouts/x', false],
  ['POST /payins/.*', 'POST', '/payins/!availablePaymentOptions', true],
  ['POST /payins/.*', 'POST', '/payins/x/!setExternalReference', true],
  ['GET /payins/.+/accounts', 'GET', '/payins/x/accounts', true],
  ['GET /payins/.+/accounts', 'GET', '/payins/x', false],
  ['GET /payins/[^/]+', 'GET', '/payins/x/accounts', false],
  ['GET /payins/a.b', 'GET', '/payins/aXb', true],
  ['GET /payins/a\\.b', 'GET', '/payins/a.b', true],
  ['GET /payins/a\\.b', 'GET', '/payins/aXb', false],
  ['GET /payins/a\\.*', 'GET', '/payins/a...', true],
  ['GET /payins/a\\.*', 'GET', '/payins/ab', false],
  ['GET /payins/\\d+', 'GET', '/payins/42', true],
  ['GET /payins/\\d+', 'GET', '/payins/4x', false],
  ['GET /payins/ab?.*', 'GET', '/payins/a', true],
  ['GET .*', 'GET', '/payins/a', true],
  ['GET .*', 'POST', '/payins/a', false],
  ['GET .+/accounts', 'GET', '/payins/a/accounts', true],
  ['GET (/payins|/payouts)/.*', 'GET', '/payouts/a', true],
  ['GET (/payins|/payouts)/.*', 'GET', '/topups/a', false],
  ['GET (?:/payins|/payouts)/a', 'GET', '/payins/a', true],
  ['GET (?:/payins|/payouts)/a', 'GET', '/payins/ab', false],
  ['GET [/]payins/a', 'GET', '/payins/a', true],
  ['GET ^/payins/a$', 'GET', '/payins/a', true],
  ['GET ^/payins/a$', 'GET', '/payins/ab', false],
  ['GET ^/payins/a|/payouts/b$', 'GET', '/payouts/b', true],
  ['GET ^/payins/a|/payouts/b$', 'GET', '/payins/a/accounts', false],
  ['GET ^/payins/.*$', 'GET', '/payins/a/accounts', true],
  ['GET ^(/payins/a)$', 'GET', '/payins/a', true],
  ['GET /payins/a\\$', 'GET', '/payins/a$', true],
  ['GET /payins/a\\$', 'GET', '/payins/a', false],
  ['GET \\/payins\\/a', 'GET', '/payins/a', true],
  ['POST /payins/!availablePaymentOptions', 'POST', '/payins/!availablePaymentOptions', true],
  ['POST /payins/\\!availablePaymentOptions', 'POST', '/payins/!availablePaymentOptions', true],
  ['POST /payins/![a-z]+PaymentOptions', 'POST', '/payins/!availablePaymentOptions', true],
]

test('an entry matches its method and the whole path, and nothing else', () => {
  for (const [entry, method, path, allowed] of ANCHORING) {
    assert.equal(scopeOf(entry).allows(method, path), allowed, `${entry} for ${method} ${path}`)
  }
})

test('a path means the same with and without the anchors, for its one payment, too', () => {
  for (const entry of ['GET /payins/a', 'GET ^/payins/a', 'GET /payins/a$', 'GET ^/payins/a$'])
    assert.deepEqual(scopeOf(entry).singlePaymentId, { kind: 'payins', id: 'a' }, entry)
  assert.equal(scopeOf('GET .*').singlePaymentId, undefined)
})

test('a path that is not canonical is never allowed', () => {
  const scope = scopeOf('GET .*', 'GET /.*', 'GET /payins/[^x]+')
  const paths = [
    '',
    'payins/a',
    '/payins/a b',
    '/payins/a\n',
    '/payins/a\r\nx',
    '/payins/\u0000',
    '/payins/é',
  ]
  for (const path of [...paths, `/payins/${'a'.repeat(8192)}`]) assert.equal(scope.allows('GET', path), false)
  assert.equal(scope.allows('GET', '/payins/a'), true)
})

test('a second operation cannot hide behind an alternative', () => {
  const [problem] = problemsOf('GET /payins/a|POST /payouts/.*')
  assert.equal(problem?.index, 0)
})

test('each entry permits on its own', () => {
  const scope = scopeOf('GET /payins/a', 'POST /payins/[0-9]+', 'POST /payouts/.*', 'POST /topups/(x|y)')
  const allowed = METHODS.flatMap((method) =>
    ['/payins/a', '/payins/7', '/payouts/q', '/topups/x', '/topups/z'].filter((path) =>
      scope.allows(method, path),
    ),
  )
  assert.deepEqual(allowed, ['/payins/a', '/payins/7', '/payouts/q', '/topups/x'])
})

test('for every id PAYIN_REFUND permits to refund this payin, and nothing else', () => {
  fc.assert(
    fc.property(ids, ids, (id, otherId) => {
      const scope = scopeOf(...operationsForAction('PAYIN_REFUND', id))
      assert.ok(scope.allows('POST', `/payins/${id}/refunds/${otherId}`))
      assert.ok(scope.allows('GET', `/payins/${id}/refunds/${otherId}`))
      assert.ok(scope.allows('GET', `/payins/${id}/refunds`))
      for (const path of [
        ...pathsOf(id),
        ...pathsOf(`${id}x`),
        ...pathsOf(`x${id}`),
        `/payins/${id}x/refunds/a`,
      ])
        for (const method of METHODS)
          assert.equal(
            scope.allows(method, path),
            method === 'GET' && path === `/payins/${id}`,
            `${method} ${path}`,
          )
    }),
  )
})

test('for every id an action permits exactly its operations and nothing else', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TOKEN_ACTIONS.filter((each) => each !== 'PAYIN_REFUND')),
      ids,
      ids,
      (action, id, otherId) => {
        const entries = operationsForAction(action, id)
        const scope = scopeOf(...entries)
        const paths = new Set([
          ...pathsOf(id),
          ...pathsOf(otherId),
          ...pathsOf(`${id}x`),
          ...pathsOf(id.slice(1)),
        ])
        const allowed = METHODS.flatMap((method) =>
          [...paths].filter((path) => scope.allows(method, path)).map((path) => `${method} ${path}`),
        )
        assert.deepEqual(allowed.toSorted(), [...entries].toSorted())
        assert.equal(allowed.length, action.endsWith('_CREATE') ? 3 : action === 'PAYIN_CANCEL' ? 2 : 1)
        assert.equal(scope.singlePaymentId?.id, id)
      },
    ),
  )
})

test('the operations of an action are those of the specification', () => {
  assert.deepEqual(operationsForAction('PAYIN_CREATE', 'o-1'), [
    'POST /payins/!availablePaymentOptions',
    'POST /payins/o-1',
    'GET /payins/o-1',
  ])
  assert.deepEqual(operationsForAction('PAYIN_INFO', 'o-1'), ['GET /payins/o-1'])
  assert.deepEqual(operationsForAction('PAYIN_CANCEL', 'o-1'), [
    'POST /payins/o-1/!cancel',
    'GET /payins/o-1',
  ])
  assert.deepEqual(operationsForAction('PAYOUT_INFO', 'o-1'), ['GET /payouts/o-1'])
  assert.deepEqual(operationsForAction('TOPUP_CREATE', 'o-1')[1], 'POST /topups/o-1')
})

test('the longest id of an action fits an entry', () => {
  for (const action of TOKEN_ACTIONS) {
    const id = 'z'.repeat(250)
    const single = scopeOf(...operationsForAction(action, id)).singlePaymentId?.id
    assert.equal(single, action === 'PAYIN_REFUND' ? undefined : id)
  }
})

test('an action takes no pattern for an id', () => {
  for (const id of ['', '.*', 'x|/payouts/.*', 'a.b', 'a/b', 'a b', 'a\n', 'é', 'z'.repeat(251)]) {
    assert.throws(() => operationsForAction('PAYIN_INFO', id), { name: 'AssertionError' })
  }
})

const REFUSED: readonly string[] = [
  '',
  ' ',
  'GET',
  'GET ',
  '/payins/a',
  'GET payins/a',
  'GET ^payins/a$',
  'GET ^$',
  'GET $',
  'GET payins/.*',
  'GET \\.*',
  'GET *',
  'GET |/payins/a',
  'GET  /payins/a',
  ' GET /payins/a',
  'GET /payins/a ',
  'GET\t/payins/a',
  'GET /payins/a\n',
  'get /payins/a',
  'HEAD /payins/a',
  'OPTIONS /payins/a',
  '.* /payins/a',
  'GET|POST /payins/a',
  'GET /payins/a b',
  'GET /payins/\u0000',
  'GET /payins/\u007f',
  'GET /payins/é',
  'GET /payins/\u202e',
  'GET /payins/a{2}',
  'GET /payins/a{0,1000}',
  'GET /payins/(a{0,100}){0,100}',
  'GET /payins/[{]',
  'GET /payins/(?=a)',
  'GET /payins/(?!a)',
  'GET /payins/(?<=a)b',
  'GET /payins/(?:a',
  'GET /payins/(?:(?i)a)',
  'GET /payins/(?i)a',
  'GET /payins/(?P<n>a)',
  'GET /payins/(a)\\1',
  'GET /payins/\\k<n>',
  'GET /payins/\\Qa\\E',
  'GET /payins/\\pL',
  'GET /payins/\\x41',
  'GET /payins/\\bq',
  'GET /payins/\\n',
  'GET /payins/\\',
  'GET /payins/(',
  'GET /payins/)',
  'GET /payins/(a',
  'GET /payins/[a',
  'GET /payins/[]',
  'GET /payins/[^]',
  'GET /payins/[]a]',
  'GET /payins/[[:alpha:]]',
  'GET /payins/[z-a]',
  'GET /payins/[\\1]',
  'GET /payins/(*a)',
  'GET /payins/|*',
  'GET /payins/a**',
  'GET /payins/a*+',
  `GET /${'a'.repeat(296)}`,
]

test('what is not in the grammar is refused with a sentence', () => {
  for (const entry of REFUSED) {
    const problems = problemsOf(entry)
    assert.equal(problems.length, 1, JSON.stringify(entry))
    assert.match(problems[0]?.message ?? '', /^[A-Z].*\.$/)
    assert.equal(problems[0]?.index, 0)
  }
})

test('the sentence says what is wrong', () => {
  const table: readonly (readonly [entry: string, message: string])[] = [
    [`GET /${'a'.repeat(296)}`, 'An operation has at most 300 characters.'],
    ['FETCH /payins', 'An operation is GET, POST, PUT, PATCH or DELETE, one space, and a path.'],
    ['GET payins/a', 'A path begins with "/", "(", "[", "." or "^/".'],
    ['GET /payins/é', 'A path holds printable ASCII characters only, and no space.'],
    ['GET /payins/a{2}', 'Repetition by count, { }, is not possible in a path.'],
    ['GET /payins/a}', 'Repetition by count, { }, is not possible in a path.'],
    ['GET /payins/\\x41', 'A "\\" stands before punctuation or one of d, D, w, W, s, S.'],
    ['GET /payins/[a', 'A class, [ ], is not closed, is empty, or holds a "[" without "\\".'],
    ['GET /payins/[^]', 'A class, [ ], is not closed, is empty, or holds a "[" without "\\".'],
    ['GET /payins/(?=a)', 'A group that begins with "(?" is not possible in a path, but for "(?:".'],
    ['GET /payins/(', 'The path is not a regular expression: missing closing ).'],
  ]
  for (const [entry, message] of table) assert.deepEqual(problemsOf(entry), [{ index: 0, message }], entry)
  assert.deepEqual(problemsOf(), [{ index: 0, message: 'At least one operation is needed.' }])
  const many = Array.from({ length: 51 }, () => 'GET /a')
  assert.deepEqual(problemsOf(...many), [{ index: 50, message: 'At most 50 operations are possible.' }])
  assert.deepEqual(problemsOf(...Array.from({ length: 12 }, () => `GET /${'a?'.repeat(147)}`)), [
    { index: 10, message: 'Patterns have at most 3000 characters together.' },
  ])
})

test('three thousand characters of patterns are accepted, and one more is not', () => {
  const pattern = (characters: number): string => `GET /${'a'.repeat(characters - 2)}?`
  const nine = Array.from({ length: 12 }, () => pattern(240))
  scopeOf(...nine, pattern(120))
  assert.deepEqual(
    problemsOf(...nine, pattern(121)).map(({ index }) => index),
    [12],
  )
})

test('a canonical path of 8192 characters is judged, a longer one is not', () => {
  const scope = scopeOf('GET /.*')
  assert.equal(scope.allows('GET', `/${'a'.repeat(8_191)}`), true)
  assert.equal(scope.allows('GET', `/${'a'.repeat(8_192)}`), false)
})

test('every bad entry is named by its place', () => {
  const problems = problemsOf(
    'GET /payins/a',
    'GET payins',
    'GET /payins/(',
    'GET /payins/(b|c)',
    'PUT /x{1}',
  )
  assert.deepEqual(problems.map(({ index }) => index).toSorted(), [1, 2, 4])
})

test('one to fifty entries of at most 300 characters are accepted', () => {
  scopeOf(...Array.from({ length: 50 }, (_, index) => `GET /${index}${'a'.repeat(290)}`))
  scopeOf(`GET /${'a'.repeat(295)}`)
  assert.equal(problemsOf().length, 1)
  assert.deepEqual(problemsOf(...Array.from({ length: 51 }, () => 'GET /a'))[0]?.index, 50)
  assert.equal(problemsOf(...Array.from({ length: 10_000 }, () => 'GET /payins/(a+)+')).length, 1)
})

test('patterns have a budget together, plain paths and prefixes do not count', () => {
  const pattern = `GET /${'a?'.repeat(147)}`
  scopeOf(...Array.from({ length: 10 }, () => pattern))
  assert.deepEqual(
    problemsOf(...Array.from({ length: 12 }, () => pattern)).map(({ index }) => index),
    [10],
  )
  scopeOf(...Array.from({ length: 50 }, (_, index) => `GET /${index}${'a'.repeat(280)}.*`))
})

test('a merchant with many patterns gets the same answers after they fell out of the cache', () => {
  const first = scopeOf('GET /payins/first-[0-9]+')
  const others = Array.from({ length: 300 }, (_, index) => scopeOf(`GET /payins/shop${index}-[0-9]+`))
  assert.equal(first.allows('GET', '/payins/first-1'), true)
  assert.equal(first.allows('GET', '/payins/shop1-1'), false)
  for (const [index, scope] of others.entries()) {
    assert.equal(scope.allows('GET', `/payins/shop${index}-1`), true)
    assert.equal(scope.allows('GET', `/payins/shop${index}-x`), false)
  }
})

const HOSTILE: readonly (readonly [entry: string, path: string, allowed: boolean])[] = [
  ['GET /payins/(a+)+', `/payins/${'a'.repeat(590)}!`, false],
  ['GET /payins/(a|aa)*b', `/payins/${'a'.repeat(590)}`, false],
  ['GET /payins/((a*)*)*b', `/payins/${'a'.repeat(590)}`, false],
  ['GET /payins/(.*a)+[!]', `/payins/${'a'.repeat(590)}`, false],
  [`GET /payins/${'a?'.repeat(120)}${'a'.repeat(47)}`, `/payins/${'a'.repeat(120)}`, true],
  [`GET /payins/${'(.*)'.repeat(50)}`, `/payins/${'a'.repeat(592)}`, true],
  [`GET /payins/${'(.*)'.repeat(50)}`, `/payins/${'a'.repeat(593)}`, false],
  [`GET /payins/.*a${'.'.repeat(201)}`, `/payins/${'ab'.repeat(250)}`, true],
  [`GET /payins/${'('.repeat(140)}a${')'.repeat(140)}`, '/payins/a', true],
]

test('hostile patterns are matched without an explosion', () => {
  for (const [entry, path, allowed] of HOSTILE) {
    const startMilliseconds = performance.now()
    assert.equal(scopeOf(entry).allows('GET', path), allowed, entry)
    // Generous: this takes some milliseconds, and a backtracking engine would not end in our time.
    assert.ok(performance.now() - startMilliseconds < 500, entry)
  }
})

/** Patterns that mean the same to JavaScript's engine and that cannot backtrack far on short paths. */
const { pattern: safePatterns } = fc.letrec<{ atom: string; repeated: string; pattern: string }>((tie) => ({
  atom: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'b', '1', '/', '-', '!', '_', '.', '\\.', '\\d', '\\W', '\\-'),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('[ab]', '[^a]', '[a-b1]', '[^/]', '[\\d-]', '[.]', '[\\]a]', '^', '$'),
    },
    { weight: 2, arbitrary: tie('pattern').map((inner) => `(${inner})`) },
  ),
  repeated: fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?')).map(([atom, sign]) =>
    // JavaScript has no repetition of an anchor.
    /^[\^$]$/.test(atom) ? atom : atom + sign,
  ),
  pattern: fc
    .array(fc.array(tie('repeated'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((branch) => branch.join('')).join('|')),
}))

test('patterns mean what they mean to JavaScript', () => {
  const paths = fc.array(fc.stringMatching(/^[ab1/.!_-]{0,6}$/), { minLength: 1, maxLength: 8 })
  let matched = 0
  fc.assert(
    fc.property(fc.array(safePatterns, { minLength: 1, maxLength: 3 }), paths, (patterns, tails) => {
      const usable = patterns.filter((pattern) => pattern.length < 200)
      fc.pre(usable.length > 0)
      const scope = scopeOf(...usable.map((pattern) => `GET /${pattern}`))
      const natives = usable.map((pattern) => new RegExp(`^(?:/${pattern})$`))
      for (const path of tails.map((tail) => `/${tail}`)) {
        const expected = natives.some((native) => native.test(path))
        assert.equal(scope.allows('GET', path), expected, `${usable.join(' or ')} for ${path}`)
        if (expected) matched += 1
      }
    }),
    { numRuns: 2000 },
  )
  assert.ok(matched > 100, `only ${matched} matches`)
})

test('arbitrary entries are an outcome and never an exception', () => {
  const signs = fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    '^',
    '$',
    '*',
    '+',
    '?',
    '|',
    '\\',
    '.',
    '-',
    'a',
    '1',
    ':',
    'd',
  )
  const paths = fc.array(signs, { maxLength: 20 }).map((parts) => `GET /${parts.join('')}`)
  fc.assert(
    fc.property(fc.array(fc.oneof(paths, fc.string()), { maxLength: 4 }), (entries) => {
      const outcome = compileOperations(entries)
      if (outcome.ok) assert.equal(typeof outcome.scope.allows('GET', '/payins/a'), 'boolean')
      else assert.ok(outcome.problems.length > 0)
    }),
    { numRuns: 3000 },
  )
})

const SINGLE: readonly (readonly [entries: readonly string[], expected: string | undefined])[] = [
  [['GET /payins/a'], 'payins a'],
  [
    ['POST /payins/!availablePaymentOptions', 'POST /payins/a', 'GET /payins/a', 'GET /merchant-info'],
    'payins a',
  ],
  [['GET /payins/a', 'GET /payins/a/accounts', 'POST /payins/a/!setExternalReference'], 'payins a'],
  [['POST /payouts/p_1', 'GET /payouts/p_1'], 'payouts p_1'],
  [['GET /topups/t-1'], 'topups t-1'],
  [['GET /payins/a\\-b'], 'payins a-b'],
  [['GET /payins/a', 'GET /payins/b'], undefined],
  [['GET /payins/a', 'GET /payouts/a'], undefined],
  [['GET /payins/a', 'GET /payins/.*'], undefined],
  [['GET /payins/a.*'], undefined],
  [['GET /payins/a.c'], undefined],
  [['GET /payins/(a)'], undefined],
  [['GET /.*'], undefined],
  [['GET /payins/a', 'GET /balances'], undefined],
  [['GET /payins/'], undefined],
  [['GET /payins'], undefined],
  [['GET /merchant-info'], undefined],
  [['POST /payins/!availablePaymentOptions'], undefined],
  [['GET /customers/a'], undefined],
]

test('a scope knows the one payment to which it is limited', () => {
  for (const [entries, expected] of SINGLE) {
    const single = scopeOf(...entries).singlePaymentId
    assert.equal(single && `${single.kind} ${single.id}`, expected, entries.join(', '))
  }
})
