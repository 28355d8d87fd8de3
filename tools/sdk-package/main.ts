import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { isRecord } from '../check/values.ts'
import { selfContained } from './declarations.ts'

// `npm run sdk` builds what merchants install, in packages/sdk/dist: JavaScript for Node 20 and newer, declarations that need no
// other package, and a package.json of its own. `npm pack packages/sdk/dist` and `npm publish` take it from there.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGE = join(ROOT, 'packages/sdk')
const SOURCE = join(PACKAGE, 'src')
/** Whose types come from the schemas. */
const RECORDS = 'types.ts'

const OPTIONS: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2024.d.ts', 'lib.esnext.d.ts'], types: ['node'] },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
  ...{ verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true, declaration: true },
  rootDir: SOURCE,
}

/** Builds the package in the folder, which is emptied first. Throws with what the compiler says. */
function buildSdk(folder: string): void {
  const files = readdirSync(SOURCE).map((name) => join(SOURCE, name))
  const program = ts.createProgram(files, { ...OPTIONS, rootDir: ROOT, outDir: folder })
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
  writeFileSync(join(folder, RECORDS.replace('.ts', '.d.ts')), selfContained(program, join(SOURCE, RECORDS)))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  cpSync(join(PACKAGE, 'README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** What npm shows of the package. */
function manifest(): Record<string, unknown> {
  const own: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  if (!isRecord(own)) throw new Error('packages/sdk/package.json is no object')
  const { name, version, description, license, keywords } = own
  return {
    ...{ name, version, description, license, keywords },
    ...{ type: 'module', sideEffects: false, engines: { node: '>=20.19' } },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    publishConfig: { access: 'public', provenance: true },
  }
}

buildSdk(join(PACKAGE, 'dist'))
process.stdout.write('packages/sdk/dist is built. Pack it: npm pack ./packages/sdk/dist\n')
