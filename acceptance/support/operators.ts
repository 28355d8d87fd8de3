import { setTimeout as sleep } from 'node:timers/promises'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import type { TestGateway } from './gateway.ts'

/** What operators of a gateway ask the operator API. Paths are below `/operator/`. */
interface Operators<Name extends string> {
  get(name: Name, path: string): Promise<RawResponse>
  post(name: Name, path: string, body?: unknown): Promise<RawResponse>
  put(name: Name, path: string, body: unknown): Promise<RawResponse>
  remove(name: Name, path: string): Promise<RawResponse>
  /** A file as the body. */
  upload(name: Name, path: string, file: string): Promise<RawResponse>
}

/** Makes an operator for each of the names, with the code and the role that are given. */
export async function operatorsOf<Name extends string>(
  gateway: TestGateway,
  wanted: Readonly<Record<Name, readonly [code: string, role: string]>>,
): Promise<Operators<Name>> {
  const keys: Partial<Record<Name, string>> = {}
  for (const name in wanted) {
    const [code, role] = wanted[name]
    keys[name] = (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
  }
  /** An operator may ask twenty times a second; tests ask faster. */
  async function ask(name: Name, request: RawRequest): Promise<RawResponse> {
    const whole = { ...request, path: `/operator/${request.path}`, token: keys[name] }
    for (;;) {
      const answer = await gateway.sendToOperators(whole)
      if (answer.status !== 429) return answer
      await sleep(100)
    }
  }
  return {
    get: (name, path) => ask(name, { method: 'GET', path }),
    post: (name, path, body) => ask(name, { method: 'POST', path, body }),
    put: (name, path, body) => ask(name, { method: 'PUT', path, body }),
    remove: (name, path) => ask(name, { method: 'DELETE', path }),
    upload: (name, path, file) =>
      ask(name, {
        method: 'POST',
        path,
        rawBody: file,
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
  }
}
