import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SignRequest, sealOf } from '@tollgate/signer-protocol'
import type { TestLife } from '@tollgate/testkit'
import { openRecord, type SigningRecord } from '../src/record.ts'
import type { ChainRules } from '../src/rules.ts'
import { createSigner, type Signer } from '../src/signer.ts'

export const KEY = `0x${'17'.repeat(32)}`
export const SECRET = Buffer.alloc(32, 5)
export const TOKEN = `0x${'a0'.repeat(20)}`
const GWEI = 1_000_000_000n
export const NOON_MS = Date.UTC(2026, 10, 28, 12)
export const DAY_MS = 86_400_000

export function temporaryFolder(t: TestLife): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-signer-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const RULES: ChainRules = {
  chainId: '8453',
  maxFeePerGas: 100n * GWEI,
  gasLimitMax: 200_000n,
  payees: undefined,
  tokens: [{ token: TOKEN, decimals: 6, perTransaction: 1_000n, perDay: 2_500n }],
}

/** A question with its seal; of what is given, the seal is over it too. */
export function question(given: Partial<SignRequest> = {}): SignRequest {
  const content = {
    chainId: '8453',
    reference: 'REF-1',
    token: TOKEN,
    payee: `0x${'cd'.repeat(20)}`,
    units: '100',
    ...given,
  }
  return {
    nonce: '0',
    gasLimit: '100000',
    maxFeePerGas: String(10n * GWEI),
    maxPriorityFeePerGas: String(GWEI),
    seal: sealOf(SECRET, content),
    ...content,
  }
}

/** A signer whose clock a test sets. */
interface SignerRig {
  readonly signer: Signer
  readonly record: SigningRecord
  readonly recordFile: string
  readonly clock: { nowMs: number }
  /** What becomes of a question: the nonce that was signed, or the refusal. */
  ask(given?: Partial<SignRequest>): Promise<string>
}

export async function openSigner(
  t: TestLife,
  { rules = RULES, recordFile = join(temporaryFolder(t), 'record.jsonl') } = {},
): Promise<SignerRig> {
  const record = await openRecord(recordFile)
  t.after(() => record.close())
  const clock = { nowMs: NOON_MS }
  const signer = createSigner({
    privateKey: KEY,
    secret: SECRET,
    chains: [rules],
    record,
    nowMs: () => clock.nowMs,
  })
  return {
    signer,
    record,
    recordFile,
    clock,
    async ask(given) {
      const answer = await signer.sign(question(given))
      return answer.kind === 'SIGNED' ? `SIGNED ${answer.nonce}` : answer.refusal
    },
  }
}

/** Writes a signer's files; what is given replaces what is right. */
export function writeSettings(
  folder: string,
  {
    key = KEY,
    secret = SECRET.toString('base64'),
    mode = 0o600,
    ...more
  }: Readonly<Record<string, unknown>> & {
    readonly key?: string
    readonly secret?: string
    readonly mode?: number
  } = {},
): string {
  writeFileSync(join(folder, 'key'), key, { mode })
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 })
  const chain = {
    chainId: 8453,
    maxFeePerGasGwei: '5',
    tokens: [{ token: TOKEN, decimals: 6, perTransaction: '100', perDay: '1000' }],
  }
  const files = { socket: 's.sock', keyFile: 'key', secretFile: 'secret', recordFile: 'record.jsonl' }
  const file = join(folder, 'settings.json')
  writeFileSync(file, JSON.stringify({ ...files, chains: [chain], ...more }))
  return file
}
