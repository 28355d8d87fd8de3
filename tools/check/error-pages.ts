import type { Finding, Tree } from './tree.ts'

const CATALOGUE = 'packages/contract/src/errors.ts'
const PAGE = /^docs\/errors\/(?!README)([A-Z][A-Z0-9_]*)[.]md$/

/** The codes a merchant can meet and the pages that explain them are one set. */
export function findErrorPageGaps(tree: Tree, codes: readonly string[]): Finding[] {
  const pages = tree.files.map((path) => PAGE.exec(path)?.[1]).filter((code) => code !== undefined)
  const missing = codes
    .filter((code) => !pages.includes(code))
    .map((code) => ({
      path: CATALOGUE,
      message: `${code} has no page. Write docs/errors/${code}.md: cause and remedy.`,
    }))
  const stale = pages
    .filter((code) => !codes.includes(code))
    .map((code) => ({
      path: `docs/errors/${code}.md`,
      message: `No such code in ERROR_CATALOGUE. Delete the page, or add ${code} to ${CATALOGUE}.`,
    }))
  return [...missing, ...stale]
}
