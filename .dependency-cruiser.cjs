// Who may know whom. Run by `npm run check`; every rule below is seen to fire in tools/test/dependency-rules.test.ts.

const GATEWAY = '^apps/gateway/src'
const MODULES = `${GATEWAY}/modules`
const RAILS = `${GATEWAY}/rails`
const TESTS = '[.]test[.]ts$|/test/'
const OTHER_ENDS = '^(acceptance|lab|tools)/'
const FRAME = `${GATEWAY}/((app|main|worker|importer)[.]ts$|rooms/)`
const STORES = `${MODULES}/([^/]+)/[a-z/-]*store[.]ts$` // $1 is the room
const ROUTES = `${MODULES}/[^/]+/[a-z-]*routes[.]ts$`

// The one picture of the rooms: a room sees only the rows above its own.
// A new room gets its row here before it gets its first import.
const RANKS = [
  [
    'merchants',
    'ledger',
    'rates',
    'callbacks',
    'operators',
    'health',
    'backups',
    'bank-accounts',
    'clocks',
    'cells',
  ],
  ['tokens', 'catalogue', 'customers', 'journal', 'inbox', 'bank-channels', 'audit'],
  ['payments'],
  [
    'payins',
    'payouts',
    'topups',
    'notifications',
    'reviews',
    'retention',
    'confirmations',
    'sandbox',
    'chains',
  ],
  ['settlements', 'statements', 'payout-files', 'refunds'],
]

/** Files that are started, not imported. Everything else needs somebody who imports it. */
const STARTED = [
  '^apps/[^/]+/src/(main|worker|importer)[.]ts$',
  '^apps/gateway/src/platform/threads/thread[.]ts$',
  '^apps/[^/]+/bin/',
  '^apps/gateway/src/cli/(index|main)[.]ts$',
  '^packages/[^/]+/src/index[.]ts$',
  '^packages/testkit/src/(browser|sftp-server)[.]ts$',
  '^apps/checkout/src/assets/client/main[.]ts$', // the browser's script begins there
  '^apps/console/src/assets/client/(cells/)?[a-z]+[.]ts$', // so do those of the console
  '^apps/gateway/src/http/reference/client[.]ts$', // another script of a browser
  OTHER_ENDS,
  TESTS,
  '[.]d[.]ts$',
]

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

const rankRules = RANKS.map((rooms, index) =>
  rule(
    `rank-${index}-looks-down-only`,
    'A room uses lower ranks only. Move the shared part down, or let the higher room call this one.',
    { path: `${MODULES}/(${rooms.join('|')})/` },
    { path: `${MODULES}/(${RANKS.slice(index).flat().join('|')})/`, pathNot: `${MODULES}/$1/` },
  ),
)

// The rooms within a room: who may not know whom.
const WITHIN = {
  payments: {
    privacy: ['accept|progress|people', 'Data of persons are sealed and opened below everything else.'],
    progress: [
      'accept|people',
      'How a payment goes on knows neither how it was accepted nor what people decide.',
    ],
    people: [
      'accept',
      'What people decide is carried out by progress/; how the payment was accepted is over.',
    ],
    accept: ['progress|people', 'What is accepted goes on later, from durable rows.'],
  },
  statements: {
    formats: ['lines|matching|import|people', 'What a file says is read without knowing what is made of it.'],
    lines: ['matching|import|people', 'A line is stored and changed below everything that decides about it.'],
    matching: ['import|people', 'Lines are matched alike, whatever file they came with.'],
    import: ['matching|people', 'A file is stored first; its lines are matched afterwards.'],
  },
}
const roomsWithin = Object.entries(WITHIN).flatMap(([room, within]) =>
  Object.entries(within).map(([name, [others, comment]]) =>
    rule(
      `${room}-${name}`,
      comment,
      { path: `${MODULES}/${room}/${name}/` },
      { path: `${MODULES}/${room}/(${others})/` },
    ),
  ),
)

const packagesAndApps = [
  rule(
    'packages-below-apps',
    'A package never knows who uses it.',
    { path: '^packages/' },
    { path: '^(apps|acceptance|lab|tools)/' },
  ),
  rule(
    'packages-use-the-door',
    'A package is reached by its name, that is through src/index.ts.',
    { path: '^(apps|acceptance|packages)/([^/]+)/' },
    {
      path: '^packages/[^/]+/',
      // The browser has a door of its own, and so have the contract without its schemas and IBANs alone, which are also part of
      // the payment page's script: who needs no more does not load it.
      pathNot: [
        '^$1/$2/',
        '^packages/[^/]+/src/index[.]ts$',
        '^packages/testkit/src/(browser|sftp-server)[.]ts$',
        '^packages/contract/src/words[.]ts$',
        '^packages/payment-codes/src/iban[.]ts$',
        '^packages/runtime/src/(html|journal|log|metrics|settings)[.]ts$', // what not every app needs
      ],
    },
  ),
  rule(
    'apps-speak-http',
    'Apps talk over the wire, never by import.',
    { path: '^apps/([^/]+)/' },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  rule(
    'sdk-takes-types-only',
    'The SDK ships with no runtime dependency of ours.',
    { path: '^packages/sdk/src', pathNot: TESTS },
    { path: '^packages/(?!sdk/)', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'testkit-is-for-tests',
    'The test kit stays out of the product.',
    { path: '^(apps|packages)/', pathNot: [TESTS, '^packages/testkit/'] },
    { path: '^packages/testkit/' },
  ),
  rule(
    'acceptance-is-a-stranger',
    'The black-box suite would judge a rewrite as well: it knows what merchants install, the test kit, the rail protocol and npm packages, nothing else of ours.',
    { path: '^acceptance/' },
    { path: '^(apps|tools|lab)/|^packages/(?!(sdk|medusa-provider|testkit|rail-protocol)/)' },
  ),
  rule(
    'lab-apart',
    'What is under lab/ shares the rig, and nothing else.',
    { path: '^lab/(bench|cells|faults|medusa|move|neighbours|split|rig)/' },
    { path: '^lab/(bench|cells|faults|medusa|move|neighbours|split)/', pathNot: '^lab/$1/' },
  ),
  rule(
    'ships-what-it-needs',
    'What the product loads is among the dependencies of its own package. OpenPGP is brought along by whoever uses it.',
    { path: '^(apps|packages)/[^/]+/(src|bin)/', pathNot: [TESTS, '^packages/testkit/'] },
    {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['type-only'],
      pathNot: 'node_modules/openpgp/',
    },
  ),
  rule(
    'product-never-imports-tests',
    'Tests look at the product, never the reverse.',
    { path: '^(apps|packages)/', pathNot: TESTS },
    { path: `${TESTS}|${OTHER_ENDS}` },
  ),
]

const gateway = [
  rule(
    'platform-knows-no-domain',
    'platform/ has never heard of a payment, nor of the API.',
    { path: `${GATEWAY}/platform/` },
    { path: `${GATEWAY}/(modules|http|rails|cli)/|${FRAME}` },
  ),
  rule(
    'platform-pieces-have-doors',
    'A piece of platform/ that is a folder is reached through its index.ts.',
    { path: '^(apps|tools)/', pathNot: [`${GATEWAY}/platform/`, TESTS] },
    { path: `${GATEWAY}/platform/[^/]+/`, pathNot: '/index[.]ts$' },
  ),
  rule(
    'platform-neighbours-knock',
    'Inside platform/, too, another piece is reached through its index.ts.',
    { path: `${GATEWAY}/platform/([^/]+)/`, pathNot: TESTS },
    { path: `${GATEWAY}/platform/[^/]+/`, pathNot: [`${GATEWAY}/platform/$1/`, '/index[.]ts$'] },
  ),
  rule(
    'http-knows-no-module',
    'http/ has never heard of a payment either: what it needs from a room is handed in by app.ts.',
    { path: `${GATEWAY}/http/` },
    { path: `${GATEWAY}/(modules|rails|cli)/|${FRAME}` },
  ),
  rule(
    'http-stays-at-the-edge',
    'Only routes and the frame call HTTP; a service, a store or a job answers plain values and refusals. ' +
      'A room may fill a shape that http/ asks for: it takes the type.',
    { path: `${MODULES}/`, pathNot: [ROUTES, TESTS] },
    { path: `${GATEWAY}/http/`, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'nobody-imports-the-frame',
    'app.ts, main.ts, worker.ts and cli/ use the rooms, never the reverse.',
    { path: `${GATEWAY}/(modules|rails)/`, pathNot: TESTS },
    { path: `${GATEWAY}/cli/|${FRAME}` },
  ),
  rule(
    'fastify-at-the-edge',
    'Only http/, routes, app.ts and main.ts know the framework.',
    { path: `${GATEWAY}/`, pathNot: [`${GATEWAY}/http/`, `${GATEWAY}/(app|main)[.]ts$`, ROUTES, TESTS] },
    { path: 'node_modules/(@fastify/|fastify(-plugin)?/)' },
  ),
  rule(
    'commander-at-the-prompt',
    'The command line is parsed in cli/ and in the files that are started.',
    {
      path: '^(apps|packages)/',
      pathNot: `${GATEWAY}/cli/|^apps/[^/]+/src/(main|worker)[.]ts$|^apps/[^/]+/bin/`,
    },
    { path: 'node_modules/commander/' },
  ),
  rule(
    'one-door-to-postgres',
    'The driver is opened in platform/ only (and by tools and the test kit); everybody else is handed a transaction.',
    { pathNot: `${GATEWAY}/platform/|^tools/|^packages/testkit/|node_modules` },
    { path: 'node_modules/(@types/)?(pg|pg-pool|node-pg-migrate)/' },
  ),
]

const rooms = [
  rule(
    'every-room-has-a-rank',
    'Give this room a row in RANKS, in .dependency-cruiser.cjs.',
    { path: `${MODULES}/`, pathNot: `${MODULES}/(${RANKS.flat().join('|')})/` },
    {},
  ),
  rule(
    'modules-use-the-door',
    'Another room is reached through its index.ts.',
    { path: `${MODULES}/([^/]+)/` },
    { path: `${MODULES}/[^/]+/`, pathNot: [`${MODULES}/$1/`, '/index[.]ts$'] },
  ),
  rule(
    'outside-uses-the-door',
    'The frame knocks too.',
    { path: '^(apps|tools)/', pathNot: [`${MODULES}/`, `${GATEWAY}/settings[.]ts$`, TESTS] },
    { path: `${MODULES}/[^/]+/`, pathNot: ['/index[.]ts$', ROUTES] },
  ),
  rule(
    'settings-read-models-only',
    'A default that the specification names is in the model of its room; every command reads the settings, so no more is loaded.',
    { path: `${GATEWAY}/settings[.]ts$` },
    { path: `${MODULES}/[^/]+/`, pathNot: '/model[.]ts$' },
  ),
  rule(
    'routes-are-for-the-server',
    "A room's routes are a door of their own, for app.ts and operator-api.ts: whoever wants the service does not load the web.",
    { path: '^(apps|tools)/', pathNot: [`${GATEWAY}/(app|operator-api)[.]ts$`, ROUTES, TESTS] },
    { path: ROUTES, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'modules-know-only-the-rail-shape',
    'Concrete rails are handed in by app.ts.',
    { path: `${MODULES}/`, pathNot: TESTS },
    { path: `${RAILS}/`, pathNot: `${RAILS}/rail[.]ts$` },
  ),
  rule(
    'rails-are-leaves',
    'A rail knows its institution, the Rail shape, platform/ and packages: no room, no other rail.',
    { path: `${RAILS}/([^/]+)` },
    {
      path: `${GATEWAY}/(modules|http|rails)/`,
      pathNot: [`${RAILS}/$1(/|$)`, `${RAILS}/rail[.]ts$`, `${RAILS}/test/`],
    },
  ),
  rule(
    'routes-do-not-touch-sql',
    'A route is parse, call, reply: it calls service.ts.',
    { path: ROUTES },
    {
      path: `/[a-z-]*store[.]ts$|node_modules/pg/|${GATEWAY}/platform/(db|database|postgres|sql|batch|batches)(/|[.]ts$)`,
    },
  ),
  rule(
    'store-holds-only-sql',
    'store.ts knows rows and the model: not service, routes, jobs, rails or the web.',
    { path: STORES },
    {
      pathNot: [
        `${MODULES}/$1/(?!(index|service|jobs|[a-z-]*routes)[.]ts$)`,
        `${MODULES}/(?!$1/)[^/]+/index[.]ts$`, // types only: see the next rule
        `${RAILS}/rail[.]ts$`, // types only as well
        `${GATEWAY}/platform/`,
        '^packages/(contract|money)/',
        '^(node:)?(crypto|buffer)$', // a column that holds a key or a digest
      ],
    },
  ),
  rule(
    'store-takes-only-types',
    'A store may name the types of a lower room and of the Rail shape; calling them is the work of service.ts.',
    { path: STORES },
    {
      path: `${MODULES}/[^/]+/index[.]ts$|${RAILS}/rail[.]ts$`,
      pathNot: `${MODULES}/$1/`,
      dependencyTypesNot: ['type-only'],
    },
  ),
  rule(
    'model-is-pure',
    'Rules and states: no clock, no SQL, no HTTP. Types may come from anywhere; what runs comes from here.',
    { path: `${MODULES}/([^/]+)/model[.]ts$` },
    {
      pathNot: [
        '^packages/(money|contract)/',
        `${MODULES}/$1/(?!(index|store|service|jobs|[a-z-]*routes)[.]ts$)`,
        `${GATEWAY}/platform/(refusal|errors|assert)(/|[.]ts$)`,
        '^(node:)?(assert|assert/strict|crypto|buffer)$', // digests and keys; ESLint keeps chance out of a model
      ],
      dependencyTypesNot: ['type-only'],
    },
  ),
]

const everywhere = [
  rule('no-cycles', 'Two files that need each other are one file, or hide a third.', {}, { circular: true }),
  rule(
    'everything-resolves',
    'An import that cannot be found escapes all the other rules.',
    { pathNot: 'node_modules' },
    { couldNotResolve: true },
  ),
  {
    name: 'no-orphans',
    severity: 'error',
    comment: 'A file that no file of the product imports is dead: delete it, or give it a caller.',
    module: { path: '^(apps|packages)/', pathNot: STARTED, numberOfDependentsLessThan: 1 },
    from: { pathNot: TESTS },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...rankRules, ...roomsWithin, ...packagesAndApps, ...gateway, ...rooms, ...everywhere],
  options: {
    tsPreCompilationDeps: true, // an `import type` is an edge too
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '(^|/)[.]tollgate/|^lab/medusa/shop/|^(packages/(sdk|medusa-provider)|tools/site)/dist/',
    },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      mainFields: ['types', 'main'],
    },
  },
}
