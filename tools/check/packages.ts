import { productionPackages } from '../packages.ts'
import type { Finding, Tree } from './tree.ts'
import { isRecord } from './values.ts'

/** Licences under which everybody may run, change and sell what they built with us. Another one is a decision. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]
/** Packages that name their licence in a form that npm no longer copies into the lock file; read in their own files. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  ssh2: 'MIT',
  'cpu-features': 'MIT',
  buildcheck: 'MIT',
}
const LOCK = 'package-lock.json'

/**
 * What is installed in production has a licence that we know, and runs nothing while it is installed, but for what
 * `allowScripts` of package.json names: with `false` npm does not run it, and older ones of npm that do harm nothing.
 */
export function findUnwelcomePackages(tree: Tree): Finding[] {
  const allowed = allowedScripts(tree)
  return productionPackages(JSON.parse(tree.read(LOCK))).flatMap(
    ({ name, license, hasInstallScript, isOurs }) => [
      ...(isOurs || isAllowed(license ?? READ_BY_HAND[name])
        ? []
        : [
            {
              path: LOCK,
              message: `${name} has the licence ${license ?? 'of nobody'}, which nobody has looked at. Choose another package, or add it to LICENCES in tools/check/packages.ts.`,
            },
          ]),
      ...(hasInstallScript && !allowed.includes(name)
        ? [
            {
              path: LOCK,
              message: `${name} runs a script when it is installed. Read it; then name it in allowScripts of package.json, or choose another package.`,
            },
          ]
        : []),
    ],
  )
}

function allowedScripts(tree: Tree): readonly string[] {
  const manifest: unknown = JSON.parse(tree.read('package.json'))
  const scripts = isRecord(manifest) ? manifest['allowScripts'] : undefined
  return isRecord(scripts) ? Object.keys(scripts).filter((name) => typeof scripts[name] === 'boolean') : []
}

/** One licence, or a choice of some of which one is known. */
function isAllowed(license: string | undefined): boolean {
  const choice = (license ?? '').replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choice.some((each) => LICENCES.includes(each))
}
