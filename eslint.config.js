// What a formatter cannot see: types, promises, size. Format and everyday lint are Biome's (biome.json),
// imports between rooms are dependency-cruiser's (.dependency-cruiser.cjs). Run by `npm run check`.
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const TESTS = ['**/*.test.ts', '**/test/**/*.ts', 'acceptance/**/*.ts', 'packages/testkit/**/*.ts']

const ENVIRONMENT = {
  object: 'process',
  property: 'env',
  message: 'Only config.ts reads the environment; take the parsed setting as a parameter.',
}
const CLOCK = [
  { object: 'Date', property: 'now', message: 'Ask the clock you were given (platform/clock).' },
  { object: 'Math', property: 'random', message: 'Ask the ids you were given (platform/ids).' },
]

const SHAPE = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Named exports only: the name you search is the name you find.',
  },
  { selector: 'ExportAllDeclaration', message: 'A door lists what it lets through: export { … } from.' },
  { selector: 'TSEnumDeclaration', message: 'Use an `as const` array and a union type.' },
  {
    selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'Write its members where they are: a literal that is spread only makes a block look shorter.',
  },
]
const PRODUCT_SHAPE = [
  ...SHAPE,
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Ask the clock you were given (platform/clock).',
  },
  {
    selector:
      "CallExpression[callee.property.name='query'] > TemplateLiteral.arguments > .expressions:not(Identifier[name=/^[A-Z0-9_]+$/], CallExpression[callee.property.name='escapeIdentifier'])",
    message: 'Values go into SQL as parameters ($1, $2); only a CONSTANT of the file may be spliced in.',
  },
]

export default defineConfig(
  { ignores: ['**/*.js', '**/*.cjs', '**/*.mjs', '**/node_modules/**', '.tollgate/**', '**/dist/**'] },
  tseslint.configs.strictTypeChecked,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Size: a function fits a screen, a file fits a sitting.
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      // `modified`: a switch is one decision; the compiler already asks it for every case.
      complexity: ['error', { max: 10, variant: 'modified' }],

      // Shape
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false },
      ],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        // The runner itself waits for what these return.
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] },
          ],
        },
      ],
      'no-restricted-syntax': ['error', ...SHAPE],
      'no-restricted-properties': ['error', ENVIRONMENT],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:process', importNames: ['env'], message: ENVIRONMENT.message }] },
      ],

      // Tuned: these spoke more often of taste than of bugs.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ], // bigint counts as a number
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ], // while (true)
      '@typescript-eslint/require-await': 'off', // an async function without await fails by rejection: one channel for the caller
      '@typescript-eslint/unbound-method': 'off', // our objects come from factories and have no `this` to lose
      '@typescript-eslint/no-unsafe-enum-assignment': 'off', // we have no enums; the driver's are numbers of PostgreSQL
      '@typescript-eslint/no-unused-vars': 'off', // tsc says it already (noUnusedLocals, noUnusedParameters)
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...PRODUCT_SHAPE],
      'no-restricted-properties': ['error', ENVIRONMENT, ...CLOCK],
    },
  },
  {
    files: ['**/config.ts', '**/config/*.ts'],
    rules: { 'no-restricted-properties': ['error', ...CLOCK], 'no-restricted-imports': 'off' },
  },
  {
    // What is started hands the environment to config.ts, once and as a whole.
    files: ['apps/*/src/{main,worker}.ts'],
    rules: {
      'no-restricted-properties': ['error', ...CLOCK],
      'no-restricted-syntax': [
        'error',
        ...PRODUCT_SHAPE,
        {
          selector:
            "MemberExpression[object.name='process'][property.name='env']:not(CallExpression[callee.name='readConfig'] > MemberExpression)",
          message: ENVIRONMENT.message,
        },
      ],
    },
  },
  {
    // The clock and the ids themselves.
    files: ['apps/*/src/{platform/,}{clock,ids}.ts', 'apps/*/src/platform/{clock,ids}/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ENVIRONMENT],
      'no-restricted-syntax': ['error', ...SHAPE],
    },
  },
  {
    // A model is given its ids and its chance.
    files: ['apps/*/src/modules/*/model.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:crypto',
              importNames: [
                'randomBytes',
                'randomUUID',
                'randomInt',
                'randomFill',
                'generateKeyPair',
                'generateKeyPairSync',
              ],
              message: 'A model is pure: take what is drawn by chance as a parameter.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['tools/**/*.ts', 'lab/**/*.ts', ...TESTS],
    rules: {
      'no-restricted-syntax': ['error', ...SHAPE],
      'no-restricted-properties': 'off',
      'no-restricted-imports': 'off',
      // Here a switch looks at other people's unions (test events, syntax nodes) and wants a few of them.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      // A test is read from top to bottom; cutting it up hides the story.
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      // It looks into JSON that just arrived; a wrong guess fails the test, which is what a test is for.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
)
