import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { isRecord } from '../check/values.ts'
import { selfContained } from './declarations.ts'

// `npm run sdk` builds what merchants install, in packages/sdk/dist and packages/medusa-provider/dist: JavaScript for Node 20 and newer,
// declarations, and a package.json of its own. `npm pack ./packages/sdk/dist` and `npm publish` take it from there.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What is built, in its order. `records`: the file whose types come from the schemas, and are written out. */
const PACKAGES: readonly { readonly name: string; readonly records?: string }[] = [
  { name: 'sdk', records: 'types.ts' },
  { name: 'medusa-provider' },
]

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2024.d.ts', 'lib.esnext.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: ROOT,
}

/** Builds the package in its folder dist, which is emptied first. Throws with what the compiler says. */
function build(home: string, records?: string): void {
  const source = join(home, 'src')
  const folder = join(home, 'dist')
  const files = readdirSync(source).map((name) => join(source, name))
  const program = ts.createProgram(files, { ...OPTIONS, outDir: folder })
  const problems = ts.getPreEmitDiagnostics(program)
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: String,
        getCurrentDirectory: () => ROOT,
        getNewLine: () => '\n',
      }),
    )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of files) {
    program.emit(program.getSourceFile(file), (path, text) => {
      // The compiler rewrites the endings of imports in JavaScript alone.
      writeFileSync(join(folder, basename(path)), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
    })
  }
  if (records !== undefined)
    writeFileSync(
      join(folder, records.replace('.ts', '.d.ts')),
      selfContained(program, join(source, records)),
    )
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(home), undefined, 2)}\n`)
  cpSync(join(home, 'README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** What npm shows of the package. */
function manifest(home: string): Record<string, unknown> {
  const own: unknown = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  if (!isRecord(own)) throw new Error(`${home}/package.json is no object`)
  const { name, version, description, license, keywords, dependencies } = own
  return {
    name,
    version,
    description,
    license,
    keywords,
    dependencies,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    publishConfig: { access: 'public', provenance: true },
  }
}

for (const { name, records } of PACKAGES) {
  build(join(ROOT, 'packages', name), records)
  process.stdout.write(`packages/${name}/dist is built. Pack it: npm pack ./packages/${name}/dist\n`)
}
