import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { run, temporaryFolder } from './support.ts'

// A person waits for a command, so it loads what it needs. What is loaded is most of the time that a command takes.

const folder = temporaryFolder({ after })

const LISTENER = `
  import { registerHooks } from 'node:module'
  const urls = []
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
  process.on('exit', () => process.stderr.write(urls.join('\\n')))
`

/** The npm packages that a command loads. */
async function packagesOf(...args: readonly string[]): Promise<readonly string[]> {
  const { stderr } = await run(args, {
    TOLLGATE_DATA_DIR: folder,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LISTENER)}`,
  })
  const names = [...stderr.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map((match) => match[1] ?? '')
  return [...new Set(names)].toSorted()
}

test('help and a wrong argument load the parser of the command line, and nothing else of npm', async () => {
  assert.deepEqual(await packagesOf('--help'), ['commander'])
  assert.deepEqual(await packagesOf('merchants', 'show'), ['commander'])
})

test('the settings are read without a schema language', async () => {
  assert.deepEqual(await packagesOf('config'), ['commander', 'ipaddr.js'])
})

test('a command that asks the database loads neither the web, nor schemas, nor parsers of files', async () => {
  const loaded = await packagesOf('operators', 'disable', 'nobody', '--local')
  assert.ok(loaded.includes('pg'), loaded.join(', '))
  const heavy = ['fastify', 'typebox', 'ajv', 'undici', 'prom-client', 'saxes', 'csv-parse', 'jose']
  assert.deepEqual(
    heavy.filter((name) => loaded.includes(name)),
    [],
  )
})
