import { LOCK, lockAt, MANIFEST, manifestAt, NAMED_IN } from '../release/version.ts'
import type { Finding, Tree } from './tree.ts'
import { isRecord } from './values.ts'

/** All our packages have one version, that of the root, and every file that a release changes names it. */
export function findOtherVersions(tree: Tree): Finding[] {
  const root: unknown = JSON.parse(tree.read('package.json'))
  const version = isRecord(root) ? String(root['version']) : ''
  const isAt = (path: string): boolean => {
    const text = tree.read(path)
    if (path === LOCK) return lockAt(text, version) === text
    return MANIFEST.test(path) ? manifestAt(text, version) === text : text.includes(version)
  }
  return [...tree.files.filter((path) => MANIFEST.test(path)), LOCK, ...NAMED_IN]
    .filter((path) => !isAt(path))
    .map((path) => ({
      path,
      message: `Not of version ${version}, or not as npm writes it. \`npm run release\` changes all of them together.`,
    }))
}
