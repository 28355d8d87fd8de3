import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { readConfig as readCheckoutConfig } from '../../apps/checkout/src/config.ts'
import { readConfig as readConsoleConfig } from '../../apps/console/src/config.ts'
import { readConfig } from '../../apps/gateway/src/config.ts'
import { isRecord } from '../check/values.ts'
import {
  CHART,
  type Container,
  containersOf,
  type Doc,
  documentsOf,
  folder,
  isDoc,
  merged,
  needsGo,
  podsOf,
  ROOT,
  run,
  textOf,
  type Values,
  valuesOf,
} from '../helm/chart.ts'
import { onDemand } from '../on-demand.ts'

// deploy/helm: what the chart takes, what it refuses, and what it makes of it.

const LIVE = valuesOf('examples/live.yaml')
const SANDBOX = valuesOf('examples/sandbox.yaml')
const LIVE_PROMETHEUS = [
  { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
]
const CHAINS = { files: { TOLLGATE_CHAINS_FILE: { name: 'tollgate-chains', key: 'chains.json' } } }
const SIGNER = { ...CHAINS, signer: { enabled: true, secret: 'tollgate-signer' }, worker: { replicas: 1 } }

/** Installations of all kinds. */
const CASES: Readonly<Record<string, Values>> = {
  'the smallest': SANDBOX,
  'live with Redis and autoscaling': LIVE,
  'a signer': merged(LIVE, SIGNER),
  'no extras': merged(SANDBOX, {
    urls: { console: '' },
    checkout: { enabled: false },
    networkPolicy: { enabled: false },
  }),
  everything: merged(merged(LIVE, SIGNER), {
    settings: {
      TOLLGATE_SECOND_PERSON: 'on',
      TOLLGATE_CALLBACK_ALLOW_PRIVATE: false,
      TOLLGATE_DRAIN_SECONDS: 90,
      CHECKOUT_DRAIN_SECONDS: 40,
      TOLLGATE_CONSOLE_CELLS: 'A=https://console.pay.example B=https://console-b.pay.example',
      CHECKOUT_ADDRESS_RATE_PER_SECOND: 1_000_000,
    },
    signer: { storageClass: 'fast' },
    imagePullSecrets: ['registry'],
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'payments', operator: 'Exists' }],
    ingress: { console: true, annotations: { 'example.com/body-size': '17m' } },
    podMonitor: { labels: { release: 'prometheus' } },
    networkPolicy: { egress: [{ to: [{ ipBlock: { cidr: '10.9.0.0/16' } }] }] },
  }),
}

const schema: unknown = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
assert.ok(isRecord(schema))
const fits = new Ajv({ allowUnionTypes: true }).compile(schema)

/** Where the values do not fit the schema. */
const misfits = (values: Values): readonly string[] =>
  fits(values) ? [] : (fits.errors ?? []).map(({ instancePath }) => instancePath)

test('the values and all examples of them fit the schema', () => {
  const values = valuesOf('values.yaml')
  for (const [name, given] of Object.entries({ 'values.yaml': {}, ...CASES }))
    assert.deepEqual(misfits(merged(values, given)), [], name)
})

test('the schema refuses names that it does not know, and values of another kind', () => {
  const values = valuesOf('values.yaml')
  const wrong: readonly (readonly [given: Values, path: string])[] = [
    [{ replicas: 3 }, ''],
    [{ api: { replica: 3 } }, '/api'],
    [{ api: { replicas: 0 } }, '/api/replicas'],
    [{ environment: 'production' }, '/environment'],
    [{ image: 'tollgate' }, '/image'],
    [{ urls: { api: 'https://pay.example/api' } }, '/urls/api'],
    [{ trustProxy: ['ingress'] }, '/trustProxy/0'],
    [{ secrets: { database: { value: 'postgres://' } } }, '/secrets/database'],
    [{ files: { TOLLGATE_DATABASE_URL_FILE: { name: 'a', key: 'b' } } }, '/files'],
    [{ files: { TOLLGATE_CHAINS_FILE: { name: 'a' } } }, '/files/TOLLGATE_CHAINS_FILE'],
    [{ settings: null }, '/settings'],
    [{ settings: { LOG_LEVEL: 'warn' } }, '/settings'],
    [{ settings: { TOLLGATE_SECOND_PERSON: true } }, '/settings/TOLLGATE_SECOND_PERSON'],
    [{ networkPolicy: { databasePort: '5432' } }, '/networkPolicy/databasePort'],
  ]
  for (const [given, path] of wrong)
    assert.ok(misfits(merged(values, given)).includes(path), `${JSON.stringify(given)} at ${path}`)
})

test('the database of the example acknowledges what a named standby has, and goes on with none alone', () => {
  const { spec } = valuesOf('examples/cloudnative-pg.yaml')
  assert.ok(isRecord(spec) && isRecord(spec['postgresql']))
  assert.equal(spec['instances'], 3)
  assert.deepEqual(spec['postgresql']['synchronous'], {
    method: 'any',
    number: 1,
    dataDurability: 'required',
    failoverQuorum: true,
  })
})

test('every setting that the chart names is one', () => {
  const known = new Set(
    ['docs/configuration.md', 'apps/checkout/src/config.ts', 'apps/console/src/config.ts'].flatMap(
      (path) =>
        readFileSync(join(ROOT, path), 'utf8').match(/(?<=[`'])(?:TOLLGATE|CHECKOUT|CONSOLE)_\w+/g) ?? [],
    ),
  )
  const named = readdirSync(CHART, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:yaml|tpl|txt|json)$/.test(name))
    .flatMap((name) =>
      (readFileSync(join(CHART, name), 'utf8').match(/\b(?:TOLLGATE|CHECKOUT|CONSOLE)_[A-Z_]+\b/g) ?? [])
        // What it refuses it names by its end.
        .filter((setting) => !setting.endsWith('_')),
    )
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, ''))),
    [],
  )
})

const TYPES = [
  'kubernetes-models',
  '@kubernetes-models/cloudnative-pg',
  '@kubernetes-models/prometheus-operator',
]

/** A program that is of the right types when the documents have no field that Kubernetes does not know, or of another type. */
function typed(documents: readonly Doc[], packages: string): string {
  return documents
    .map((document, index) => {
      const type = TYPES.map((name) => join(packages, name, document.apiVersion, document.kind)).find(
        (path) => existsSync(`${path}.d.ts`),
      )
      assert.ok(type !== undefined, `${document.apiVersion} ${document.kind} is not known`)
      const name = `document${String(index)}`
      return `export const ${name}: import('${type}').I${document.kind} = ${JSON.stringify(document)}\n`
    })
    .join('')
}

test('Kubernetes knows every field of every document', needsGo, async (t) => {
  let packages: string
  try {
    packages = join(onDemand('tools/helm'), 'node_modules')
  } catch {
    return t.skip('the types of Kubernetes are not installed here: npm ci --prefix tools/helm')
  }
  const database: unknown = parse(readFileSync(join(CHART, 'examples/cloudnative-pg.yaml'), 'utf8'))
  assert.ok(isDoc(database))
  const documents = [database]
  for (const values of Object.values(CASES)) documents.push(...(await documentsOf(values)))
  const file = join(folder, 'documents.ts')
  writeFileSync(file, typed(documents, packages))
  const settings = [
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2024',
  ]
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  await run(compiler, ['--noEmit', ...settings, file]).catch((error: unknown) => {
    assert.fail(isRecord(error) ? String(error['stdout']) : String(error))
  })
})

/** The labels by which a document chooses pods. */
function labelsIn({ kind, spec }: Doc): Readonly<Record<string, string>> | undefined {
  if (kind === 'Service') return spec.selector
  if (kind === 'NetworkPolicy') return spec.podSelector.matchLabels
  return ['Deployment', 'PodDisruptionBudget'].includes(kind) ? spec.selector.matchLabels : undefined
}

/** Ports of pods that it names. */
function portsIn({ kind, spec }: Doc): readonly string[] {
  if (kind === 'Service') return spec.ports.map(({ targetPort }) => targetPort)
  if (kind !== 'NetworkPolicy') return []
  return (spec.ingress ?? []).flatMap(({ ports }) => ports.map(({ port }) => port))
}

test('no two documents have one name, and what one names in pods is there', needsGo, async () => {
  for (const [name, values] of Object.entries(CASES)) {
    const documents = await documentsOf(values)
    const names = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    assert.deepEqual(names, [...new Set(names)], name)
    for (const document of documents) {
      const labels = labelsIn(document)
      if (labels === undefined) continue
      const chosen = podsOf(documents).filter(({ spec: { template } }) =>
        Object.entries(labels).every(([label, value]) => template.metadata.labels[label] === value),
      )
      const place = `${name}: ${document.kind} ${document.metadata.name}`
      assert.equal(chosen.length, 1, place)
      const ports = chosen.flatMap(containersOf).flatMap((container) => container.ports ?? [])
      for (const port of portsIn(document))
        assert.ok(
          ports.some((each) => each.name === port),
          `${place}: ${port}`,
        )
    }
  }
})

test('a pod mounts each of its volumes, and each mount is of a volume', needsGo, async () => {
  for (const [name, values] of Object.entries(CASES))
    for (const document of podsOf(await documentsOf(values))) {
      const volumes = document.spec.template.spec.volumes.map((volume) => volume.name)
      const mounted = containersOf(document).flatMap((container) =>
        (container.volumeMounts ?? []).map((mount) => mount.name),
      )
      assert.deepEqual(volumes.toSorted(), [...new Set(mounted)].sort(), `${name}: ${document.metadata.name}`)
    }
})

test('a container may do little, and its pod gets nothing from Kubernetes', needsGo, async () => {
  for (const document of podsOf(await documentsOf(CASES['everything'] ?? {}))) {
    const { spec } = document.spec.template
    assert.equal(spec.automountServiceAccountToken, false)
    assert.equal(spec.enableServiceLinks, false)
    assert.equal(spec.securityContext['runAsNonRoot'], true)
    assert.deepEqual(spec.securityContext['seccompProfile'], { type: 'RuntimeDefault' })
    for (const { name, securityContext } of containersOf(document)) {
      const { runAsUser, ...rest } = securityContext
      assert.equal(runAsUser, name.startsWith('signer') ? 1001 : 1000, name)
      const little = {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      }
      assert.deepEqual(rest, little, name)
    }
  }
})

const CONTENTS: Readonly<Record<string, string>> = {
  TOLLGATE_DATABASE_URL_FILE: 'postgres://tollgate:secret@database/tollgate',
  TOLLGATE_MIGRATE_DATABASE_URL_FILE: 'postgres://owner:secret@database/tollgate',
  TOLLGATE_REDIS_URL_FILE: 'redis://cache:6379/0',
  CHECKOUT_SECRET_FILE: Buffer.alloc(32, 1).toString('base64'),
  CHECKOUT_SERVICE_KEY_FILE: 'a'.repeat(32),
}
const READERS: Readonly<
  Record<string, (environment: Record<string, string>) => { readonly [name: string]: unknown }>
> = {
  api: (environment) => ({ ...readConfig(environment) }),
  worker: (environment) => ({ ...readConfig(environment) }),
  migrate: (environment) => ({ ...readConfig(environment) }),
  checkout: (environment) => ({ ...readCheckoutConfig(environment) }),
  console: (environment) => ({ ...readConsoleConfig(environment) }),
}

/** The settings of a container as its process reads them, with contents for its files. */
function configOf(container: Container): { readonly [name: string]: unknown } {
  const environment = (container.env ?? []).map(({ name, value }): [string, string] => {
    const content = CONTENTS[name]
    if (content === undefined) return [name, value]
    const file = join(folder, name)
    writeFileSync(file, content)
    return [name, file]
  })
  const names = environment.map(([name]) => name)
  assert.deepEqual(names, [...new Set(names)], container.name)
  const read = READERS[container.name]
  assert.ok(read !== undefined, container.name)
  return read(Object.fromEntries(environment))
}

test('each process takes the settings that its container has', needsGo, async () => {
  for (const values of Object.values(CASES))
    for (const document of podsOf(await documentsOf(values)))
      for (const container of document.spec.template.spec.containers)
        if (container.name !== 'signer') configOf(container)
  const documents = podsOf(await documentsOf(CASES['everything'] ?? {}))
  const containers = documents.flatMap(({ spec }) => spec.template.spec.containers)
  const configs = new Map(
    containers
      .filter(({ name }) => name !== 'signer')
      .map((container) => [container.name, configOf(container)]),
  )
  assert.equal(configs.get('checkout')?.['addressRatePerSecond'], 1_000_000)
  assert.equal(configs.get('api')?.['TOLLGATE_OPERATOR_HOST'], '127.0.0.1')
  assert.deepEqual(configs.get('api')?.['trustProxy'], ['10.244.0.0/16'])
})

test(
  'neither the operator API nor metrics have a Service, and the policy lets nothing to them but Prometheus',
  needsGo,
  async () => {
    const documents = await documentsOf(LIVE)
    const targets = documents.filter(({ kind }) => kind === 'Service').flatMap(({ spec }) => spec.ports)
    assert.deepEqual(targets.map(({ targetPort }) => targetPort).sort(), ['api', 'checkout', 'console'])
    const policies = documents.filter(({ kind }) => kind === 'NetworkPolicy')
    assert.equal(policies.length, podsOf(documents).length)
    for (const { spec, metadata } of policies)
      for (const { ports, from } of spec.ingress ?? []) {
        const isOfMetrics = ports.some(({ port }) => port.endsWith('metrics'))
        assert.deepEqual(from, isOfMetrics ? LIVE_PROMETHEUS : undefined, metadata.name)
      }
    const ports = podsOf(documents)
      .flatMap(containersOf)
      .flatMap((container) => container.ports ?? [])
    assert.ok(!ports.some(({ containerPort }) => containerPort === 8084))
  },
)

test(
  'a migration runs before the processes of its version, and alone is the owner of the tables',
  needsGo,
  async () => {
    const documents = await documentsOf(CASES['everything'] ?? {})
    const job = documents.find(({ kind }) => kind === 'Job') ?? assert.fail()
    assert.deepEqual(job.metadata.annotations, {
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
    // The hook runs before there is an account, a policy or anything else of the chart.
    assert.equal(job.spec.template.spec.serviceAccountName, undefined)
    assert.deepEqual(
      documents
        .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined)
        .map(({ kind }) => kind),
      ['Job'],
    )
    const owners = podsOf(documents).filter((document) =>
      secretsOf(document).includes('tollgate-database-app'),
    )
    assert.deepEqual(
      owners.map(({ metadata }) => metadata.name),
      ['tollgate-migrate'],
    )
  },
)

const secretsOf = ({ spec }: Doc): readonly string[] =>
  spec.template.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? [])

test(
  'each process has its own secrets, and the payment page neither the master key nor the database',
  needsGo,
  async () => {
    const documents = podsOf(await documentsOf(CASES['a signer'] ?? {}))
    const secrets = Object.fromEntries(
      documents.map((document) => [document.metadata.name, [...new Set(secretsOf(document))].sort()]),
    )
    const gateway = [
      'tollgate-chains',
      'tollgate-database',
      'tollgate-database-ca',
      'tollgate-master-key',
      'tollgate-redis',
    ]
    assert.deepEqual(secrets, {
      'tollgate-api': gateway,
      'tollgate-checkout': ['tollgate-checkout'],
      'tollgate-migrate': ['tollgate-database', 'tollgate-database-app', 'tollgate-database-ca'],
      'tollgate-worker': [...gateway, 'tollgate-signer'].sort(),
    })
    // The wallet's key is where the signer is, and the gateway's secrets are where it is not.
    const worker = documents.find(({ metadata }) => metadata.name === 'tollgate-worker') ?? assert.fail()
    const mounts = Object.fromEntries(
      containersOf(worker).map(({ name, volumeMounts }) => [
        name,
        (volumeMounts ?? []).map((mount) => mount.name),
      ]),
    )
    assert.deepEqual(mounts['worker'], ['secrets', 'signer-socket'])
    assert.deepEqual(mounts['signer'], ['signer-secrets', 'signer-socket', 'signer-record'])
    assert.deepEqual(mounts['signer-secrets'], ['signer-secrets', 'signer'])
  },
)

test('there is one signer at a time', needsGo, async () => {
  const documents = await documentsOf(CASES['a signer'] ?? {})
  const worker =
    podsOf(documents).find(({ metadata }) => metadata.name === 'tollgate-worker') ?? assert.fail()
  assert.equal(worker.spec.replicas, 1)
  assert.deepEqual(worker.spec.strategy, { type: 'Recreate' })
  const claim = documents.find(({ kind }) => kind === 'PersistentVolumeClaim') ?? assert.fail()
  assert.deepEqual(claim.spec.accessModes, ['ReadWriteOncePod'])
  assert.deepEqual(claim.metadata.annotations, { 'helm.sh/resource-policy': 'keep' })
})

test('a pod has longer to end than its processes drain', needsGo, async () => {
  const seconds = async (values: Values): Promise<readonly (number | undefined)[]> =>
    podsOf(await documentsOf(values))
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec.terminationGracePeriodSeconds)
  assert.deepEqual(await seconds(LIVE), [30 + 25, 10 + 25, 30 + 15])
  assert.deepEqual(await seconds(CASES['everything'] ?? {}), [90 + 25, 40 + 25, 90 + 15])
})

test('replicas are not set where they are scaled', needsGo, async () => {
  const ofApi = async (values: Values): Promise<number | undefined> =>
    (await documentsOf(values)).find(({ metadata }) => metadata.name === 'tollgate-api')?.spec.replicas
  assert.equal(await ofApi(LIVE), undefined)
  assert.equal(await ofApi(merged(LIVE, { api: { replicas: 3, autoscaling: { enabled: false } } })), 3)
})

test('values that contradict each other are refused, with all reasons', needsGo, async () => {
  const without = (secret: string): Values => ({ secrets: { [secret]: { name: '' } } })
  const alone = { autoscaling: { enabled: false } }
  const wrong: readonly (readonly [given: Values, sentence: string])[] = [
    [{ image: '' }, 'image is missing'],
    [{ urls: { api: '' } }, 'urls.api is missing'],
    [
      { urls: { checkout: 'http://checkout.pay.example' } },
      'urls.checkout must begin with https:// in live.',
    ],
    [{ urls: { console: 'https://pay.example' } }, 'urls.console has the host of urls.api'],
    [without('masterKey'), 'secrets.masterKey.name is missing'],
    [without('database'), 'secrets.database.name is missing'],
    [without('checkout'), 'secrets.checkout.name is missing'],
    [without('redis'), 'api.autoscaling needs secrets.redis.name'],
    [
      { ...without('redis'), api: { ...alone, replicas: 2 } },
      'api.replicas above 1 needs secrets.redis.name in live',
    ],
    [{ api: { autoscaling: { minReplicas: 7 } } }, 'api.autoscaling.minReplicas is above maxReplicas.'],
    [merged(SIGNER, { signer: { secret: '' } }), 'signer.secret is missing'],
    [{ ...SIGNER, files: {} }, 'signer.enabled needs files.TOLLGATE_CHAINS_FILE'],
    [merged(SIGNER, { worker: { replicas: 2 } }), 'signer.enabled needs worker.replicas 1'],
    [{ trustProxy: [] }, 'ingress.enabled needs trustProxy'],
    [{ urls: { console: '' }, ingress: { console: true } }, 'ingress.console needs urls.console'],
    [{ networkPolicy: { metricsFrom: [] } }, 'podMonitor.enabled needs networkPolicy.metricsFrom'],
    [{ settings: { TOLLGATE_DATABASE_URL: 'postgres://a' } }, 'TOLLGATE_DATABASE_URL is a secret or a file'],
    [{ settings: { TOLLGATE_CHAINS_FILE: '/chains.json' } }, 'TOLLGATE_CHAINS_FILE is a secret or a file'],
    [{ settings: { CHECKOUT_SECRET: 'a' } }, 'CHECKOUT_SECRET is a secret or a file'],
    [{ settings: { TOLLGATE_ENVIRONMENT: 'live' } }, 'TOLLGATE_ENVIRONMENT follows from environment'],
    [{ settings: { TOLLGATE_OPERATOR_HOST: '0.0.0.0' } }, "TOLLGATE_OPERATOR_HOST is the chart's"],
    [{ settings: { TOLLGATE_STATEMENTS_DIR: '/in' } }, 'TOLLGATE_STATEMENTS_DIR needs a folder'],
    [
      { settings: { TOLLGATE_CELL: 'B' } },
      'settings.TOLLGATE_CELL and settings.CHECKOUT_CELL must be the same',
    ],
  ]
  for (const [given, sentence] of wrong) {
    const values = merged(LIVE, given)
    assert.deepEqual(misfits(merged(valuesOf('values.yaml'), values)), [], sentence)
    await assert.rejects(
      textOf(values),
      (error: unknown) => {
        assert.ok(isRecord(error))
        // One reason for each of the values above, and no other.
        assert.equal(String(error['stderr']).match(/^- /gm)?.length, 1, sentence)
        return String(error['stderr']).includes(sentence)
      },
      sentence,
    )
  }
  await assert.rejects(textOf({}), ({ stderr }: { readonly stderr: string }) => {
    assert.equal(stderr.match(/^- /gm)?.length, 7)
    return true
  })
})

test('what is said after an installation names what is there', needsGo, async () => {
  const notes = async (...flags: readonly string[]): Promise<string> =>
    (await textOf(LIVE, ...flags)).split('---\n# Source: ')[1] ?? ''
  assert.match(await notes(), /create secret generic tollgate-checkout/)
  assert.doesNotMatch(await notes('-upgrade'), /create secret/)
})
