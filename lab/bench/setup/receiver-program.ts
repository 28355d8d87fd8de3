// A merchant's server that takes callbacks, in a process of its own: it answers 200 and notes when each call came.
// Started as: receiver-program.ts <port>... ; ids are the last part of each path.
import { createServer } from 'node:http'
import type { FromReceiver, ToReceiver } from './receiver.ts'

const arrivals = new Map<string, number>()
let expected = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  const nowMs = Date.now()
  const { url = '' } = request
  request.resume()
  request.once('end', () => {
    response.writeHead(200, { 'content-length': '0' }).end()
  })
  // A repeat is not the first attempt.
  const id = url.slice(url.lastIndexOf('/') + 1)
  if (arrivals.has(id)) return
  arrivals.set(id, nowMs)
  if (arrivals.size === 1) tell({ kind: 'FIRST' })
  if (arrivals.size === expected) tell({ kind: 'ARRIVED', arrivals: [...arrivals] })
})

process.on('message', ({ count }: ToReceiver) => {
  arrivals.clear()
  expected = count ?? Number.POSITIVE_INFINITY
})
process.once('disconnect', () => process.exit(0))

const [port] = process.argv.slice(2)
server.listen(Number(port), '127.0.0.1', () => tell({ kind: 'READY' }))

function tell(message: FromReceiver): void {
  process.send?.(message)
}
