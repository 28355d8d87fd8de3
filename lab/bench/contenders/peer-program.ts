// Starts the peer without its own logging. Started as: peer-program.ts <port> <url of the package>
import { createServer, type RequestListener } from 'node:http'

process.env['LOG_LEVEL'] = 'silent'

const [port, url = ''] = process.argv.slice(2)
const peer: unknown = await import(url)
createServer(listenerOf(peer)).listen(Number(port), '127.0.0.1')

function listenerOf(module: unknown): RequestListener {
  if (typeof module === 'object' && module !== null && 'createExpressApp' in module) {
    const create: unknown = module.createExpressApp
    const app: unknown = typeof create === 'function' ? Reflect.apply(create, undefined, []) : undefined
    if (typeof app === 'function')
      return (request, response) => void Reflect.apply(app, undefined, [request, response])
  }
  throw new Error(`${url} has no createExpressApp`)
}
