import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createLog } from '../src/log.ts'

function testLog() {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  return { log, lines }
}

test('a line is one JSON object, whatever is in it', () => {
  const { log, lines } = testLog()
  log.info({ merchant: 'a\n{"level":"error"}\u001b[2J' }, 'request')
  log.debug({}, 'below the level')
  assert.equal(lines.length, 1)
  const line = lines[0] ?? ''
  assert.equal(line.indexOf('\n'), line.length - 1)
  assert.equal(line.includes('\u001b'), false)
  assert.equal(JSON.parse(line).level, 'info')
})

test('what looks like a secret is not written, at the top and one level below', () => {
  const { log, lines } = testLog()
  for (const name of [
    'secret',
    'token',
    'authorization',
    'signature',
    'password',
    'accountNumber',
    'emailAddress',
    'body',
    'url',
  ])
    log.warn({ [name]: 'hunter2', request: { [name]: 'hunter2' } }, 'careless')
  assert.doesNotMatch(lines.join(''), /hunter2/)
})

test('an error is its name, message, code and frames, never the values of its statement', () => {
  const { log, lines } = testLog()
  const error = Object.assign(new Error('duplicate key value violates a unique constraint'), {
    code: '23505',
    detail: 'Key (account)=(hunter2) already exists.',
    parameters: ['hunter2'],
    cause: new Error('hunter2'),
  })
  log.error({ err: error }, 'unexpected error')
  log.error({ err: 'hunter2' }, 'thrown text')
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual(Object.keys(line.err).sort(), ['code', 'frames', 'message', 'type'])
  assert.equal(line.err.code, '23505')
  assert.doesNotMatch(lines.join(''), /hunter2/)
})

test('of an error by which a connection failed, the line says what the system said', () => {
  const { log, lines } = testLog()
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  const causes = [
    refused,
    new AggregateError([refused, new Error('another address')]),
    Object.assign(new Error('hunter2'), { code: '57P03' }),
  ]
  for (const cause of causes) log.warn({ err: new Error('the database cannot be reached', { cause }) }, 'no')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err.cause),
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED 10.0.0.7:5432', '57P03'],
  )
})

test('the last lines of a process that ends itself are written in order, also while its threads are busy', () => {
  const program = `
    import { pbkdf2 } from 'node:crypto'
    import { createLog, linesWritten } from '${new URL('../src/log.ts', import.meta.url).href}'
    for (let busy = 0; busy < 4; busy += 1) pbkdf2('a', 'b', 100_000, 64, 'sha512', () => undefined)
    const log = createLog({ level: 'info' })
    log.info({}, 'the line before')
    log.info({}, 'the last line')
    await linesWritten()
    process.exit(0)`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.match(stderr, /the line before"\}\n.*the last line"\}\n$/)
})

const program = (rest: string): readonly string[] => [
  '--input-type=module',
  '--eval',
  `import { createLog } from '${new URL('../src/log.ts', import.meta.url).href}'
   const log = createLog({ level: 'info' })
   log.info({}, 'a line')
   ${rest}`,
]

/** What the program has written when the text is there; it is killed then, so that its end writes nothing. */
async function writtenUntil(text: string, rest: string): Promise<string> {
  const child = spawn(process.execPath, program(`setInterval(() => undefined, 1_000)\n${rest}`), {
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let written = ''
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    written += String(chunk)
    if (written.includes(text)) child.kill('SIGKILL')
  }
  return written
}

test('a line is written while its process goes on', async () => {
  assert.match(await writtenUntil('a line"}\n', ''), /a line"\}\n$/)
})

test('a line that comes while the one before is still being written does not wait for another', async () => {
  // Busy threads hold the first line, until after the second one's time.
  const rest = `
    const { pbkdf2 } = await import('node:crypto')
    for (let busy = 0; busy < 4; busy += 1) pbkdf2('a', 'b', 2_000_000, 64, 'sha512', () => undefined)
    setTimeout(() => log.info({}, 'the next line'), 200)`
  assert.match(await writtenUntil('the next line"}\n', rest), /a line"\}\n.*the next line"\}\n$/)
})

test('the lines of a process that ends without waiting for them are written', () => {
  for (const end of ['', 'process.exit(3)', "throw new Error('a fault')"]) {
    const { stderr } = spawnSync(process.execPath, program(end), { encoding: 'utf8', timeout: 30_000 })
    assert.match(stderr, /a line"\}\n/, end)
  }
})
