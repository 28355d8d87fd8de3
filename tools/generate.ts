import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configurationPage } from './generate/configuration-page.ts'
import { errorPages } from './generate/error-pages.ts'
import { openApiDocuments } from './generate/openapi-document.ts'
import { railProtocolDocument } from './generate/rail-protocol-document.ts'
import { schemaDocument } from './generate/schema-dump.ts'
import { scriptInventory } from './generate/script-inventory.ts'

// `npm run generate` writes what is made from the code: the OpenAPI documents, that of the rail protocol, a page per error code, the page of settings,
// the schema that all migrations together make, the inventory of what the payment page loads.
// With --check it writes nothing and fails when a file is not what it would write.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ERROR_PAGES = 'docs/errors'

const files = new Map<string, string>([
  ...(await openApiDocuments()),
  ['docs/rail-protocol.json', railProtocolDocument()],
  ['docs/configuration.md', configurationPage()],
  ['apps/gateway/schema.sql', await schemaDocument()],
  ...scriptInventory(),
  ...errorPages().map(({ name, text }): [string, string] => [`${ERROR_PAGES}/${name}.md`, text]),
])

const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path)
const extra = readdirSync(join(ROOT, ERROR_PAGES), { withFileTypes: true })
  .map((entry) => `${ERROR_PAGES}/${entry.name}`)
  .filter((path) => path.endsWith('.md') && !files.has(path))

if (process.argv.includes('--check')) {
  for (const path of [...stale, ...extra])
    process.stderr.write(`${path} is not what the code says. Run \`npm run generate\`.\n`)
  process.exitCode = stale.length + extra.length === 0 ? 0 : 1
} else {
  for (const path of stale) write(path, files.get(path) ?? '')
  for (const path of extra) rmSync(join(ROOT, path))
  process.stdout.write(
    `${String(files.size)} files, ${String(stale.length)} written, ${String(extra.length)} removed\n`,
  )
}

function read(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
}
