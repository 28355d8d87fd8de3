import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asset } from '@tollgate/page-server'
import { SCRIPT_PARTS, STYLESHEET_PARTS, urlOf } from '../../apps/checkout/src/assets/bundle.ts'
import { assets, inventoryOf } from '../../apps/checkout/src/assets/index.ts'

// What runs or applies in a customer's browser on the hosted payment page, for those who must authorise it (PCI DSS 4.0.1,
// 6.4.3) and watch that nothing else does (11.6.1).

const OWNER = 'Tollgate, apps/checkout'
const ROOT = resolve(import.meta.dirname, '../..')

interface Row {
  readonly path: string
  readonly kind: 'script' | 'stylesheet'
  readonly integrity: string
  readonly bytes: number
  readonly purpose: string
  readonly owner: string
  /** What it is made of, in this order. */
  readonly sources: readonly string[]
}

/** docs/script-inventory.json and the same for people. */
export function scriptInventory(): readonly (readonly [path: string, text: string])[] {
  const built = assets()
  const rows = inventoryOf(built).map(({ path, integrity, purpose }): Row => {
    const asset = [built.script, built.stylesheet].find((each) => each.path === path)
    if (asset === undefined) throw new Error(`the inventory names ${path}, which is not built`)
    return { path, ...kindOf(asset), integrity, bytes: asset.body.length, purpose, owner: OWNER }
  })
  const document = { files: rows, inColours: inColours(built.stylesheet) }
  return [
    ['docs/script-inventory.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/script-inventory.md', page(rows)],
  ]
}

function kindOf({ contentType }: Asset): Pick<Row, 'kind' | 'sources'> {
  const isScript = contentType.startsWith('text/javascript')
  const parts: readonly string[] = isScript ? SCRIPT_PARTS : STYLESHEET_PARTS
  const sources = parts.map((part) => relative(ROOT, fileURLToPath(urlOf(part))))
  return { kind: isScript ? 'script' : 'stylesheet', sources }
}

const COLOURED = 'The stylesheet, and after it a shop’s colour as custom properties of :root. No other rule.'

/** As many as shops have colours, so they have no hash here: they begin with a file that has one. */
function inColours({ integrity, body }: Asset): object {
  return {
    path: '/assets/checkout-<six hex digits>.<hash>.css',
    kind: 'stylesheet',
    beginsWith: { integrity, bytes: body.length },
    followedBy: '(:root|@media) rules that set custom properties only',
    purpose: COLOURED,
    owner: OWNER,
  }
}

function page(rows: readonly Row[]): string {
  const table = rows.map(
    ({ path, kind, integrity, bytes, purpose, owner }) =>
      `| \`${path}\` | ${kind} | \`${integrity}\` | ${bytes} | ${purpose} | ${owner} |`,
  )
  const sources = rows.map(
    ({ path, sources: list }) => `- \`${path}\`: ${list.map((each) => `\`${each}\``).join(', ')}`,
  )
  return [
    '# What the payment page loads',
    '',
    'Every script and stylesheet of the hosted payment page, for the inventory that PCI DSS 6.4.3 asks for. Made from the source by `npm run generate`; `npm run check` fails when it is not what is built, and a test compares what a running page loads with it. [The same for programs](script-inventory.json).',
    '',
    '| Address | Kind | Integrity | Bytes | Why it is there | Owner |',
    '|---|---|---|---|---|---|',
    ...table,
    `| \`/assets/checkout-<colour>.<hash>.css\` | stylesheet | its first bytes are those of the stylesheet above | | ${COLOURED} | ${OWNER} |`,
    '',
    "There is nothing else: no other origin, no inline script or style, no tag manager, no analytics, no font. Three things keep it so in every browser that knows them: the Content-Security-Policy of each answer (`default-src 'none'`, `script-src 'self'`, `require-trusted-types-for 'script'`), `Integrity-Policy: blocked-destinations=(script)`, and the `integrity` of both elements.",
    '',
    'The addresses hold the beginning of the SHA-384 of what is there, in hex. To look at a running page:',
    '',
    '```bash',
    'curl -s https://pay.example/assets/checkout.<hash>.js | openssl dgst -sha384 -binary | openssl base64 -A',
    '```',
    '',
    '## Made of',
    '',
    'One after the other, without types and comments:',
    '',
    ...sources,
    '',
  ].join('\n')
}
