import type { Finding, Tree } from './tree.ts'

const PAGE = 'ARCHITECTURE.md'
/** Where everything has a name of its own, and how the page names it. */
const SHELVES = [
  { folder: 'apps/', asPage: (name: string) => `apps/${name}/` },
  { folder: 'packages/', asPage: (name: string) => `${name}/` },
  { folder: 'apps/gateway/src/', asPage: (name: string) => name },
  { folder: 'apps/gateway/src/modules/', asPage: (name: string) => `\`${name}\`` },
] as const

/** The names right below a folder: folders without their slash, and files. */
function namesIn(tree: Tree, folder: string): readonly string[] {
  const inside = tree.files.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
  return [...new Set(inside.map((path) => path.replace(/\/.*$/s, '')))]
}

/** ARCHITECTURE.md names every part: whoever is new looks nowhere else for what there is. */
export function findUndrawnParts(tree: Tree): Finding[] {
  const page = tree.read(PAGE)
  return SHELVES.flatMap(({ folder, asPage }) =>
    namesIn(tree, folder)
      .filter((name) => name !== 'test' && !page.includes(asPage(name)))
      .map((name) => ({ path: PAGE, message: `${folder}${name} is missing: say in a line what it is.` })),
  )
}

const KEYS = 'apps/gateway/src/platform/secrets.ts'

/** Its table of keys says what each purpose protects: whoever changes what is hashed under one must see all that is. */
export function findUnnamedKeys(tree: Tree): Finding[] {
  const page = tree.read(PAGE)
  const union = /^type KeyPurpose =\n(.*?)\n\n/ms.exec(tree.read(KEYS))?.[1] ?? ''
  const purposes = [...union.matchAll(/\| '([^']+)'/g)].map(([, purpose = '']) => purpose)
  if (purposes.length === 0) return [{ path: KEYS, message: 'The purposes of keys are not found here.' }]
  // The root key is what the section is about.
  return purposes
    .filter((purpose) => purpose !== 'root-key' && !page.includes(`| \`${purpose}\``))
    .map((purpose) => ({ path: PAGE, message: `The key ${purpose} is missing: say what it protects.` }))
}
