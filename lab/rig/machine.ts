import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { median } from './statistics.ts'

/** What a reader needs to know of the machine; no names of hosts, users or folders. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  /** What one fdatasync of 8 KiB takes on the database's disk. */
  readonly fdatasyncMs: number
}

const SYNCS = 200
const PAGE_BYTES = 8_192

/** `folder`: on the disk of the database. */
export function describeMachine(folder: string): Machine {
  const [first] = cpus()
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${/^\d+(\.\d+)*/.exec(release())?.[0] ?? ''}`.trim(),
    fdatasyncMs: measureSync(folder),
  }
}

function measureSync(folder: string): number {
  const path = join(folder, 'sync-trial')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  try {
    return median(
      Array.from({ length: SYNCS }, (_, index) => {
        writeSync(file, page, 0, PAGE_BYTES, index * PAGE_BYTES)
        const startMs = performance.now()
        fdatasyncSync(file)
        return performance.now() - startMs
      }),
    )
  } finally {
    closeSync(file)
    rmSync(path, { force: true })
  }
}

const PACKAGES = ['fastify', 'jose', 'pg'] as const

/** Versions of what takes part. */
export function listVersions(
  database: string,
  pgbench: string | undefined,
): Readonly<Record<string, string>> {
  const packages = PACKAGES.map((name) => [name, packageVersion(name)] as const)
  return {
    node: process.versions.node,
    postgresql: database,
    ...(pgbench !== undefined && { pgbench }),
    ...Object.fromEntries(packages),
    ...peerVersion(),
  }
}

function peerVersion(): Readonly<Record<string, string>> {
  const version = packageVersion('stripe-stateful-mock')
  return version === '' ? {} : { 'stripe-stateful-mock': version }
}

function packageVersion(name: string): string {
  try {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof content === 'object' && content !== null && 'version' in content
      ? String(content.version)
      : ''
  } catch {
    return ''
  }
}
