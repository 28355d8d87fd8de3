import { readFileSync } from 'node:fs'
import { type Package, productionPackages } from '../packages.ts'

// The software bill of materials (CycloneDX): every package of production with its version, licence and hash, from
// package-lock.json. Without a time and a serial number, so that the same packages give the same file.

/** docs/sbom.json. */
export function billOfMaterials(root: string): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(`${root}/${name}`, 'utf8'))
  const packages = productionPackages(read('package-lock.json'))
  const byPath = new Map(packages.map((one) => [one.path, urlOf(one)]))
  const components = new Map<string, object>()
  const dependencies = new Map<string, Set<string>>()
  for (const one of packages) {
    const ref = urlOf(one)
    components.set(ref, componentOf(one))
    const known = dependencies.get(ref) ?? new Set<string>()
    for (const path of one.dependsOn) known.add(byPath.get(path) ?? path)
    dependencies.set(ref, known)
  }
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'tollgate', 'bom-ref': 'tollgate' } },
    components: sorted(components).map(([, component]) => component),
    dependencies: sorted(dependencies).map(([ref, on]) => ({ ref, dependsOn: [...on].sort() })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const sorted = <Value>(map: ReadonlyMap<string, Value>): (readonly [string, Value])[] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1))

/** As package URLs have it: the @ of a scope is escaped. */
function urlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function componentOf(one: Package): object {
  const { name, version, license, integrity, isOptional } = one
  return {
    type: 'library',
    name,
    version,
    'bom-ref': urlOf(one),
    purl: urlOf(one),
    scope: isOptional ? 'optional' : 'required',
    ...(license !== undefined && { licenses: [licenceOf(license)] }),
    ...(integrity?.startsWith('sha512-') === true && {
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
      ],
    }),
  }
}

function licenceOf(text: string): object {
  return /[ ()]/.test(text) ? { expression: text.replace(/^\((.*)\)$/, '$1') } : { license: { id: text } }
}
