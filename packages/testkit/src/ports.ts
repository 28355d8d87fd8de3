import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that systems take for connections of their own: one of those could be taken by any program's next
// connection before the test's own program listens on it.
const FIRST_PORT = 15_000
const LAST_PORT = 29_999
const TRIES_MAX = 100

const given = new Set<number>()

/** A port of 127.0.0.1 that nobody listens on right now, and that this process has not asked for before. */
export async function freePort(): Promise<number> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port found between ${FIRST_PORT} and ${LAST_PORT}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
