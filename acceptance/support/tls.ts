import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestLife } from '@tollgate/testkit'

// TLS in front of programs, as a proxy does it.

/** A certificate for these names and its key. Programs trust it by NODE_EXTRA_CA_CERTS. */
interface Certificate {
  readonly file: string
  readonly keyFile: string
}

export async function newCertificate(folder: string, names: readonly string[]): Promise<Certificate> {
  const [file, keyFile] = [join(folder, 'tls.pem'), join(folder, 'tls-key.pem')]
  const own = ['-subj', '/CN=tollgate', '-addext', `subjectAltName=${names.join(',')}`]
  const kind = ['-x509', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  await promisify(execFile)('openssl', ['req', ...kind, ...own, '-keyout', keyFile, '-out', file])
  return { file, keyFile }
}

interface Place {
  readonly host: string
  readonly port: number
}

/** Hands each request on to a program, with the `Host` that it came with; resolves to where it listens. Ends with the test. */
export async function proxyWithTls(
  t: TestLife,
  { file, keyFile }: Certificate,
  { at, to }: { readonly at: Place; readonly to: Place },
): Promise<number> {
  const tls = { cert: readFileSync(file), key: readFileSync(keyFile) }
  const server = createServer(tls, (incoming, answer) => {
    const { method = 'GET', url = '/', headers } = incoming
    const onward = request({ ...to, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    // The program is not there yet, or not any more.
    onward.on('error', () => answer.writeHead(502).end())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(at.port, at.host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
