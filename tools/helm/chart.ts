import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { isRecord } from '../check/values.ts'

// The chart as tests read it: values, and the documents that come of them.

export const ROOT = resolve(import.meta.dirname, '../..')
export const CHART = join(ROOT, 'deploy/helm')
const GO_SOURCES = '/usr/share/gocode'
export const run = promisify(execFile)
/** Of this process, until its tests have ended. */
export const folder = mkdtempSync(join(tmpdir(), 'tollgate-helm-'))
after(() => rmSync(folder, { recursive: true }))

export type Values = Record<string, unknown>

export function valuesOf(path: string): Values {
  const read: unknown = parse(readFileSync(join(CHART, path), 'utf8'))
  assert.ok(isRecord(read), path)
  return read
}

/** As Helm does it: maps are merged, everything else is replaced. */
export const merged = (base: Values, given: Values): Values => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const before = base[name]
      const areMaps = [before, value].every((each) => isRecord(each) && !Array.isArray(each))
      return [name, areMaps && isRecord(before) && isRecord(value) ? merged(before, value) : value]
    }),
  ),
})

export interface Container {
  readonly name: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: Values
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Volume {
  readonly name: string
  readonly secret?: {
    readonly secretName: string
    readonly items?: readonly { readonly key: string; readonly path: string }[]
  }
}

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly initContainers: readonly Container[]
    readonly containers: readonly Container[]
    readonly volumes: readonly Volume[]
    readonly automountServiceAccountToken: boolean
    readonly enableServiceLinks: boolean
    readonly securityContext: Values
    readonly serviceAccountName?: string
    readonly terminationGracePeriodSeconds?: number
  }
}

/** A document, with what the tests look at. */
export interface Doc {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: {
    readonly replicas?: number
    readonly strategy?: Values
    readonly template: Pod
    readonly selector: Readonly<Record<string, string>> & {
      readonly matchLabels: Readonly<Record<string, string>>
    }
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly ports: readonly { readonly targetPort: string }[]
    readonly ingress?: readonly {
      readonly ports: readonly { readonly port: string }[]
      readonly from?: readonly Values[]
    }[]
    readonly accessModes?: readonly string[]
  }
}

/** Why nothing can be rendered here, if so. */
export const needsGo = {
  skip: hasGo()
    ? false
    : 'no Go with sprig here: apt-get install golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev',
}

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
  } catch {
    return false
  }
  return ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'].every((path) =>
    existsSync(join(GO_SOURCES, 'src', path)),
  )
}

let program: Promise<string> | undefined

async function build(): Promise<string> {
  const file = join(folder, 'render')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_SOURCES, GOFLAGS: '' }
  await run('go', ['build', '-o', file, join(ROOT, 'tools/helm/render.go')], {
    env: { ...env, GOCACHE: join(folder, 'cache') },
  })
  return file
}

/** What the program prints for the values. */
export async function textOf(values: Values, ...flags: readonly string[]): Promise<string> {
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  program ??= build()
  const { stdout } = await run(await program, [...flags, CHART, file])
  return stdout
}

export async function documentsOf(values: Values): Promise<readonly Doc[]> {
  const text = (await textOf(values)).replace(/^---\n# Source: NOTES\.txt\n.*?(?=^---$)/ms, '')
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    assert.deepEqual(document.errors, [])
    const read: unknown = document.toJS()
    return isDoc(read) ? [read] : []
  })
}

/** Fields are checked by the types of Kubernetes, so here only that it is no empty document. */
export const isDoc = (value: unknown): value is Doc => isRecord(value)

export const podsOf = (documents: readonly Doc[]): readonly Doc[] =>
  documents.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
export const containersOf = ({ spec }: Doc): readonly Container[] => [
  ...spec.template.spec.initContainers,
  ...spec.template.spec.containers,
]
