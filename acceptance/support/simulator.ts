import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestGateway } from './gateway.ts'
import { textAt } from './json.ts'

/** How the bank is to behave; what each mood does is in the simulator's README. */
export interface Mood {
  readonly mood: string
  readonly every?: number
  readonly delayMs?: number
  readonly autoMs?: number
}

/** One movement of money in the bank's own books. */
interface Movement {
  readonly reference: string
  readonly direction: string
  readonly kind: string
  readonly amount: string
  readonly currencyCode: string
}

/** The bank simulator beside a gateway. */
interface Bank {
  readonly url: string
  setMood(mood: Mood): Promise<void>
  /** Sends the form that the customer's page has. */
  choose(reference: string, choice: 'approve' | 'decline'): Promise<void>
  /** The customer's page. */
  page(reference: string): Promise<{ readonly status: number; readonly text: string }>
  /** Everything that moved. */
  movements(): Promise<readonly Movement[]>
}

/** The simulator of a gateway that was started with one. */
export function bankOf(gateway: TestGateway): Bank {
  const demo: unknown = JSON.parse(readFileSync(join(gateway.dataDir, 'demo', 'merchant.json'), 'utf8'))
  const url = textAt(demo, 'simulatorUrl')
  const key = readFileSync(join(gateway.dataDir, 'simulator', 'admin.key'), 'utf8').trim()
  const admin = async (method: string, path: string, body?: Mood): Promise<string> => {
    const response = await fetch(`${url}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text
  }
  return {
    url,
    async setMood(mood) {
      await admin('PUT', '/mood', mood)
    },
    async choose(reference, choice) {
      const body = new URLSearchParams({ userName: 'Ada Lovelace' })
      const response = await fetch(`${url}/pay/${reference}/${choice}`, { method: 'POST', body })
      assert.equal(response.status, 200, await response.text())
    },
    async page(reference) {
      const response = await fetch(`${url}/pay/${reference}?userName=Ada+Lovelace`)
      return { status: response.status, text: await response.text() }
    },
    async movements() {
      const lines = (await admin('GET', '/log')).split('\n').filter((line) => line !== '')
      return lines.map((line) => movementIn(JSON.parse(line)))
    },
  }
}

function movementIn(line: unknown): Movement {
  return {
    reference: textAt(line, 'reference'),
    direction: textAt(line, 'direction'),
    kind: textAt(line, 'kind'),
    amount: textAt(line, 'money', 'amount'),
    currencyCode: textAt(line, 'money', 'currencyCode'),
  }
}
