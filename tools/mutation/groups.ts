/** Code of which a wrong line costs money, and the tests that must notice. */
export interface Group {
  readonly name: string
  readonly title: string
  /** Paths from the root of the repository. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

const MODULES = 'apps/gateway/src/modules'
const HTTP = 'apps/gateway/src/http'
const OUTBOUND = 'apps/gateway/src/platform/outbound'

const inFolder = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${folder}/${name}.ts`)

const testsIn = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${folder}/test/${name}.test.ts`)

/** Files that hold nothing but SQL are not here: to the mutator a statement is one text, and an empty one fails at once. */
export const GROUPS: readonly Group[] = [
  {
    name: 'ledger',
    title: 'what is booked, and when a payment changes its status',
    sources: [
      ...inFolder(`${MODULES}/ledger`, ['model', 'service', 'verification']),
      `${MODULES}/payments/progress/transitions.ts`,
    ],
    tests: [
      ...testsIn(`${MODULES}/ledger`, ['model', 'booking', 'verification', 'routes']),
      ...testsIn(`${MODULES}/payments`, ['transitions']),
    ],
  },
  {
    name: 'authorise',
    title: 'what a token may do',
    sources: [...inFolder(`${MODULES}/tokens`, ['operations', 'authenticator', 'model']), `${HTTP}/gate.ts`],
    tests: [
      ...testsIn(`${MODULES}/tokens`, [
        'operations',
        'model',
        'token-cache',
        'actions',
        'forgery',
        'authenticator',
      ]),
      ...testsIn(HTTP, ['gate']),
    ],
  },
  {
    name: 'schedule',
    title: 'when merchants are called back, institutions asked again, and settlements due',
    sources: [
      ...inFolder(`${MODULES}/callbacks`, ['model', 'slots']),
      `${MODULES}/payments/progress/rail-talk.ts`,
      `${MODULES}/settlements/schedule.ts`,
    ],
    tests: [
      ...testsIn(`${MODULES}/callbacks`, ['model', 'slots']),
      ...testsIn(`${MODULES}/payments`, ['inquiry-schedule']),
      ...testsIn(`${MODULES}/settlements`, ['schedule']),
    ],
  },
  {
    name: 'url-guard',
    title: 'which addresses are called, and how',
    sources: inFolder(OUTBOUND, [
      'abort',
      'client',
      'connection',
      'exchange',
      'failure',
      'resolve',
      'target',
    ]),
    tests: testsIn(OUTBOUND, [
      'addresses',
      'policy',
      'target',
      'failure',
      'resolve',
      'call',
      'client',
      'blocked',
      'tls',
    ]),
  },
]
