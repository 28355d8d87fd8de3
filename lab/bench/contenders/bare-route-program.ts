// What HTTP alone costs: one Fastify route that checks the same kind of token, parses the same body and answers as many
// bytes, and knows no database. Started as: bare-route-program.ts <port> <cached|uncached> <file>
import { readFileSync } from 'node:fs'
import { at } from '@tollgate/testkit'
import { fastify } from 'fastify'
import { importJWK, jwtVerify } from 'jose'

const BODY_BYTES_MAX = 1_048_576
const TOKENS_CACHED_MAX = 20_000

const [port, caching, file = ''] = process.argv.slice(2)
/** Written by bare-route.ts: the public key of the gateway, and an answer of it. */
const given: unknown = JSON.parse(readFileSync(file, 'utf8'))
const answer = { ...objectAt(given, 'answer') }
const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: String(at(given, 'jwk', 'x')) }, 'EdDSA')
const verified = new Set<string>()
const app = fastify({ logger: false, bodyLimit: BODY_BYTES_MAX })

app.get('/readyz', () => Promise.resolve({ status: 'ok' }))
app.post<{ Params: { id: string } }>('/payins/:id', async (request, reply) => {
  try {
    await verify((request.headers.authorization ?? '').slice('Bearer '.length))
  } catch {
    return reply.code(401).send({ code: 'TOKEN_INVALID' })
  }
  if (typeof request.body !== 'object') return reply.code(400).send({ code: 'ATTRIBUTE_INVALID' })
  return reply.code(201).send({ ...answer, idPayin: request.params.id })
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.once('SIGTERM', () => void app.close())

async function verify(text: string): Promise<void> {
  if (verified.has(text)) return
  await jwtVerify(text, key, { algorithms: ['EdDSA'], typ: 'JWT' })
  if (caching === 'cached' && verified.size < TOKENS_CACHED_MAX) verified.add(text)
}

function objectAt(value: unknown, name: string): object {
  const found = at(value, name)
  if (typeof found === 'object' && found !== null) return found
  throw new Error(`${file} holds no ${name}`)
}
